//! Tasks: what creatures are to do, as a few lines of configuration over shared [measures](measure).
//!
//! A task is plain data, made in Rust or read from TOML. Its fitness is a [`Formula`] over the measures of a trial and the
//! task's own parameters; the arena may use the parameters, too, so that a syllabus makes them harder from generation to
//! generation. Some come with the program: [`Task::presets`].
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
//!     "tiptoe.toml:3: fitness: column 45: there is nothing called 'lenth'; did you mean 'length'?"
//! );
//! ```

mod amount;
mod check;
mod formula;
mod measure;
mod presets;
mod rules;
mod surroundings;

use std::collections::BTreeMap;

use burgess_files::{FileError, read_toml};
use serde::{Deserialize, Serialize};

use crate::physiology::Physiology;

pub use amount::{Amount, Parameters};
pub(crate) use check::{LONGEST, MAX_PLACES, MAX_STAIRS};
pub use formula::{Formula, FormulaError};
pub use measure::{Measure, Measures};
pub use presets::UnknownTask;
pub use rules::{Counts, Lesson, Limits, Start, Stop, Trials, Variation};
pub use surroundings::{Aim, AimAt, Arena, Ball, BallFrom, Contest, Ground, Rough, Stairs, Water};

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Task {
    /// In a word.
    pub name: String,
    /// In a sentence.
    pub description: String,
    /// Over measures and parameters. Less than 0 counts as 0, so that no creature that was tried is worse than one that could not be.
    pub fitness: Formula,
    /// Before each trial muscles are slack for so long, in s, and then everything is brought to rest; 2 if left out.
    pub settle: f64,
    /// Of a trial, without settling, in s; 10 if left out.
    pub duration: f64,
    /// The steady measures begin so long after the muscles wake, in s; 2 if left out.
    pub transient: f64,
    /// Of the physics, in s; 1/240 if left out.
    pub step: f64,
    /// Numbers that formulas and the arena may use.
    pub parameters: Parameters,
    /// How parameters change from generation to generation.
    pub syllabus: BTreeMap<String, Lesson>,
    /// How a creature starts.
    pub start: Start,
    /// How often it is tried.
    pub trials: Trials,
    /// What differs from trial to trial.
    pub variation: Variation,
    /// When a trial is stopped early.
    pub stop: Stop,
    /// What makes a creature faulty.
    pub limits: Limits,
    /// Where it takes place.
    pub arena: Arena,
    /// A ball, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<Ball>,
    /// What the senses for targets point to, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Aim>,
    /// A cube and perhaps an opponent, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// What flesh is like.
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
            physiology: Physiology::default(),
        }
    }
}

impl Task {
    /// Reads a task and checks it. `file` is its name for messages.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, FileError> {
        let task: Self = read_toml(text, file)?;
        match check::check(&task) {
            Ok(()) => Ok(task),
            Err(misfit) => Err(misfit.located(text, file)),
        }
    }

    /// As TOML that reads as the same task, with everything that was left out.
    pub fn to_toml(&self) -> String {
        // Plain tables of numbers and text can always be written.
        toml::to_string(self).unwrap_or_default()
    }

    /// Is it in order, as a part of a text that was read by [`read_toml`]? `way` are the names on the way to it there.
    pub fn check_within(&self, text: &str, file: &str, way: &[&str]) -> Result<(), FileError> {
        check::check(self).map_err(|misfit| misfit.located_within(text, file, way))
    }

    /// Is it in order? For tasks that were made or changed in Rust.
    pub fn check(&self) -> Result<(), FileError> {
        check::check(self).map_err(|misfit| misfit.located("", if self.name.is_empty() { "task" } else { &self.name }))
    }

    /// The fitness of a trial: never negative, never infinite.
    pub fn score(&self, measures: &Measures) -> f64 {
        let value = |name: &str| self.parameters.get(name).copied().or_else(|| measures.get(name));
        self.fitness.evaluate(value).max(0.0)
    }

    /// The task as it is in a generation, counted from 0: with the parameters of its syllabus changed, as far as they can be by then.
    pub fn at_generation(&self, generation: u64) -> Self {
        self.after_steps(|_| generation)
    }

    /// The task after each parameter of its syllabus, by name, has taken so many steps.
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

    /// Physics steps of a trial that is not stopped, settling included, of a step of so many seconds.
    pub fn steps(&self, step: f64) -> u64 {
        steps_of(self.settle, step) + steps_of(self.duration, step)
    }
}

/// Whole steps in a time.
pub(crate) fn steps_of(seconds: f64, step: f64) -> u64 {
    libm::round(seconds / step) as u64
}
