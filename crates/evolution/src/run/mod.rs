//! The run: the loop of an evolutionary algorithm, the same for all algorithms.
//!
//! Evaluations end in any order, but nothing depends on that order: results are recorded in the order of births, and
//! before a birth the algorithm receives exactly the results that it [needs](Algorithm::needs), even if more have
//! arrived. So a run is a function of its configuration, its founders and its [interventions](crate::Intervention).
//! To resume an interrupted run, all births are repeated, with results from the archive instead of evaluations.

mod intervention_state;
mod interventions;
mod racing;
mod retests;
mod stage;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use burgess_creature::evaluation::Side;
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_creature::{Family, Random};

use crate::algorithm::Algorithm;
use crate::archive::{Archive, ArchiveError, Entry};
use crate::breeder::Breeder;
use crate::champions::Champions;
use crate::config::RunConfig;
use crate::error::RunError;
use crate::evaluator::{Evaluator, Job, POLL_INTERVAL};
use crate::individual::{Birth, EvaluatedIndividual, Id, Operator};
use crate::intervention::QueuedIntervention;
use crate::result::{EvaluationResult, OutcomeKind};
use crate::syllabus::Syllabus;
use intervention_state::InterventionState;
use stage::CurrentStage;

/// Purposes of random numbers. Each has its own stream.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Breeding = 1,
    Evaluation = 2,
    Favour = 3,
    Founders = 4,
}

/// A run in progress.
pub struct Run {
    config: RunConfig,
    stage: CurrentStage,
    breeder: Breeder,
    /// Families of all genomes in the run.
    families: BTreeSet<Family>,
    algorithm: Box<dyn Algorithm>,
    archive: Archive,
    /// Number of births so far.
    bred: Id,
    /// Number of results recorded so far.
    kept: Id,
    /// Individuals that are bred and whose results are not recorded yet.
    births: BTreeMap<Id, Born>,
    /// Jobs that were created during a pause.
    held: Vec<Job>,
    /// Results that arrived before those of earlier births.
    waiting: BTreeMap<Id, EvaluationResult>,
    /// Results in the archive that the algorithm has not received yet.
    pending_results: VecDeque<EvaluatedIndividual>,
    /// Task of the current generation.
    syllabus: Syllabus,
    champions: Champions,
    interventions: InterventionState,
}

/// An individual that is bred, and its task.
#[derive(Debug)]
struct Born {
    birth: Birth,
    generation: u64,
    task: Arc<Task>,
}

/// A result that was just recorded. The observer gets them in the order of births.
#[derive(Debug)]
pub struct RecordedResult<'a> {
    /// Id of the individual.
    pub id: Id,
    /// Generation of the individual.
    pub generation: u64,
    /// Genome and origin of the individual.
    pub birth: &'a Birth,
    /// Result of its evaluation.
    pub result: &'a EvaluationResult,
    /// Whether it was evaluated now. Otherwise the result was in the archive already.
    pub is_new: bool,
    /// Number of individuals that the run evaluates in all. An intervention may change it.
    pub evaluations: u64,
}

/// Observes a run and controls it. All methods but the first have defaults.
pub trait Observer {
    /// Called for every result that is recorded.
    fn on_result(&mut self, recorded: &RecordedResult);

    /// Returns whether the run should continue. Called several times a second.
    fn should_continue(&mut self) -> bool {
        true
    }

    /// Returns whether the run is paused. During a pause no new evaluation starts, but interventions are handled.
    fn is_paused(&mut self) -> bool {
        false
    }

    /// Returns the next requested intervention, if any. Called several times a second, once the run has repeated what
    /// is in its file.
    fn next_intervention(&mut self) -> Option<QueuedIntervention> {
        None
    }
}

impl<F: FnMut(&RecordedResult)> Observer for F {
    fn on_result(&mut self, recorded: &RecordedResult) {
        self(recorded);
    }
}

impl Run {
    /// Creates a run from an archive. Individuals that the archive contains are not evaluated again.
    pub fn new(archive: Archive) -> Result<Self, RunError> {
        let config = archive.config()?;
        config.check().map_err(|error| archive.damaged(None, error.to_string()))?;
        let founders = archive.founders()?;
        let families = founders.iter().map(|founder| founder.genome.family()).chain([config.family]).collect();
        let pending = archive.interventions().map(|(at, what)| (at, what.clone())).collect();
        let stage = CurrentStage::first(&config);
        Ok(Self {
            algorithm: stage.config.algorithm(&founders),
            breeder: stage.config.breeder(),
            families,
            syllabus: Syllabus::new(stage.config.task.clone()),
            stage,
            champions: Champions::new(config.champions),
            config,
            archive,
            bred: 0,
            kept: 0,
            births: BTreeMap::new(),
            held: Vec::new(),
            waiting: BTreeMap::new(),
            pending_results: VecDeque::new(),
            interventions: InterventionState::new(pending),
        })
    }

    /// Configuration of the run.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Archive of the run.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Ends the run and returns its archive.
    pub fn into_archive(self) -> Archive {
        self.archive
    }

    /// Returns whether all evaluations are done.
    pub fn is_done(&self) -> bool {
        self.kept >= self.config.evaluations
    }

    /// Runs until all evaluations are done or the observer stops it.
    pub fn advance(&mut self, evaluator: &mut dyn Evaluator, observer: &mut dyn Observer) -> Result<(), RunError> {
        while !self.is_done() && observer.should_continue() {
            self.handle_requests(observer)?;
            let is_paused = observer.is_paused();
            if !is_paused {
                self.held.drain(..).try_for_each(|job| evaluator.submit(job))?;
                self.breed(evaluator)?;
            }
            if is_paused && self.in_flight() == 0 {
                std::thread::sleep(POLL_INTERVAL / 4);
            } else if !self.waiting.contains_key(&self.kept)
                && let Some((id, result)) = evaluator.next()?
                && self.births.contains_key(&id)
            {
                self.waiting.insert(id, result);
            }
            while let Some(result) = self.waiting.remove(&self.kept) {
                self.record(result, observer)?;
            }
        }
        Ok(())
    }

    /// Number of evaluations that were submitted and are not finished.
    fn in_flight(&self) -> usize {
        self.births.len() - self.waiting.len() - self.held.len()
    }

    /// Breeds until the evaluator is full or more results are needed, and applies recorded interventions on the way.
    fn breed(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), RunError> {
        let capacity = evaluator.capacity().max(1);
        loop {
            let bred = match self.interventions.due(self.bred) {
                Some(what) if what.names().iter().any(|id| *id >= self.kept) => return Ok(()),
                Some(what) if what.is_birth() && self.bred >= self.config.evaluations => return Ok(()),
                Some(_) => self.apply_next_recorded()?,
                None if self.bred >= self.config.evaluations || self.in_flight() >= capacity => return Ok(()),
                None => match self.next_birth()? {
                    None => return Ok(()),
                    born => born,
                },
            };
            if let Some(job) = bred.map(|born| self.enter(born)).transpose()?.flatten() {
                evaluator.submit(job)?;
            }
        }
    }

    /// Breeds the next individual, by the algorithm or from favourites, unless more results are needed first.
    fn next_birth(&mut self) -> Result<Option<Born>, RunError> {
        let id = self.bred;
        if !self.enter_stage()? {
            return Ok(None);
        }
        if self.is_retest_due() {
            let needs = self.results_before_retest();
            if needs > self.kept {
                return Ok(None);
            }
            self.pass_results_up_to(needs);
            if let Some(born) = self.retest() {
                return Ok(Some(born));
            }
        }
        if let Some(child) = self.favoured() {
            return Ok(Some(self.manual_birth(child)));
        }
        let number = self.interventions.number(id);
        let generation = self.algorithm.generation(number);
        let awaits = self.syllabus.awaits(generation);
        let needs = if awaits { id } else { self.interventions.results_needed(self.algorithm.needs(number)) };
        if needs > self.kept {
            return Ok(None);
        }
        self.pass_results_up_to(needs);
        if self.syllabus.enter(generation) {
            self.algorithm.renew();
            self.champions.renew();
        }
        let mut birth = self.algorithm.breed(number, &mut self.dice(Purpose::Breeding));
        // An individual that a stage carried over may have been removed since.
        if birth.parents.iter().any(|parent| self.interventions.removed.contains(parent)) {
            birth = Birth::of(self.breeder.random(&mut self.dice(Purpose::Breeding)));
        }
        let generation = self.stage.first_generation + generation;
        let task = self.task_of_birth(&birth)?;
        Ok(Some(Born { birth, generation, task }))
    }

    /// Gives an individual the next id. Returns its job unless the archive has its result.
    fn enter(&mut self, born: Born) -> Result<Option<Job>, RunError> {
        let id = self.bred;
        self.bred += 1;
        let known = self.archive.result(id, &born.birth)?;
        let job = known.is_none().then(|| self.job(id, &born));
        self.waiting.extend(known.map(|result| (id, result)));
        self.births.insert(id, born);
        Ok(job)
    }

    /// Passes the first `needs` results to the algorithm.
    fn pass_results_up_to(&mut self, needs: Id) {
        while self.pending_results.front().is_some_and(|result| result.id < needs) {
            let Some(mut result) = self.pending_results.pop_front() else { return };
            if self.champions.is_retest(result.id) {
                self.champions.record_retest(result.id, result.scored.then_some(result.fitness));
                continue;
            }
            result.scored &= !self.interventions.removed.contains(&result.id);
            self.champions.record_individual(&result);
            if !self.interventions.is_manual_birth(result.id) {
                self.syllabus.record_result(result.scored.then_some(result.fitness));
                self.algorithm.record_result(self.interventions.number(result.id), result);
            } else if result.scored {
                self.algorithm.add_immigrant(result);
            }
        }
    }

    /// Records the next result and passes it to the observer.
    fn record(&mut self, result: EvaluationResult, observer: &mut dyn Observer) -> Result<(), RunError> {
        let id = self.kept;
        let Some(born) = self.births.remove(&id) else { return Err(ArchiveError::OutOfOrder(id).into()) };
        let Born { birth, generation, task } = born;
        let seed = self.evaluation_seed(id, &birth);
        let entry = Entry { id, generation, seed, parameters: &task.parameters, birth: &birth, result: &result };
        let is_new = self.archive.append(&entry)?;
        self.kept += 1;
        let evaluations = self.config.evaluations;
        observer.on_result(&RecordedResult { id, generation, birth: &birth, result: &result, is_new, evaluations });
        self.pending_results.push_back(EvaluatedIndividual {
            id,
            genome: birth.genome,
            scored: result.outcome == OutcomeKind::Scored,
            fitness: result.fitness,
            descriptors: result.named_values(),
        });
        Ok(())
    }

    fn job(&self, id: Id, Born { birth, task, .. }: &Born) -> Job {
        Job {
            id,
            genome: birth.genome.clone(),
            side: birth.side.unwrap_or(Side::First),
            opponents: birth.opponents.iter().map(|(_, genome)| genome.clone()).collect(),
            task: Arc::clone(task),
            seed: self.evaluation_seed(id, birth),
        }
    }

    /// Seed of an evaluation. A retest always has new conditions.
    fn evaluation_seed(&self, id: Id, birth: &Birth) -> u64 {
        let is_shared = self.config.same_conditions && birth.operator != Operator::Retest;
        self.seed(Purpose::Evaluation, if is_shared { 0 } else { id })
    }

    /// Random numbers of the next birth.
    fn dice(&self, purpose: Purpose) -> Random {
        Random::new(self.seed(purpose, self.bred))
    }

    fn seed(&self, purpose: Purpose, id: Id) -> u64 {
        mix_seed(self.config.seed, &[purpose as u64, id])
    }
}
