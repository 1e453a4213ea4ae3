//! The evolution strategy of Arnold (1997) section 3.1: (mu, lambda) with lambda = 6 mu. All parents are replaced by
//! the best of their children, so a single lucky evaluation does not last. The size of mutations adapts:
//!
//! ```text
//!   success rule      sigma *= c if more than 1/5 of the children are better than their parents, sigma /= c if fewer
//!   self-adaptation   sigma_child = sigma_parent exp(tau N(0, 1)): every individual inherits its own
//! ```
//!
//! For two parents the logarithms of sigma are averaged. This is intermediate recombination of the strategy parameter,
//! which Arnold (1997) recommends for any recombination of genomes.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent, Shares};
use crate::individual::{Birth, EvaluatedIndividual, Id, best_first, by_fitness};

/// Smallest and largest multiple of the default size of mutations.
const SIGMA: [f64; 2] = [0.05, 5.0];

/// Adaptation of the size of mutations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum StepControl {
    /// No adaptation.
    Fixed,
    /// Rechenberg's 1/5 success rule, applied once a generation.
    SuccessRule {
        /// Factor c, above 1.
        factor: f64,
    },
    /// Self-adaptation: each individual inherits and mutates its own size.
    SelfAdaptation {
        /// Learning rate tau.
        learning_rate: f64,
    },
}

/// Settings of the evolution strategy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StrategySettings {
    /// Number of parents mu. Arnold (1997) has 16 to 64.
    pub parents: usize,
    /// Number of children per parent, lambda / mu. Arnold (1997) has 6.
    pub children_per_parent: usize,
    /// Adaptation of the size of mutations.
    pub step_control: StepControl,
    /// Whether the parents are always the best of the latest lambda results, instead of the best of the last complete
    /// generation. Then no birth waits for the end of a generation.
    pub sliding: bool,
    /// Number of recent results that a birth does not wait for; without `sliding`, of the last generation.
    pub window: u64,
}

impl Default for StrategySettings {
    fn default() -> Self {
        let step_control = StepControl::SelfAdaptation { learning_rate: 0.3 };
        Self { parents: 32, children_per_parent: 6, step_control, sliding: true, window: 96 }
    }
}

/// Data of a child that is kept until its result is recorded.
#[derive(Debug, Clone, Copy)]
struct PendingChild {
    /// Size of its mutations.
    sigma: f64,
    /// Fitness of the parent that contributed most.
    to_beat: Option<f64>,
}

/// State of the evolution strategy.
#[derive(Debug)]
pub struct Strategy {
    settings: StrategySettings,
    breeder: Breeder,
    founders: Vec<Child>,
    parents: Vec<EvaluatedIndividual>,
    results: Vec<EvaluatedIndividual>,
    /// Sizes of mutations of the parents and of the children with a result.
    sigmas: BTreeMap<Id, f64>,
    /// Children without a result, by number.
    pending: BTreeMap<u64, PendingChild>,
    /// Number of children of the current generation that are better than their parents.
    successes: usize,
    /// Number of children of the current generation that can be compared with parents.
    attempts: usize,
    /// Size of mutations for all, with the success rule.
    sigma: f64,
    /// Whether the fitness of the parents belongs to another task.
    is_outdated: bool,
}

impl Strategy {
    /// Creates a population from founders and, if these are too few, random genomes.
    pub fn new(settings: StrategySettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        // All children are mutated, because a size that was not used must not be inherited (Arnold 1997: mutation
        // follows recombination).
        let breeder = Breeder { shares: Shares { then_mutate: 1.0, ..breeder.shares }, ..breeder };
        let (parents, results, sigmas, pending) = (Vec::new(), Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self {
            settings,
            breeder,
            founders,
            parents,
            results,
            sigmas,
            pending,
            successes: 0,
            attempts: 0,
            sigma: 1.0,
            is_outdated: false,
        }
    }

    /// Multiple of the default size of mutations that the success rule has reached.
    pub fn step_size(&self) -> f64 {
        self.sigma
    }

    /// The same for each parent and each child with a result since, with self-adaptation.
    pub fn own_step_sizes(&self) -> &BTreeMap<Id, f64> {
        &self.sigmas
    }

    fn size(&self) -> u64 {
        (self.settings.parents.max(1) * self.settings.children_per_parent.max(1)) as u64
    }

    /// Size of a child's mutations: with self-adaptation, mutated from the geometric mean of its parents' sizes.
    fn inherited_sigma(&self, parents: &[Id], dice: &mut Random) -> f64 {
        let StepControl::SelfAdaptation { learning_rate } = self.settings.step_control else { return self.sigma };
        let logs = parents.iter().map(|id| libm::log(self.sigmas.get(id).copied().unwrap_or(1.0)));
        let mean = logs.sum::<f64>() / parents.len().max(1) as f64;
        libm::exp(mean + dice.normal(learning_rate)).clamp(SIGMA[0], SIGMA[1])
    }

    fn child(&mut self, number: u64, dice: &mut Random) -> Child {
        let how = self.breeder.operator(dice);
        // Parents are drawn uniformly: they have been selected already.
        let chosen: Vec<&EvaluatedIndividual> =
            (0..how.map_or(1, |_| 2)).map(|_| &self.parents[dice.below(self.parents.len())]).collect();
        let ids: Vec<Id> = chosen.iter().map(|parent| parent.id).collect();
        let sigma = self.inherited_sigma(&ids, dice);
        let parents: Vec<Parent> = chosen.iter().map(|one| Parent { id: one.id, genome: &one.genome }).collect();
        let to_beat = (!self.is_outdated).then_some(chosen[0].fitness);
        let breeder = Breeder { genomes: self.breeder.genomes.scaled(sigma), ..self.breeder.clone() };
        let child = breeder.child_of(&parents, how, dice);
        self.pending.insert(number, PendingChild { sigma, to_beat });
        child
    }

    /// Makes the best of the latest results parents.
    fn slide(&mut self) {
        let size = self.size() as usize;
        let excess = self.results.len().saturating_sub(size);
        self.results.drain(..excess);
        // After a change of the task the parents stay until there are enough results to compare.
        if self.is_outdated && 2 * self.results.len() < size {
            return;
        }
        let mut scored: Vec<&EvaluatedIndividual> = self.results.iter().filter(|one| one.scored).collect();
        scored.sort_by(|a, b| by_fitness(a, b));
        // In the first generation the share of parents is the same.
        scored.truncate((self.settings.parents * self.results.len()).div_ceil(size).max(1));
        if scored.is_empty() {
            return;
        }
        self.parents = scored.into_iter().cloned().collect();
        self.is_outdated = false;
        let known: BTreeSet<Id> = self.parents.iter().chain(&self.results).map(|one| one.id).collect();
        self.sigmas.retain(|id, _| known.contains(id));
    }

    fn adapt_shared_sigma(&mut self) {
        if let StepControl::SuccessRule { factor } = self.settings.step_control {
            let sigma = match (5 * self.successes).cmp(&self.attempts) {
                Ordering::Greater => self.sigma * factor,
                Ordering::Equal => self.sigma,
                Ordering::Less => self.sigma / factor,
            };
            self.sigma = sigma.clamp(SIGMA[0], SIGMA[1]);
        }
        (self.successes, self.attempts) = (0, 0);
    }

    fn next_generation(&mut self) {
        let mut children = std::mem::take(&mut self.results);
        children.retain(|one| one.scored);
        best_first(&mut children);
        children.truncate(self.settings.parents.max(1));
        if !children.is_empty() {
            self.parents = children;
        }
        let parents = &self.parents;
        self.sigmas.retain(|id, _| parents.iter().any(|parent| parent.id == *id));
        self.is_outdated = false;
    }
}

impl Algorithm for Strategy {
    fn needs(&self, number: u64) -> u64 {
        match self.settings.sliding {
            true => number.saturating_sub(self.settings.window),
            false => barrier(number, self.size(), self.settings.window),
        }
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        Birth::of(match self.founders.get(number as usize) {
            Some(founder) => founder.clone(),
            None if self.parents.is_empty() => self.breeder.random(dice),
            None => self.child(number, dice),
        })
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        if let Some(PendingChild { sigma, to_beat }) = self.pending.remove(&number) {
            self.sigmas.insert(result.id, sigma);
            if let Some(to_beat) = to_beat {
                self.attempts += 1;
                self.successes += usize::from(result.scored && result.fitness > to_beat);
            }
        }
        self.results.push(result);
        if last_of_generation {
            self.adapt_shared_sigma();
        }
        match self.settings.sliding {
            true => self.slide(),
            false if last_of_generation => self.next_generation(),
            false => {}
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        if self.settings.sliding {
            self.results.push(immigrant);
            return self.slide();
        }
        self.parents.push(immigrant);
        best_first(&mut self.parents);
    }

    fn forget(&mut self, id: Id) {
        self.parents.retain(|one| one.id != id);
        self.results.retain(|one| one.id != id);
        self.sigmas.remove(&id);
    }

    fn renew(&mut self) {
        // Parents never survive, but children cannot be compared with parents that had another task.
        self.is_outdated = true;
        if self.settings.sliding {
            self.results.clear();
        }
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
