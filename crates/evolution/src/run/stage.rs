//! Stages of a run in progress. A stage begins when all results of the one before are recorded. Its births, numbers and
//! generations follow from the configuration and these results, so that it resumes like everything else.

use std::sync::Arc;

use burgess_creature::Random;
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;

use super::{Purpose, Run};
use crate::breeder::{Breeder, Child, Parent};
use crate::config::RunConfig;
use crate::error::RunError;
use crate::individual::{Id, Operator};
use crate::stage::Carry;
use crate::syllabus::Syllabus;

/// The stage that births belong to.
#[derive(Debug)]
pub(super) struct CurrentStage {
    index: usize,
    /// Configuration of the run with what the stage sets.
    pub config: RunConfig,
    /// Generation of the run in which the stage began.
    pub first_generation: u64,
}

impl CurrentStage {
    /// Creates the first stage.
    pub fn first(config: &RunConfig) -> Self {
        Self { index: 0, config: config.stage(0), first_generation: 0 }
    }
}

impl Run {
    /// Begins the next stage if the next birth belongs to it. Returns whether the birth can take place; if not, more
    /// results are needed first.
    pub(super) fn enter_stage(&mut self) -> Result<bool, RunError> {
        let index = self.stage.index + 1;
        let start = self.config.stage_start(index);
        if self.bred < start {
            return Ok(true);
        }
        if self.kept < self.bred {
            return Ok(false);
        }
        // Manual births that came first belong to the new stage already, and join it as immigrants.
        self.pass_results_up_to(start);
        let config = self.config.stage(index);
        let founders = self.carried(index, &config)?;
        let first_generation = self.last_generation() + 1;
        if config.task != self.stage.config.task {
            self.champions.renew();
        }
        self.interventions.begin_stage(start);
        self.algorithm = config.algorithm(&founders);
        self.breeder = config.breeder();
        self.syllabus = Syllabus::new(config.task.clone());
        self.stage = CurrentStage { index, config, first_generation };
        Ok(true)
    }

    /// Generation of the latest birth of the algorithm.
    fn last_generation(&self) -> u64 {
        let number = self.interventions.number(self.bred).saturating_sub(1);
        self.stage.first_generation + self.algorithm.generation(number)
    }

    /// Generation and task of a manual birth: the current ones. At the end of a stage, before the next one has begun,
    /// the task is that of the next stage, which the birth belongs to.
    pub(super) fn conditions_of_manual_birth(&self) -> (u64, Arc<Task>) {
        let task = match self.config.stage_start(self.stage.index + 1) {
            start if start <= self.bred => Arc::new(self.config.stage(self.stage.index + 1).task.at_generation(0)),
            _ => Arc::clone(self.syllabus.task()),
        };
        (self.last_generation(), task)
    }

    /// Founders of a stage, from the stage before it.
    fn carried(&self, index: usize, config: &RunConfig) -> Result<Vec<Child>, RunError> {
        let carry = self.config.stages.get(index).map_or(Carry::Nothing, |stage| stage.carry);
        let births = self.config.stage_start(index - 1)..self.config.stage_start(index);
        let (room, removed) = (config.first_generation(), &self.interventions.removed);
        let ids = match carry {
            Carry::Nothing => Vec::new(),
            Carry::Best => self.archive.best_of(births, room, removed)?,
            Carry::Elites => self.archive.elites_of(births, room, removed)?,
            Carry::Champion => self.archive.best_of(births, 1, removed)?,
        };
        let mut founders = Vec::with_capacity(room);
        for id in ids {
            let genome = self.archive.individual(id)?.genome;
            founders.push(Child { genome, parents: vec![id], operator: Operator::Copy });
        }
        if carry == Carry::Champion
            && let Some(Child { genome, parents, .. }) = founders.first().cloned()
        {
            let mutant = |number| self.mutant(&config.breeder(), &genome, parents[0], number);
            founders.extend((1..room as u64).map(mutant));
        }
        Ok(founders)
    }

    fn mutant(&self, breeder: &Breeder, genome: &burgess_creature::AnyGenome, id: Id, number: u64) -> Child {
        let seed = mix_seed(self.config.seed, &[Purpose::Founders as u64, self.bred, number]);
        breeder.child_of(&[Parent { id, genome }], None, &mut Random::new(seed))
    }
}
