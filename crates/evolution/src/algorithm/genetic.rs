//! The genetic algorithm of Fontijne (2000) section 4.7: the best survive, all others are children of selected parents.

use std::collections::VecDeque;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, EvaluatedIndividual, Id, best_first};
use crate::selection::Selection;

/// Settings of the genetic algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneticSettings {
    /// Number of individuals in a generation. Fontijne (2000) has 300.
    pub population: usize,
    /// Number of the best individuals that survive unchanged. Fontijne (2000) keeps one.
    pub elite: usize,
    /// Selection of parents.
    pub selection: Selection,
    /// Number of generations over which the constant that proportional selection adds to every fitness falls to zero.
    /// Fontijne (2000) has 100 to 200.
    pub generations: u64,
    /// Number of results of the last generation that the first births of the next do not wait for.
    pub window: u64,
}

impl Default for GeneticSettings {
    fn default() -> Self {
        let selection = Selection::Proportional { pressure: 0.5 };
        Self { population: 300, elite: 1, selection, generations: 100, window: 64 }
    }
}

/// State of the genetic algorithm.
#[derive(Debug)]
pub struct Genetic {
    settings: GeneticSettings,
    breeder: Breeder,
    /// Scored individuals of the last generation and the elite of the one before, the best first.
    parents: Vec<EvaluatedIndividual>,
    /// Results of the current generation so far.
    results: Vec<EvaluatedIndividual>,
    founders: Vec<Child>,
    /// Elite that has to be evaluated again.
    again: VecDeque<EvaluatedIndividual>,
    /// Whether the fitness of the parents is out of date.
    stale: bool,
}

impl Genetic {
    /// Creates a population from founders and, if these are too few, random genomes.
    pub fn new(settings: GeneticSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = GeneticSettings { population: settings.population.max(2), ..settings };
        let (parents, results, again) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { settings, breeder, parents, results, founders, again, stale: false }
    }

    fn size(&self) -> u64 {
        self.settings.population as u64
    }

    /// Progress of the selection pressure, from 0 in the first bred generation to 1.
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

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        if result.scored {
            self.results.push(result);
        }
        // If no individual of a generation was scored, the population stays as it was.
        if !last_of_generation || self.results.is_empty() {
            return;
        }
        // While the task stays the same, the elite is not evaluated again: an evaluation is a pure function.
        let kept = if self.stale { 0 } else { self.settings.elite };
        let mut next: Vec<EvaluatedIndividual> = self.parents.drain(..).take(kept).collect();
        next.append(&mut self.results);
        best_first(&mut next);
        next.truncate(self.settings.population);
        self.parents = next;
        self.stale = false;
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.parents.push(immigrant);
        best_first(&mut self.parents);
    }

    fn forget(&mut self, id: Id) {
        self.parents.retain(|one| one.id != id);
        self.results.retain(|one| one.id != id);
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
