//! Evaluation: from a genome, a task and a seed to a fitness and all results. It is a pure function: the same bits on
//! every machine. Its budget is a number of steps, never a time.
//!
//! Several rules prevent a fitness without the task being done. Bodies settle with slack muscles and are brought to
//! rest before anything counts, so that falling over or rolling downhill scores nothing. Bodies whose parts still
//! overlap after settling are refused, so that nothing is gained by parts pushing each other apart. In a contest,
//! creatures beyond their starting line are refused. Creatures that become too fast, too high, too deep or not finite
//! are faulty. The fitness of unviable and faulty creatures is 0, and no fitness is less.
//!
//! ```
//! use burgess_creature::evaluation::evaluate;
//! use burgess_creature::task::Task;
//! use burgess_creature::{Random, Family, GenomeSettings};
//!
//! let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(1));
//! let task = Task { duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() };
//! let evaluation = evaluate(&genome, &task, 7);
//! assert_eq!(evaluation, evaluate(&genome, &task, 7));
//! println!("{}: {} m", evaluation.outcome.name(), evaluation.fitness);
//! ```

mod anatomy;
mod arena_marks;
mod audit;
mod conditions;
mod contest;
mod crowd;
mod descriptors;
mod early_stop;
mod episode;
mod gait;
mod matches;
mod outcome;
mod probe;
mod recorder;
mod refusals;
mod terrain;
mod trial;
mod trial_preview;
mod trial_result;
mod trial_scene;

use burgess_paradigms::Paradigm;
use burgess_scene::RunningScene;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::StateHash;
use serde::{Deserialize, Serialize};

use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::task::{Counts, Measures, Task};
use crate::viability::{Unviable, check as check_viability};

pub use audit::Audit;
pub(crate) use contest::meet;
pub use contest::{Decision, Side, evaluate_contest, evaluate_contest_of_phenotypes, evaluate_on_side};
pub use descriptors::Descriptors;
pub use episode::{Episode, EpisodeError, EpisodeSettings};
pub use matches::{MAX_PAIRS, MatchError, MatchResult, MatchSettings, MatchTrial, play_match};
pub use outcome::{FaultReason, Faulty, Outcome};
pub use trial_preview::TrialPreview;

use outcome::TrialFailure;
use trial::run_trial;
use trial_result::TrialResult;

/// The result of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// How the evaluation ended.
    pub outcome: Outcome,
    /// Fitness: the value of the task's formula, not negative; 0 unless scored.
    pub fitness: f64,
    /// Measures of the trial that counts, or the mean of all trials.
    pub measures: Measures,
    /// Descriptors of the trial that counts, or of the first.
    pub descriptors: Descriptors,
    /// All trials that were completed.
    pub trials: Vec<Trial>,
    /// Physics steps of all trials, including sub-steps.
    pub steps: u64,
    /// Simulated time of all trials, including settling, in s.
    pub seconds: f64,
    /// Recording of one trial, if requested: see [`burgess_scene::recording`].
    pub recording: Option<Vec<u8>>,
    /// Audit of all trials, if requested.
    pub audit: Option<Audit>,
}

/// The result of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Value of the task's formula, not negative.
    pub fitness: f64,
    /// Measures of the trial.
    pub measures: Measures,
    /// Descriptors of the creature.
    pub descriptors: Descriptors,
    /// Reason for an early stop, if there was one.
    pub stopped: Option<Stopped>,
    /// Simulated time, including settling, in s.
    pub seconds: f64,
    /// State hash of the simulation at the end.
    pub state_hash: u64,
}

/// The reason for an early stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// Nothing moved.
    Still,
    /// The creature made no progress.
    NoProgress,
}

/// Deviations from the task, and additional results.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EvaluationOptions {
    /// Physics step instead of the task's, in s.
    pub step: Option<f64>,
    /// Paradigm of the simulator instead of time stepping.
    pub paradigm: Option<Paradigm>,
    /// Recording to make.
    pub record: Option<Record>,
    /// Whether energy and momentum are audited.
    pub audit: bool,
    /// Whether trials are measured as if nothing moved after settling. The fitness is then that of standing still.
    pub motionless: bool,
}

/// Which trial to record, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Number of the trial, from 0.
    pub trial: u32,
    /// Frames per second.
    pub rate: f64,
}

impl Default for Record {
    fn default() -> Self {
        Self { trial: 0, rate: 60.0 }
    }
}

/// Called before a trial with its scene.
pub type Prepare<'a> = dyn FnMut(&SceneSpec, &mut RunningScene) + 'a;

/// Evaluates a genome.
pub fn evaluate(genome: &AnyGenome, task: &Task, seed: u64) -> Evaluation {
    evaluate_with(genome, task, seed, &EvaluationOptions::default())
}

/// Evaluates a genome with options.
pub fn evaluate_with(genome: &AnyGenome, task: &Task, seed: u64, options: &EvaluationOptions) -> Evaluation {
    if let Some(crowd) = &task.crowd {
        let AnyGenome::Tuning(genome) = genome else {
            let expected = crowd.tune.len();
            return Evaluation::without_score(Outcome::Unviable(Unviable::NotThatTuning { expected }), 0);
        };
        return crowd::evaluate_crowd(genome, crowd, (task, seed), options);
    }
    match genome.grow(&task.physiology) {
        Ok(phenotype) => evaluate_phenotype(&phenotype, task, seed, options),
        Err(unviable) => Evaluation::without_score(Outcome::Unviable(unviable), 0),
    }
}

/// Evaluates a phenotype. In a contest it meets its limp twin: the same body with slack muscles.
pub fn evaluate_phenotype(phenotype: &Phenotype, task: &Task, seed: u64, options: &EvaluationOptions) -> Evaluation {
    evaluate_moved(phenotype, task, seed, options, &mut |_, _| ())
}

/// Evaluates a phenotype. `prepare` is called before each trial with its scene, and may replace the time control of
/// the simulation, so that another simulator moves the bodies.
pub fn evaluate_moved(
    phenotype: &Phenotype,
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
    prepare: &mut Prepare,
) -> Evaluation {
    let mut steps = 0;
    let twin = task.contest.as_ref().map(|_| phenotype.limp());
    let creatures: Vec<&Phenotype> = [phenotype].into_iter().chain(&twin).collect();
    match run_trials(&creatures, task, seed, options, prepare, &mut steps) {
        Ok(results) => Evaluation::of_trials(results, 0, task, steps),
        Err(TrialFailure::Unviable(_, unviable)) => Evaluation::without_score(Outcome::Unviable(unviable), steps),
        Err(TrialFailure::Faulty(faulty)) => Evaluation::without_score(Outcome::Faulty(faulty), steps),
    }
}

fn run_trials(
    creatures: &[&Phenotype],
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
    prepare: &mut Prepare,
    steps: &mut u64,
) -> Result<Vec<TrialResult>, TrialFailure> {
    for (creature, one) in creatures.iter().enumerate() {
        check_viability(&one.body, &task.physiology.viability)
            .map_err(|unviable| TrialFailure::Unviable(creature, unviable))?;
    }
    let mut all = Vec::new();
    for number in 0..task.trials.count {
        let result = run_trial(creatures, (task, seed, number), options, prepare, steps)?;
        let fails = (0..creatures.len()).all(|creature| result.score(creature, task) < task.trials.pass);
        all.push(result);
        if fails {
            break;
        }
    }
    Ok(all)
}

impl Evaluation {
    fn without_score(outcome: Outcome, steps: u64) -> Self {
        Self {
            outcome,
            fitness: 0.0,
            measures: Measures::default(),
            descriptors: Descriptors::default(),
            trials: Vec::new(),
            steps,
            seconds: 0.0,
            recording: None,
            audit: None,
        }
    }

    fn of_trials(results: Vec<TrialResult>, creature: usize, task: &Task, steps: u64) -> Self {
        let mut recording = None;
        let mut audit: Option<Audit> = None;
        let mut trials = Vec::with_capacity(results.len());
        for one in results {
            let fitness = one.score(creature, task);
            recording = recording.or(one.recording);
            if let Some(trial_audit) = one.audit {
                audit = Some(audit.map_or(trial_audit, |others| others.combined(&trial_audit)));
            }
            let (measures, descriptors) = one.creatures[creature].clone();
            let (stopped, seconds, state_hash) = (one.stopped, one.seconds, one.state_hash);
            trials.push(Trial { fitness, measures, descriptors, stopped, seconds, state_hash });
        }
        let lowest = trials.iter().min_by(|a, b| a.fitness.total_cmp(&b.fitness));
        let counted = match task.trials.counts {
            Counts::Lowest => lowest,
            Counts::Mean => trials.first(),
        };
        let Some(counted) = counted.cloned() else {
            return Self::without_score(Outcome::Scored, steps);
        };
        let (fitness, measures) = match task.trials.counts {
            Counts::Lowest => (counted.fitness, counted.measures),
            Counts::Mean => {
                let sum: f64 = trials.iter().map(|trial| trial.fitness).sum();
                (sum / trials.len() as f64, Measures::mean(trials.iter().map(|trial| &trial.measures)))
            }
        };
        let seconds = trials.iter().map(|trial| trial.seconds).sum();
        let descriptors = counted.descriptors;
        Self { outcome: Outcome::Scored, fitness, measures, descriptors, trials, steps, seconds, recording, audit }
    }

    /// Returns a hash of all numbers of the evaluation. Recordings are not included.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::default();
        match &self.outcome {
            Outcome::Scored => hash.word(0),
            Outcome::Unviable(unviable) => {
                hash.word(1);
                add_text(&mut hash, &unviable.to_string());
            }
            Outcome::Faulty(faulty) => {
                hash.word(2);
                add_text(&mut hash, &faulty.message);
                hash.number(faulty.time);
                hash.word(u64::from(faulty.trial));
            }
        }
        hash.number(self.fitness);
        add_measures(&mut hash, &self.measures);
        add_descriptors(&mut hash, &self.descriptors);
        for trial in &self.trials {
            hash.number(trial.fitness);
            add_measures(&mut hash, &trial.measures);
            add_descriptors(&mut hash, &trial.descriptors);
            hash.word(match trial.stopped {
                None => 0,
                Some(Stopped::Still) => 1,
                Some(Stopped::NoProgress) => 2,
            });
            hash.number(trial.seconds);
            hash.word(trial.state_hash);
        }
        hash.word(self.steps);
        hash.number(self.seconds);
        hash.finish()
    }
}

fn add_text(hash: &mut StateHash, text: &str) {
    hash.word(text.len() as u64);
    text.bytes().for_each(|byte| hash.word(u64::from(byte)));
}

/// Adds measures. One that was added later counts only where it is not 0.
fn add_measures(hash: &mut StateHash, own: &Measures) {
    for (measure, value) in own.stored() {
        if !measure.is_always_stored() {
            hash.word(measure as u64);
        }
        hash.number(value);
    }
}

fn add_descriptors(hash: &mut StateHash, own: &Descriptors) {
    hash.word(own.parts as u64);
    hash.word(own.active_joints as u64);
    hash.numbers(&[own.height, own.mass, own.gait_frequency, own.straightness]);
    hash.numbers(&own.duty_factors);
}
