//! The genetic algorithm of 000 section 4.7: the best are kept, all others are children of selected ones.

use burgess_creature::Dice;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Learned, best_first};
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
    /// Generations over which the pressure of proportional selection rises to its full height.
    pub generations: u64,
}

impl Default for GeneticSettings {
    fn default() -> Self {
        Self { population: 300, elite: 1, selection: Selection::Proportional { pressure: 0.5 }, generations: 100 }
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
}

impl Genetic {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: GeneticSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = GeneticSettings { population: settings.population.max(2), ..settings };
        Self { settings, breeder, parents: Vec::new(), told: Vec::new(), founders }
    }

    fn size(&self) -> u64 {
        self.settings.population as u64
    }
}

impl Algorithm for Genetic {
    fn needs(&self, number: u64) -> u64 {
        self.generation(number) * self.size()
    }

    fn breed(&mut self, number: u64, dice: &mut Dice) -> Birth {
        let generation = self.generation(number);
        let child = match self.founders.get(number as usize) {
            Some(founder) if generation == 0 => founder.clone(),
            _ if self.parents.is_empty() => self.breeder.random(dice),
            _ => {
                let fitness: Vec<f64> = self.parents.iter().map(|parent| parent.fitness).collect();
                let progress = generation as f64 / self.settings.generations.max(1) as f64;
                self.breeder.child(dice, |dice| {
                    let chosen = &self.parents[self.settings.selection.select(&fitness, progress, dice)];
                    Parent { id: chosen.id, genome: &chosen.genome }
                })
            }
        };
        Birth::of(child)
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let last_of_generation = (number + 1) % self.size() == 0;
        self.told.push(result);
        if !last_of_generation {
            return;
        }
        // The elite need not be evaluated again: the evaluation is a pure function.
        let mut next: Vec<Learned> = self.parents.drain(..).take(self.settings.elite).collect();
        next.extend(self.told.drain(..).filter(|one| one.scored));
        best_first(&mut next);
        next.truncate(self.settings.population);
        self.parents = next;
    }

    fn welcome(&mut self, immigrant: Learned) {
        self.parents.push(immigrant);
        best_first(&mut self.parents);
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
