//! The run: births in order, results put in order, the archive. Reads like the loop of any evolutionary algorithm, and is the same for all.

use std::collections::BTreeMap;
use std::sync::Arc;

use burgess_creature::Dice;
use burgess_creature::dice::mixed;
use burgess_creature::task::Task;

use crate::algorithm::Algorithm;
use crate::archive::{Archive, ArchiveError, Entry};
use crate::breeder::Child;
use crate::config::RunConfig;
use crate::error::RunError;
use crate::evaluator::{Evaluator, Job};
use crate::individual::{Birth, Id, Learned};
use crate::result::{Ending, Evaluated};

/// What random numbers are for: one stream for each purpose.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Breeding = 1,
    Evaluation = 2,
}

/// A run under way.
pub struct Run {
    config: RunConfig,
    algorithm: Box<dyn Algorithm>,
    archive: Archive,
    /// Births so far.
    bred: Id,
    /// Results told so far, in order.
    told: Id,
    /// Bred and not told yet.
    births: BTreeMap<Id, Birth>,
    /// Evaluated ahead of their turn.
    waiting: BTreeMap<Id, Evaluated>,
    /// The task of a generation, so that it is not made for each birth.
    lesson: Option<(u64, Arc<Task>)>,
}

/// Told to whoever looks on, result by result in order.
#[derive(Debug)]
pub struct News<'a> {
    /// Of the individual.
    pub id: Id,
    /// Of the individual.
    pub generation: u64,
    /// What was born.
    pub birth: &'a Birth,
    /// What became of it.
    pub result: &'a Evaluated,
    /// Was it evaluated just now, and not long ago?
    pub is_new: bool,
}

impl Run {
    /// From the beginning.
    pub fn begin(config: RunConfig, archive: Archive, founders: &[Child]) -> Self {
        let algorithm = config.algorithm(founders);
        Self {
            config,
            algorithm,
            archive,
            bred: 0,
            told: 0,
            births: BTreeMap::new(),
            waiting: BTreeMap::new(),
            lesson: None,
        }
    }

    /// How it was set up.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// What has been kept.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Goes on until everybody is evaluated or `go_on` says no after a result.
    pub fn advance(
        &mut self,
        evaluator: &mut dyn Evaluator,
        mut go_on: impl FnMut(&News) -> bool,
    ) -> Result<(), RunError> {
        while self.told < self.config.evaluations {
            self.give_birth(evaluator)?;
            if !self.waiting.contains_key(&self.told) {
                let (id, result) = evaluator.next()?;
                self.waiting.insert(id, result);
            }
            while let Some(result) = self.waiting.remove(&self.told) {
                if !self.tell(result, &mut go_on)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Breeds all that may be bred, and hands it out; what the archive knows is not evaluated again.
    fn give_birth(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), RunError> {
        let room = evaluator.capacity().max(1);
        while self.bred < self.config.evaluations
            && self.births.len() < room
            && self.algorithm.needs(self.bred) <= self.told
        {
            let id = self.bred;
            self.bred += 1;
            let birth = self.algorithm.breed(id, &mut self.dice(Purpose::Breeding, id));
            match self.archive.result(id, &birth)? {
                Some(known) => {
                    self.waiting.insert(id, known);
                }
                None => evaluator.submit(self.job(id, &birth))?,
            }
            self.births.insert(id, birth);
        }
        Ok(())
    }

    /// Keeps the next result and tells it to the algorithm and to whoever looks on.
    fn tell(&mut self, result: Evaluated, go_on: &mut impl FnMut(&News) -> bool) -> Result<bool, RunError> {
        let id = self.told;
        let Some(birth) = self.births.remove(&id) else { return Err(RunError::Archive(ArchiveError::OutOfOrder(id))) };
        let generation = self.algorithm.generation(id);
        let seed = self.seed(Purpose::Evaluation, id);
        let is_new = self.archive.append(&Entry { id, generation, seed, birth: &birth, result: &result })?;
        self.told += 1;
        let wanted = go_on(&News { id, generation, birth: &birth, result: &result, is_new });
        self.algorithm.learn(
            id,
            Learned {
                id,
                genome: birth.genome,
                scored: result.outcome == Ending::Scored,
                fitness: result.fitness,
                descriptors: result.descriptors,
            },
        );
        Ok(wanted)
    }

    fn job(&mut self, id: Id, birth: &Birth) -> Job {
        let generation = self.algorithm.generation(id);
        let task = match &self.lesson {
            Some((of, task)) if *of == generation => Arc::clone(task),
            _ => Arc::new(self.config.task.at_generation(generation)),
        };
        self.lesson = Some((generation, Arc::clone(&task)));
        let opponent = birth.opponent.as_ref().map(|(_, genome)| genome.clone());
        Job { id, genome: birth.genome.clone(), opponent, task, seed: self.seed(Purpose::Evaluation, id) }
    }

    fn seed(&self, purpose: Purpose, id: Id) -> u64 {
        mixed(self.config.seed, &[purpose as u64, id])
    }

    fn dice(&self, purpose: Purpose, id: Id) -> Dice {
        Dice::new(self.seed(purpose, id))
    }
}
