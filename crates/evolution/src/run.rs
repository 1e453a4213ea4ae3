//! The run: births in order, results put in order, the archive. Reads like the loop of any evolutionary algorithm, and is the
//! same for all.
//!
//! Evaluations end in any order, yet nothing depends on it: results are kept in the order of births, and before a birth the
//! algorithm is told exactly the results that it [needs](Algorithm::needs), even if more have come in. So a run is a function of
//! its configuration and founders alone, and one that was cut off is taken up by doing all again, with results
//! from the archive instead of evaluations.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use burgess_creature::Dice;
use burgess_creature::dice::mixed;
use burgess_creature::task::Task;

use crate::algorithm::Algorithm;
use crate::archive::{Archive, ArchiveError, Entry};
use crate::config::RunConfig;
use crate::error::RunError;
use crate::evaluator::{Evaluator, Job};
use crate::individual::{Birth, Id, Learned};
use crate::result::{Ending, Evaluated};
use crate::syllabus::Syllabus;

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
    /// Results in the archive so far, in order.
    kept: Id,
    /// Bred and not kept yet, each with what it has to do.
    births: BTreeMap<Id, (Birth, Arc<Task>)>,
    /// Evaluated ahead of their turn.
    waiting: BTreeMap<Id, Evaluated>,
    /// Kept and not told to the algorithm yet.
    untold: VecDeque<Learned>,
    /// What the present generation has to do.
    syllabus: Syllabus,
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

/// Whoever looks on while a run goes.
pub trait Onlooker {
    /// A result was kept.
    fn hears(&mut self, news: &News);

    /// Is the run to go on? Asked several times a second.
    fn goes_on(&mut self) -> bool {
        true
    }
}

impl<F: FnMut(&News)> Onlooker for F {
    fn hears(&mut self, news: &News) {
        self(news);
    }
}

impl Run {
    /// Of an archive, from the beginning; what the archive knows already is not evaluated again.
    pub fn new(archive: Archive) -> Result<Self, RunError> {
        let config = archive.config()?;
        config.check().map_err(|error| archive.damaged(None, error.to_string()))?;
        let algorithm = config.algorithm(&archive.founders()?);
        let syllabus = Syllabus::new(config.task.clone());
        Ok(Self {
            config,
            algorithm,
            archive,
            bred: 0,
            kept: 0,
            births: BTreeMap::new(),
            waiting: BTreeMap::new(),
            untold: VecDeque::new(),
            syllabus,
        })
    }

    /// How it was set up.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// What has been kept.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Ends the work on it.
    pub fn into_archive(self) -> Archive {
        self.archive
    }

    /// Is everybody evaluated?
    pub fn is_done(&self) -> bool {
        self.kept >= self.config.evaluations
    }

    /// Goes on until everybody is evaluated or whoever looks on wants no more.
    pub fn advance(&mut self, evaluator: &mut dyn Evaluator, onlooker: &mut dyn Onlooker) -> Result<(), RunError> {
        while !self.is_done() && onlooker.goes_on() {
            self.give_birth(evaluator)?;
            if !self.waiting.contains_key(&self.kept)
                && let Some((id, result)) = evaluator.next()?
                && self.births.contains_key(&id)
            {
                self.waiting.insert(id, result);
            }
            while let Some(result) = self.waiting.remove(&self.kept) {
                self.keep(result, onlooker)?;
            }
        }
        Ok(())
    }

    /// Breeds all that may be bred, and hands it out; what the archive knows is not evaluated again.
    fn give_birth(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), RunError> {
        let room = evaluator.capacity().max(1);
        while self.bred < self.config.evaluations && self.births.len() - self.waiting.len() < room {
            let id = self.bred;
            let generation = self.algorithm.generation(id);
            let needs = if self.syllabus.awaits(generation) { id } else { self.algorithm.needs(id) };
            if needs > self.kept {
                break;
            }
            self.tell_up_to(needs);
            self.bred += 1;
            if self.syllabus.enter(generation) {
                self.algorithm.renew();
            }
            let birth = self.algorithm.breed(id, &mut Dice::new(self.seed(Purpose::Breeding, id)));
            let task = Arc::clone(self.syllabus.task());
            match self.archive.result(id, &birth)? {
                Some(known) => {
                    self.waiting.insert(id, known);
                }
                None => evaluator.submit(self.job(id, &birth, &task))?,
            }
            self.births.insert(id, (birth, task));
        }
        Ok(())
    }

    /// Tells the algorithm results until it knows so many.
    fn tell_up_to(&mut self, needs: u64) {
        while self.untold.front().is_some_and(|result| result.id < needs) {
            if let Some(result) = self.untold.pop_front() {
                self.syllabus.learn(result.scored.then_some(result.fitness));
                self.algorithm.learn(result.id, result);
            }
        }
    }

    /// Keeps the next result, and shows it to whoever looks on.
    fn keep(&mut self, result: Evaluated, onlooker: &mut dyn Onlooker) -> Result<(), RunError> {
        let id = self.kept;
        let Some((birth, task)) = self.births.remove(&id) else { return Err(ArchiveError::OutOfOrder(id).into()) };
        let generation = self.algorithm.generation(id);
        let seed = self.evaluation_seed(id);
        let entry = Entry { id, generation, seed, parameters: &task.parameters, birth: &birth, result: &result };
        let is_new = self.archive.append(&entry)?;
        self.kept += 1;
        onlooker.hears(&News { id, generation, birth: &birth, result: &result, is_new });
        self.untold.push_back(Learned {
            id,
            genome: birth.genome,
            scored: result.outcome == Ending::Scored,
            fitness: result.fitness,
            descriptors: result.descriptors,
        });
        Ok(())
    }

    fn job(&self, id: Id, birth: &Birth, task: &Arc<Task>) -> Job {
        let opponent = birth.opponent.as_ref().map(|(_, genome)| genome.clone());
        Job { id, genome: birth.genome.clone(), opponent, task: Arc::clone(task), seed: self.evaluation_seed(id) }
    }

    fn evaluation_seed(&self, id: Id) -> u64 {
        self.seed(Purpose::Evaluation, if self.config.same_conditions { 0 } else { id })
    }

    fn seed(&self, purpose: Purpose, id: Id) -> u64 {
        mixed(self.config.seed, &[purpose as u64, id])
    }
}
