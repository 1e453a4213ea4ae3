//! Stages of a run: parts with their own algorithm, budget and task. Each continues with individuals of the one before.

use burgess_creature::Random;
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

use crate::algorithm::IslandSettings;
use crate::archive::Founder;
use crate::breeder::{Parent, Shares};
use crate::config::{AlgorithmConfig, RunConfig, optional_task_or_name};
use crate::individual::Id;

/// Separates the random numbers of mutants of founders from others.
const FOUNDER_SEED: u64 = 0x666f_756e_6465_7273;

/// One stage. What it does not set is that of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StageConfig {
    /// Number of evaluations. The last stage takes all that are left of the run's, and needs no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// What the first generation consists of.
    pub carry: Carry,
    /// Search algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmConfig>,
    /// Shares of the operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operators: Option<Shares>,
    /// Several populations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub islands: Option<IslandSettings>,
    /// Task. In files it may also be the name of a built-in task.
    #[serde(deserialize_with = "optional_task_or_name", skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
}

/// What a stage takes over from the one before. The first stage takes over nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carry {
    /// The fittest fill the first generation.
    #[default]
    Best,
    /// The fittest of each cell of the map fill the first generation, the fittest first.
    Elites,
    /// The fittest and its mutants fill the first generation.
    Champion,
    /// Nothing: the first generation is random.
    Nothing,
}

impl Default for StageConfig {
    fn default() -> Self {
        Self { evaluations: None, carry: Carry::Best, algorithm: None, operators: None, islands: None, task: None }
    }
}

impl RunConfig {
    /// Number of stages, at least 1.
    pub fn stage_count(&self) -> usize {
        self.stages.len().max(1)
    }

    /// Configuration of a stage: that of the run with what the stage sets.
    pub fn stage(&self, index: usize) -> Self {
        let mut config = Self { stages: Vec::new(), ..self.clone() };
        if let Some(stage) = self.stages.get(index) {
            let StageConfig { algorithm, operators, islands, task, .. } = stage.clone();
            config.algorithm = algorithm.unwrap_or(config.algorithm);
            config.operators = operators.unwrap_or(config.operators);
            config.islands = islands.unwrap_or(config.islands);
            config.task = task.unwrap_or(config.task);
        }
        config
    }

    /// Fills the first generation of a run with mutants of the founders, in turn.
    pub fn fill_generation(&self, mut founders: Vec<Founder>) -> Vec<Founder> {
        let (first, given) = (self.stage(0), founders.len());
        let (room, breeder) = (first.first_generation(), first.breeder());
        for number in given..if given > 0 { room } else { 0 } {
            let Founder { genome, origin } = &founders[number % given];
            let seed = mix_seed(self.seed, &[FOUNDER_SEED, number as u64]);
            let mutant = breeder.child_of(&[Parent { id: 0, genome }], None, &mut Random::new(seed));
            let origin = format!("{origin}, mutated");
            founders.push(Founder { genome: mutant.genome, origin });
        }
        founders
    }

    /// Id of the first birth of a stage. Stages that do not exist begin never.
    pub fn stage_start(&self, index: usize) -> Id {
        if index >= self.stage_count() {
            return Id::MAX;
        }
        let budgets = self.stages.iter().take(index).map(|stage| stage.evaluations.unwrap_or(0));
        budgets.fold(0, Id::saturating_add)
    }

    /// Index of the stage that a birth belongs to.
    pub fn stage_of(&self, id: Id) -> usize {
        (1..self.stage_count()).take_while(|index| self.stage_start(*index) <= id).last().unwrap_or(0)
    }

    /// Task of the stage that a birth belongs to.
    pub fn task_at(&self, id: Id) -> &Task {
        self.task_of_stage(self.stage_of(id))
    }

    fn task_of_stage(&self, index: usize) -> &Task {
        self.stages.get(index).and_then(|stage| stage.task.as_ref()).unwrap_or(&self.task)
    }

    /// Algorithm of the stage that a birth belongs to.
    pub fn algorithm_at(&self, id: Id) -> &AlgorithmConfig {
        let stage = self.stages.get(self.stage_of(id));
        stage.and_then(|stage| stage.algorithm.as_ref()).unwrap_or(&self.algorithm)
    }

    /// Id of the first birth since which all births up to this one have the same task, up to its parameters.
    pub fn same_task_since(&self, id: Id) -> Id {
        let last = self.stage_of(id);
        let is_same = |index: &usize| self.task_of_stage(*index) == self.task_of_stage(last);
        self.stage_start((0..=last).rev().take_while(is_same).last().unwrap_or(last))
    }

    /// Changes the number of evaluations, and those of the stages in proportion. Stages that would have none are left
    /// out.
    pub fn scale_to(&mut self, evaluations: u64) {
        let before = self.evaluations.max(1) as f64;
        for budget in self.stages.iter_mut().filter_map(|stage| stage.evaluations.as_mut()) {
            *budget = libm::round(*budget as f64 / before * evaluations as f64).max(1.0) as u64;
        }
        self.evaluations = evaluations;
        while self.stages.len() > 1 && self.stage_start(self.stages.len() - 1) >= evaluations {
            self.stages.pop();
        }
    }
}
