//! Tasks: what creatures are bred for, as a few lines of configuration over common [measures](Measure).
//!
//! A task is plain data, created in Rust or read from TOML. Its fitness is a [`Formula`] over the measures of a trial
//! and the task's own parameters. The arena may use the parameters, too, so that a syllabus can make the task harder
//! from generation to generation. Built-in tasks: [`Task::presets`].
//!
//! ```
//! use burgess_creature::task::Task;
//!
//! let text = "
//! name = 'tiptoe'
//! fitness = 'steady_distance * clamp(mean_trunk_height / length, 0, 1)'
//! duration = 8
//! ";
//! let task = Task::from_toml(text, "tiptoe.toml").unwrap();
//! assert_eq!(task.settle, 2.0);
//!
//! let error = Task::from_toml(&text.replace("length", "lenth"), "tiptoe.toml").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "tiptoe.toml:3: fitness: column 45: unknown name 'lenth'; did you mean 'length'?"
//! );
//! ```

mod amount;
mod check;
mod crowd;
mod measure;
mod measures;
mod presets;
mod rules;
mod surroundings;

use std::collections::BTreeMap;

use burgess_files::{FileError, read_toml};
use burgess_simulation::{EventKind, Simulation};
use serde::{Deserialize, Serialize};

use crate::physiology::Physiology;

pub use amount::{Amount, Parameters};
pub use burgess_formula::{Formula, FormulaError};
pub(crate) use check::{MAX_PLACES, MAX_STAIRS, MAX_TRIAL_TIME};
pub(crate) use crowd::crowd_of;
pub use crowd::{CrowdTask, LineSpec, TunedNumber};
pub use measure::{Availability, Measure};
pub use measures::Measures;
pub use presets::UnknownTask;
pub use rules::{Counts, Lesson, Limits, Start, Stop, Trials, Variation};
pub use surroundings::{Arena, Ball, BallFrom, Contest, Ground, Rough, Stairs, TargetKind, TargetSpec, Water};

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Task {
    /// Name.
    pub name: String,
    /// One-sentence description.
    pub description: String,
    /// Fitness over measures and parameters. Negative values count as 0, so that a creature that was tried is never
    /// worse than one that could not be.
    pub fitness: Formula,
    /// Duration of settling before each trial, in s. Muscles are slack meanwhile, and all velocities are set to zero
    /// afterwards. The default is 2.
    pub settle: f64,
    /// Duration of a trial without settling, in s. The default is 10.
    pub duration: f64,
    /// Time from the start of muscle activity to the start of the steady measures, in s. The default is 2.
    pub transient: f64,
    /// Time step of the physics, in s. The default is 1/240.
    pub step: f64,
    /// Names of measures [on request](Availability::OnRequest) that are computed although the fitness does not use them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra_measures: Vec<String>,
    /// Numbers that the fitness and the arena may use.
    pub parameters: Parameters,
    /// How parameters change from generation to generation.
    pub syllabus: BTreeMap<String, Lesson>,
    /// How a creature starts.
    pub start: Start,
    /// Number of trials and how they are combined.
    pub trials: Trials,
    /// Random differences between trials.
    pub variation: Variation,
    /// When a trial is stopped early.
    pub stop: Stop,
    /// Limits beyond which an evaluation is faulty.
    pub limits: Limits,
    /// Surroundings of the creature.
    pub arena: Arena,
    /// A ball, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<Ball>,
    /// Target of the target senses, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetSpec>,
    /// A cube and possibly an opponent, if there is a contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// A crowd whose behaviour net is tuned, instead of a creature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crowd: Option<CrowdTask>,
    /// Material and muscle properties.
    pub physiology: Physiology,
}

impl Default for Task {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            fitness: Formula::default(),
            settle: 2.0,
            duration: 10.0,
            transient: 2.0,
            step: 1.0 / 240.0,
            extra_measures: Vec::new(),
            parameters: Parameters::new(),
            syllabus: BTreeMap::new(),
            start: Start::default(),
            trials: Trials::default(),
            variation: Variation::default(),
            stop: Stop::default(),
            limits: Limits::default(),
            arena: Arena::default(),
            ball: None,
            target: None,
            contest: None,
            crowd: None,
            physiology: Physiology::default(),
        }
    }
}

impl Task {
    /// Reads and checks a task. `file` is its name for error messages. Reads no other file.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, FileError> {
        let task: Self = read_toml(text, file)?;
        task.checked(text, file)
    }

    /// Reads and checks the task of a file with that text. The scene file of a crowd is relative to its folder.
    pub fn from_file(text: &str, file: &str) -> Result<Self, FileError> {
        let mut task: Self = read_toml(text, file)?;
        if let Some(crowd) = &mut task.crowd {
            crowd.read_scene(std::path::Path::new(file).parent()).map_err(|fault| fault.located(text, file))?;
        }
        task.checked(text, file)
    }

    fn checked(self, text: &str, file: &str) -> Result<Self, FileError> {
        match check::check(&self) {
            Ok(()) => Ok(self),
            Err(fault) => Err(fault.located(text, file)),
        }
    }

    /// Returns the task as TOML, including all members with default values.
    pub fn to_toml(&self) -> String {
        // Tables of numbers and text can always be written.
        toml::to_string(self).unwrap_or_default()
    }

    /// Checks a task that is part of a text read by [`read_toml`]. `path` are the names on the path to it.
    pub fn check_within(&self, text: &str, file: &str, path: &[&str]) -> Result<(), FileError> {
        check::check(self).map_err(|fault| fault.located_within(text, file, path))
    }

    /// Checks a task that was created or changed in Rust.
    pub fn check(&self) -> Result<(), FileError> {
        check::check(self).map_err(|fault| fault.located("", if self.name.is_empty() { "task" } else { &self.name }))
    }

    /// Returns the fitness of a trial without an opponent, which is finite and not negative.
    pub fn score(&self, measures: &Measures) -> f64 {
        self.score_against(measures, None)
    }

    /// Returns the fitness of a trial, which is finite and not negative. The measures of the opponent are 0 without one.
    pub fn score_against(&self, measures: &Measures, opponent: Option<&Measures>) -> f64 {
        let measured = |name: &str| match Measure::in_formula(name)? {
            (measure, false) => Some(measures[measure]),
            (measure, true) => Some(opponent.map_or(0.0, |other| other[measure])),
        };
        let value = |name: &str| self.parameters.get(name).copied().or_else(|| measured(name));
        self.fitness.evaluate(value).max(0.0)
    }

    /// Returns whether trials of the task compute a measure: one [on request](Availability::OnRequest) only if the
    /// fitness uses it or `extra_measures` has it.
    pub fn computes(&self, measure: Measure) -> bool {
        let in_fitness =
            || self.fitness.names().any(|name| Measure::in_formula(name).is_some_and(|(own, _)| own == measure));
        measure.availability() != Availability::OnRequest
            || self.extra_measures.iter().any(|name| name == measure.name())
            || in_fitness()
    }

    /// Returns the task of a generation, counted from 0, with the parameters of its syllabus advanced that often.
    pub fn at_generation(&self, generation: u64) -> Self {
        self.after_steps(|_| generation)
    }

    /// Returns the task after each parameter of its syllabus has been advanced by a number of steps, given by name.
    pub fn after_steps(&self, steps: impl Fn(&str) -> u64) -> Self {
        let mut task = self.clone();
        for (name, lesson) in &self.syllabus {
            let (Some(start), until) = (self.parameters.get(name), lesson.until.value(&self.parameters)) else {
                continue;
            };
            let now = start + lesson.per_generation * steps(name) as f64;
            let bounded = if lesson.per_generation < 0.0 { now.max(until) } else { now.min(until) };
            task.parameters.insert(name.clone(), bounded);
        }
        task
    }

    /// Returns the number of physics steps of a trial that is not stopped early, including settling.
    pub fn steps(&self, step: f64) -> u64 {
        steps_of(self.settle, step) + steps_of(self.duration, step)
    }
}

impl Task {
    /// Schedules that the simulation brings everything to rest once the bodies have settled.
    pub(crate) fn schedule_rest(&self, simulation: &mut Simulation) {
        if self.settle > 0.0 {
            simulation.schedule(EventKind::BringToRest, self.settle);
        }
    }
}

/// Returns the number of whole steps in a time.
pub(crate) fn steps_of(seconds: f64, step: f64) -> u64 {
    libm::round(seconds / step) as u64
}
