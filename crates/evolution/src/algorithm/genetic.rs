//! The genetic algorithm of 000 section 4.7: the best are kept, all others are children of selected ones.

use std::collections::VecDeque;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Id, Learned, best_first};
use crate::selection::Selection;

/// How large and how eager.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneticSettings {
    /// Individuals in a generation; 000 has 300.
    pub population: usize,
    /// How many of the best live on unchanged; 000 keeps one.
    pub elite: usize,
    /// Who becomes a parent.
    pub selection: Selection,
    /// Generations over which what proportional selection adds to everybody's fitness falls to zero; 000 has 100 to 200.
    pub generations: u64,
    /// How many of the last generation the first of the next do not wait for.
    pub window: u64,
}

impl Default for GeneticSettings {
    fn default() -> Self {
        let selection = Selection::Proportional { pressure: 0.5 };
        Self { population: 300, elite: 1, selection, generations: 100, window: 0 }
    }
}

/// The present population and the next.
#[derive(Debug)]
pub struct Genetic {
    settings: GeneticSettings,
    breeder: Breeder,
    /// Scored ones of the last generation with the elite of the one before, best first.
    parents: Vec<Learned>,
    /// Told so far of the present generation.
    told: Vec<Learned>,
    founders: Vec<Child>,
    /// The elite that has to be evaluated again.
    again: VecDeque<Learned>,
    /// Is the fitness of the parents out of date?
    stale: bool,
}

impl Genetic {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: GeneticSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = GeneticSettings { population: settings.population.max(2), ..settings };
        let (parents, told, again) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { settings, breeder, parents, told, founders, again, stale: false }
    }

    fn size(&self) -> u64 {
        self.settings.population as u64
    }

    /// From 0 in the first generation that is bred to 1.
    fn progress(&self, number: u64) -> f64 {
        let bred = self.generation(number).saturating_sub(1) as f64;
        (bred / self.settings.generations.saturating_sub(1).max(1) as f64).min(1.0)
    }
}

impl Algorithm for Genetic {
    fn needs(&self, number: u64) -> u64 {
        barrier(number, self.size(), self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        if let Some(one) = self.again.pop_front() {
            return Birth::copy(&one);
        }
        Birth::of(match self.founders.get(number as usize) {
            Some(founder) => founder.clone(),
            None if self.parents.is_empty() => self.breeder.random(dice),
            None => {
                let fitness: Vec<f64> = self.parents.iter().map(|parent| parent.fitness).collect();
                let progress = self.progress(number);
                self.breeder.child(dice, |dice| {
                    let chosen = &self.parents[self.settings.selection.select(&fitness, progress, dice)];
                    Parent { id: chosen.id, genome: &chosen.genome }
                })
            }
        })
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        if result.scored {
            self.told.push(result);
        }
        // A generation of which nobody was scored leaves everything as it was.
        if !last_of_generation || self.told.is_empty() {
            return;
        }
        // The elite need not be evaluated again as long as the task is the same: the evaluation is a pure function.
        let kept = if self.stale { 0 } else { self.settings.elite };
        let mut next: Vec<Learned> = self.parents.drain(..).take(kept).collect();
        next.append(&mut self.told);
        best_first(&mut next);
        next.truncate(self.settings.population);
        self.parents = next;
        self.stale = false;
    }

    fn welcome(&mut self, immigrant: Learned) {
        self.parents.push(immigrant);
        best_first(&mut self.parents);
    }

    fn forget(&mut self, id: Id) {
        self.parents.retain(|one| one.id != id);
        self.told.retain(|one| one.id != id);
        self.again.retain(|one| one.id != id);
    }

    fn renew(&mut self) {
        self.again = self.parents.iter().take(self.settings.elite).cloned().collect();
        self.stale = true;
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
