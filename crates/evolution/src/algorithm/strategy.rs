//! The evolution strategy of 001 section 3.1: (mu, lambda) with lambda = 6 mu. All parents are replaced by the best of their
//! children, so nothing that was lucky once lives for ever, and the size of mutations adapts itself:
//!
//! ```text
//!   success rule      sigma *= c if more than 1/5 of the children are better than their parents, else sigma /= c
//!   self-adaptation   sigma_child = sigma_parent exp(tau N(0, 1)): every individual inherits its own
//! ```

use std::collections::BTreeMap;

use burgess_creature::Dice;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Id, Learned, best_first};

/// The largest and smallest multiple of the mutations' usual size.
const SIGMA: [f64; 2] = [0.05, 5.0];

/// How the size of mutations adapts itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum StepControl {
    /// It does not.
    Fixed,
    /// Rechenberg's 1/5 rule, once a generation.
    SuccessRule {
        /// c, above 1.
        factor: f64,
    },
    /// Each individual has its own, inherited and mutated.
    SelfAdaptation {
        /// tau.
        learning_rate: f64,
    },
}

/// How large, and how steps are controlled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StrategySettings {
    /// mu; 001 has 16 to 64.
    pub parents: usize,
    /// lambda by mu; 001 has 6.
    pub children_per_parent: usize,
    /// Of the size of mutations.
    pub step_control: StepControl,
}

impl Default for StrategySettings {
    fn default() -> Self {
        Self { parents: 32, children_per_parent: 6, step_control: StepControl::SelfAdaptation { learning_rate: 0.3 } }
    }
}

/// The parents and the size of their mutations.
#[derive(Debug)]
pub struct Strategy {
    settings: StrategySettings,
    breeder: Breeder,
    founders: Vec<Child>,
    parents: Vec<Learned>,
    told: Vec<Learned>,
    /// Of the parents, and of the children that have been told.
    sigmas: BTreeMap<Id, f64>,
    /// Of births by number: their own size of mutations, and the fitness that they have to exceed to be a success.
    unborn: BTreeMap<u64, (f64, f64)>,
    /// Children of the present generation that are better than their parents.
    successes: usize,
    /// For all, with the success rule.
    sigma: f64,
}

impl Strategy {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: StrategySettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let (parents, told, sigmas, unborn) = (Vec::new(), Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { settings, breeder, founders, parents, told, sigmas, unborn, successes: 0, sigma: 1.0 }
    }

    fn size(&self) -> u64 {
        (self.settings.parents.max(1) * self.settings.children_per_parent.max(1)) as u64
    }

    /// Of a child: its own after self-adaptation, from the mean of its parents' on a scale of powers.
    fn inherited_sigma(&self, parents: &[Id], dice: &mut Dice) -> f64 {
        let StepControl::SelfAdaptation { learning_rate } = self.settings.step_control else { return self.sigma };
        let logs = parents.iter().map(|id| libm::log(self.sigmas.get(id).copied().unwrap_or(1.0)));
        let mean = logs.sum::<f64>() / parents.len().max(1) as f64;
        libm::exp(mean + dice.normal(learning_rate)).clamp(SIGMA[0], SIGMA[1])
    }

    fn child(&mut self, number: u64, dice: &mut Dice) -> Child {
        // All parents are alike: they have been selected already.
        let pair = [dice.below(self.parents.len()), dice.below(self.parents.len())];
        let ids = pair.map(|index| self.parents[index].id);
        let sigma = self.inherited_sigma(&ids, dice);
        let breeder = Breeder { genomes: self.breeder.genomes.scaled(sigma), ..self.breeder.clone() };
        let mut next = pair.into_iter();
        let child = breeder.child(dice, |dice| {
            let chosen = &self.parents[next.next().unwrap_or_else(|| dice.below(self.parents.len()))];
            Parent { id: chosen.id, genome: &chosen.genome }
        });
        self.unborn.insert(number, (sigma, self.parents[pair[0]].fitness));
        child
    }

    fn next_generation(&mut self) {
        let mut children = std::mem::take(&mut self.told);
        if let StepControl::SuccessRule { factor } = self.settings.step_control {
            let grows = 5 * self.successes > children.len();
            let sigma = if grows { self.sigma * factor } else { self.sigma / factor };
            self.sigma = sigma.clamp(SIGMA[0], SIGMA[1]);
        }
        children.retain(|one| one.scored);
        best_first(&mut children);
        children.truncate(self.settings.parents.max(1));
        if !children.is_empty() {
            self.parents = children;
        }
        let parents = &self.parents;
        self.sigmas.retain(|id, _| parents.iter().any(|parent| parent.id == *id));
        self.successes = 0;
    }
}

impl Algorithm for Strategy {
    fn needs(&self, number: u64) -> u64 {
        self.generation(number) * self.size()
    }

    fn breed(&mut self, number: u64, dice: &mut Dice) -> Birth {
        Birth::of(match self.founders.get(number as usize) {
            Some(founder) => founder.clone(),
            None if self.parents.is_empty() => self.breeder.random(dice),
            None => self.child(number, dice),
        })
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let last_of_generation = (number + 1) % self.size() == 0;
        if let Some((sigma, to_beat)) = self.unborn.remove(&number) {
            self.sigmas.insert(result.id, sigma);
            self.successes += usize::from(result.scored && result.fitness > to_beat);
        }
        self.told.push(result);
        if last_of_generation {
            self.next_generation();
        }
    }

    fn welcome(&mut self, immigrant: Learned) {
        self.parents.push(immigrant);
        best_first(&mut self.parents);
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
