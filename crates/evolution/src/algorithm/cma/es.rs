//! CMA-ES: one distribution about the best individual of the first generation. Only the numbers of its control change.

use std::collections::BTreeMap;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Emitter, Sample};
use crate::algorithm::{Algorithm, barrier};
use crate::breeder::{Breeder, Child};
use crate::individual::{Birth, EvaluatedIndividual, Id, by_fitness};

/// Share of the first step size at which the search begins again about the best individual.
const CONVERGED: f64 = 0.02;

/// Settings of CMA-ES.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CmaEsSettings {
    /// Number of births in a generation. The better half becomes parents.
    pub population: usize,
    /// First size of steps, as a multiple of the size of mutations.
    pub sigma: f64,
    /// Number of results of the last generation that the first births of the next do not wait for.
    pub window: u64,
}

impl Default for CmaEsSettings {
    fn default() -> Self {
        Self { population: 96, sigma: 0.5, window: 72 }
    }
}

/// State of CMA-ES.
#[derive(Debug)]
pub struct CmaEs {
    settings: CmaEsSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    emitter: Option<Emitter>,
    /// Fittest individual so far.
    best: Option<EvaluatedIndividual>,
    /// Samples of the births without a result, by number.
    pending: BTreeMap<u64, Sample>,
    /// Results of the current generation. Founders and random genomes have no sample.
    results: Vec<(EvaluatedIndividual, Option<Sample>)>,
}

impl CmaEs {
    /// Creates a search about the best of the founders or, if these are too few, of random genomes.
    pub fn new(settings: CmaEsSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let (pending, results) = (BTreeMap::new(), Vec::new());
        Self { settings, breeder, founders, emitter: None, best: None, pending, results }
    }

    /// Size of the steps, if the search has begun.
    pub fn sigma(&self) -> Option<f64> {
        self.emitter.as_ref().map(|emitter| emitter.distribution.sigma())
    }

    fn size(&self) -> u64 {
        self.settings.population.max(1) as u64
    }

    /// Begins a search about an individual. Samples of the search before have other coordinates, and are dropped.
    fn begin(&mut self, about: Option<EvaluatedIndividual>) {
        let CmaEsSettings { sigma, population, .. } = self.settings;
        self.emitter = about.map(|one| Emitter::new(&one, &self.breeder.genomes, sigma, population));
        self.pending.clear();
        self.results.iter_mut().for_each(|(_, sample)| *sample = None);
    }

    fn next_generation(&mut self) {
        let mut results = std::mem::take(&mut self.results);
        results.retain(|(one, _)| one.scored);
        results.sort_by(|(a, _), (b, _)| by_fitness(a, b));
        let Some((fittest, _)) = results.first() else { return };
        if self.best.as_ref().is_none_or(|best| by_fitness(fittest, best).is_lt()) {
            self.best = Some(fittest.clone());
        }
        let samples: Vec<&Sample> = results.iter().filter_map(|(_, sample)| sample.as_ref()).collect();
        if let Some(emitter) = self.emitter.as_mut().filter(|_| !samples.is_empty()) {
            emitter.distribution.update(&samples);
            emitter.parent = fittest.id;
        }
        let has_ended = self.sigma().is_none_or(|sigma| sigma < CONVERGED * self.settings.sigma);
        if has_ended {
            self.begin(self.best.clone());
        }
    }
}

impl Algorithm for CmaEs {
    fn needs(&self, number: u64) -> u64 {
        barrier(number, self.size(), self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        if let Some(founder) = self.founders.get(number as usize) {
            return Birth::of(founder.clone());
        }
        let Some(emitter) = &self.emitter else { return Birth::of(self.breeder.random(dice)) };
        let (child, sample) = emitter.child(&self.breeder.genomes, dice);
        self.pending.insert(number, sample);
        Birth::of(child)
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let sample = self.pending.remove(&number);
        self.results.push((result, sample));
        if (number + 1).is_multiple_of(self.size()) {
            self.next_generation();
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        if self.best.as_ref().is_none_or(|best| by_fitness(&immigrant, best).is_lt()) {
            self.best = Some(immigrant.clone());
            self.begin(Some(immigrant));
        }
    }

    fn forget(&mut self, id: Id) {
        self.results.retain(|(one, _)| one.id != id);
        self.best = self.best.take().filter(|best| best.id != id);
        if self.emitter.as_ref().is_some_and(|emitter| emitter.parent == id) {
            self.begin(self.best.clone());
        }
    }

    fn renew(&mut self) {
        // No fitness outlives its generation but that of the best, which is not comparable any more.
        self.best = None;
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
