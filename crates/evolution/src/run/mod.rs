//! The run: births in order, results put in order, the archive. Reads like the loop of any evolutionary algorithm, and is the
//! same for all.
//!
//! Evaluations end in any order, yet nothing depends on it: results are kept in the order of births, and before a birth the
//! algorithm is told exactly the results that it [needs](Algorithm::needs), even if more have come in. So a run is a function of
//! its configuration, its founders and what a person [did to it](crate::Intervention), and one that was cut off is taken up by doing all again,
//! with results from the archive instead of evaluations.

mod by_hand;
mod steered;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_creature::{Family, Random};

use crate::algorithm::Algorithm;
use crate::archive::{Archive, ArchiveError, Entry};
use crate::breeder::Breeder;
use crate::config::RunConfig;
use crate::error::RunError;
use crate::evaluator::{Evaluator, Job, MOMENT};
use crate::individual::{Birth, Id, Learned};
use crate::result::{Ending, Evaluated};
use crate::steering::Request;
use crate::syllabus::Syllabus;
use by_hand::ByHand;

/// What random numbers are for: one stream for each purpose.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Breeding = 1,
    Evaluation = 2,
    Favour = 3,
}

/// A run under way.
pub struct Run {
    config: RunConfig,
    breeder: Breeder,
    /// Of all genomes that have been asked for.
    families: BTreeSet<Family>,
    algorithm: Box<dyn Algorithm>,
    archive: Archive,
    /// Births so far.
    bred: Id,
    /// Results in the archive so far, in order.
    kept: Id,
    /// Bred and not kept yet.
    births: BTreeMap<Id, Born>,
    /// Bred during a pause.
    held: Vec<Job>,
    /// Evaluated ahead of their turn.
    waiting: BTreeMap<Id, Evaluated>,
    /// Kept and not told to the algorithm yet.
    untold: VecDeque<Learned>,
    /// What the present generation has to do.
    syllabus: Syllabus,
    by_hand: ByHand,
}

/// Somebody who is bred, and what it has to do.
#[derive(Debug)]
struct Born {
    birth: Birth,
    generation: u64,
    task: Arc<Task>,
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
    /// How many the run is to have in the end; a person may change it.
    pub evaluations: u64,
}

/// Whoever looks on while a run goes.
pub trait Onlooker {
    /// A result was kept.
    fn hears(&mut self, news: &News);

    /// Is the run to go on? Asked several times a second.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Is nothing new to be evaluated for now? Requests are answered meanwhile.
    fn is_paused(&mut self) -> bool {
        false
    }

    /// The next thing that a person wants to be done, if any. Asked several times a second, once the run has caught up with its file.
    fn request(&mut self) -> Option<Request> {
        None
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
        let founders = archive.founders()?;
        let families = founders.iter().map(|founder| founder.genome.family()).chain([config.family]).collect();
        let pending = archive.interventions().map(|(at, what)| (at, what.clone())).collect();
        Ok(Self {
            algorithm: config.algorithm(&founders),
            breeder: config.breeder(),
            families,
            syllabus: Syllabus::new(config.task.clone()),
            config,
            archive,
            bred: 0,
            kept: 0,
            births: BTreeMap::new(),
            held: Vec::new(),
            waiting: BTreeMap::new(),
            untold: VecDeque::new(),
            by_hand: ByHand::new(pending),
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
            self.listen(onlooker)?;
            let is_paused = onlooker.is_paused();
            if !is_paused {
                self.held.drain(..).try_for_each(|job| evaluator.submit(job))?;
                self.give_birth(evaluator)?;
            }
            if is_paused && self.under_way() == 0 {
                std::thread::sleep(MOMENT / 4);
            } else if !self.waiting.contains_key(&self.kept)
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

    /// How many evaluations have been asked for and not answered.
    fn under_way(&self) -> usize {
        self.births.len() - self.waiting.len() - self.held.len()
    }

    /// Does again what a person did, breeds all that may be bred, and hands it out.
    fn give_birth(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), RunError> {
        let room = evaluator.capacity().max(1);
        loop {
            let bred = match self.by_hand.due(self.bred) {
                Some(what) if what.names().iter().any(|id| *id >= self.kept) => return Ok(()),
                Some(what) if what.is_birth() && self.bred >= self.config.evaluations => return Ok(()),
                Some(_) => self.do_again()?,
                None if self.bred >= self.config.evaluations || self.under_way() >= room => return Ok(()),
                None => match self.next_birth() {
                    None => return Ok(()),
                    born => born,
                },
            };
            if let Some(job) = bred.map(|born| self.enter(born)).transpose()?.flatten() {
                evaluator.submit(job)?;
            }
        }
    }

    /// By the algorithm or of favourites, unless more results have to come in first.
    fn next_birth(&mut self) -> Option<Born> {
        let id = self.bred;
        if let Some(child) = self.favoured() {
            return Some(self.born_by_hand(child));
        }
        let number = self.by_hand.number(id);
        let generation = self.algorithm.generation(number);
        let awaits = self.syllabus.awaits(generation);
        let needs = if awaits { id } else { self.by_hand.told_before(self.algorithm.needs(number)) };
        if needs > self.kept {
            return None;
        }
        self.tell_up_to(needs);
        if self.syllabus.enter(generation) {
            self.algorithm.renew();
        }
        let birth = self.algorithm.breed(number, &mut self.dice(Purpose::Breeding));
        Some(Born { birth, generation, task: Arc::clone(self.syllabus.task()) })
    }

    /// Gives somebody the next number. There is nothing to do if the archive knows what became of it.
    fn enter(&mut self, born: Born) -> Result<Option<Job>, RunError> {
        let id = self.bred;
        self.bred += 1;
        let known = self.archive.result(id, &born.birth)?;
        let job = known.is_none().then(|| self.job(id, &born));
        self.waiting.extend(known.map(|result| (id, result)));
        self.births.insert(id, born);
        Ok(job)
    }

    /// Tells the algorithm results until it knows so many.
    fn tell_up_to(&mut self, needs: Id) {
        while self.untold.front().is_some_and(|result| result.id < needs) {
            let Some(mut result) = self.untold.pop_front() else { return };
            result.scored &= !self.by_hand.removed.contains(&result.id);
            if !self.by_hand.is_birth(result.id) {
                self.syllabus.learn(result.scored.then_some(result.fitness));
                self.algorithm.learn(self.by_hand.number(result.id), result);
            } else if result.scored {
                self.algorithm.welcome(result);
            }
        }
    }

    /// Keeps the next result, and shows it to whoever looks on.
    fn keep(&mut self, result: Evaluated, onlooker: &mut dyn Onlooker) -> Result<(), RunError> {
        let id = self.kept;
        let Some(born) = self.births.remove(&id) else { return Err(ArchiveError::OutOfOrder(id).into()) };
        let Born { birth, generation, task } = born;
        let seed = self.evaluation_seed(id);
        let entry = Entry { id, generation, seed, parameters: &task.parameters, birth: &birth, result: &result };
        let is_new = self.archive.append(&entry)?;
        self.kept += 1;
        let evaluations = self.config.evaluations;
        onlooker.hears(&News { id, generation, birth: &birth, result: &result, is_new, evaluations });
        self.untold.push_back(Learned {
            id,
            genome: birth.genome,
            scored: result.outcome == Ending::Scored,
            fitness: result.fitness,
            descriptors: result.descriptors,
        });
        Ok(())
    }

    fn job(&self, id: Id, Born { birth, task, .. }: &Born) -> Job {
        let opponent = birth.opponent.as_ref().map(|(_, genome)| genome.clone());
        Job { id, genome: birth.genome.clone(), opponent, task: Arc::clone(task), seed: self.evaluation_seed(id) }
    }

    fn evaluation_seed(&self, id: Id) -> u64 {
        self.seed(Purpose::Evaluation, if self.config.same_conditions { 0 } else { id })
    }

    /// Of the next birth.
    fn dice(&self, purpose: Purpose) -> Random {
        Random::new(self.seed(purpose, self.bred))
    }

    fn seed(&self, purpose: Purpose, id: Id) -> u64 {
        mix_seed(self.config.seed, &[purpose as u64, id])
    }
}
