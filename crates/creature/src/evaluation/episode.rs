//! Episodes: trials whose muscles are driven from outside, one update of the brain at a time, for learning algorithms.
//!
//! An episode is the trial of an evaluation: the same arena, conditions, settling, measures, limits and early stops.
//! If the outputs are those of the creature's own brain, its score at the end is the fitness of the trial, bit for bit,
//! provided that the bodies settle for a whole number of updates of the brain.
//!
//! ```
//! use burgess_creature::builtin;
//! use burgess_creature::evaluation::{Episode, EpisodeSettings};
//! use burgess_creature::task::Task;
//!
//! let task = Task { duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() };
//! let walker = builtin::find("walker").unwrap().genome().grow(&task.physiology).unwrap();
//! let mut episode = Episode::new(&[&walker], &task, &EpisodeSettings::default()).unwrap();
//! let mut senses = vec![0.0; episode.senses(0)];
//! while !episode.is_over() {
//!     episode.sense(0, &mut senses).unwrap();
//!     episode.set_outputs(0, &vec![0.5; episode.outputs(0)]).unwrap();
//!     episode.advance();
//! }
//! println!("{} body lengths", episode.score(0));
//! ```

use burgess_paradigms::Paradigm;
use burgess_pictures::{PictureError, PictureOptions, SceneBodies};
use burgess_simulation::SimulationData;
use thiserror::Error;

use super::outcome::{Faulty, TrialFailure};
use super::trial::{Performance, Trial};
use super::{EvaluationOptions, Stopped};
use crate::phenotype::Phenotype;
use crate::task::{Measures, Task};
use crate::viability::{Unviable, check as check_viability};

/// How an episode differs from the first trial of an evaluation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EpisodeSettings {
    /// Seed of the conditions.
    pub seed: u64,
    /// Number of the trial, from 0. Each has other conditions.
    pub trial: u32,
    /// Indices of the creatures that are driven by their own brains.
    pub own_brains: Vec<usize>,
    /// Physics step instead of the task's, in s.
    pub step: Option<f64>,
    /// Paradigm of the simulator instead of time stepping.
    pub paradigm: Option<Paradigm>,
}

/// Why an episode cannot start, or why a call was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EpisodeError {
    /// The number of creatures does not fit the task.
    #[error("the task '{task}' has {expected} creature(s), found {found}")]
    Creatures {
        /// Name of the task.
        task: String,
        /// Number of creatures in the task.
        expected: usize,
        /// Number of creatures that were given.
        found: usize,
    },
    /// A creature cannot start.
    #[error("creature {creature} cannot start: {reason}; choose another one or another seed")]
    Unviable {
        /// Index of the creature.
        creature: usize,
        /// The reason.
        reason: Unviable,
    },
    /// The motion during settling cannot be right.
    #[error("the creature cannot start: {0}; choose another creature or another seed")]
    Faulty(Faulty),
    /// There is no such creature.
    #[error("there is no creature {creature}; the episode has {creatures}")]
    NoCreature {
        /// Index that was given.
        creature: usize,
        /// Number of creatures.
        creatures: usize,
    },
    /// A list has the wrong length.
    #[error("expected {expected} {what} for creature {creature}, found {found}")]
    Length {
        /// What was counted.
        what: &'static str,
        /// Index of the creature.
        creature: usize,
        /// Expected number.
        expected: usize,
        /// Number that was given.
        found: usize,
    },
    /// An output is NaN or infinite.
    #[error("output {index} for creature {creature} is {value}, expected a finite number")]
    NotFinite {
        /// Index of the creature.
        creature: usize,
        /// Index of the output.
        index: usize,
        /// The output.
        value: f64,
    },
}

impl From<TrialFailure> for EpisodeError {
    fn from(failure: TrialFailure) -> Self {
        match failure {
            TrialFailure::Unviable(creature, reason) => Self::Unviable { creature, reason },
            TrialFailure::Faulty(faulty) => Self::Faulty(faulty),
        }
    }
}

/// A trial whose muscles are driven from outside.
pub struct Episode {
    trial: Trial,
    performance: Performance,
    is_over: bool,
    fault: Option<Faulty>,
}

impl std::fmt::Debug for Episode {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Episode").field("task", &self.trial.task.name).field("seconds", &self.seconds()).finish()
    }
}

impl Episode {
    /// Places the creatures of a task, one or in a contest two, lets them settle and brings them to rest.
    pub fn new(creatures: &[&Phenotype], task: &Task, settings: &EpisodeSettings) -> Result<Self, EpisodeError> {
        let (expected, found) = (if task.contest.is_some() { 2 } else { 1 }, creatures.len());
        if found != expected {
            return Err(EpisodeError::Creatures { task: task.name.clone(), expected, found });
        }
        for (creature, one) in creatures.iter().enumerate() {
            check_viability(&one.body, &task.physiology.viability)
                .map_err(|reason| EpisodeError::Unviable { creature, reason })?;
        }
        let driven: Vec<usize> = (0..found).filter(|index| !settings.own_brains.contains(index)).collect();
        let options =
            EvaluationOptions { step: settings.step, paradigm: settings.paradigm, ..EvaluationOptions::default() };
        let of = (task, settings.seed, settings.trial);
        let mut trial = Trial::new(creatures, of, &options, &driven, &mut |_, _| ())?;
        trial.settle()?;
        trial.start_audit(false);
        let mut performance = trial.begin();
        let is_over = trial.observe(&mut performance)?;
        Ok(Self { trial, performance, is_over, fault: None })
    }

    /// Returns the task.
    pub fn task(&self) -> &Task {
        &self.trial.task
    }

    /// Returns the number of creatures.
    pub fn creatures(&self) -> usize {
        self.trial.controllers.len()
    }

    /// Returns the number of outputs of a creature: one for each axis of its joints; 0 for an unknown creature.
    pub fn outputs(&self, creature: usize) -> usize {
        self.trial.controllers.get(creature).map_or(0, |controller| controller.axes())
    }

    /// Returns the number of senses of a creature; 0 for an unknown creature.
    pub fn senses(&self, creature: usize) -> usize {
        self.trial.controllers.get(creature).map_or(0, |controller| controller.senses().len())
    }

    /// Writes the present senses of a creature (see [`sense_index`](crate::senses::sense_index)).
    pub fn sense(&mut self, creature: usize, senses: &mut [f64]) -> Result<(), EpisodeError> {
        let (expected, found) = (self.senses(creature), senses.len());
        self.check_creature(creature)?;
        if expected != found {
            return Err(EpisodeError::Length { what: "senses", creature, expected, found });
        }
        self.trial.scene.simulation.data_mut().update_kinematics();
        self.trial.controllers[creature].sense(self.trial.scene.simulation.data(), senses);
        Ok(())
    }

    /// Sets the outputs that the next [`advance`](Self::advance) applies to the muscles of a creature.
    pub fn set_outputs(&mut self, creature: usize, outputs: &[f64]) -> Result<(), EpisodeError> {
        self.check_creature(creature)?;
        let (expected, found) = (self.outputs(creature), outputs.len());
        if expected != found {
            return Err(EpisodeError::Length { what: "outputs", creature, expected, found });
        }
        if let Some(index) = outputs.iter().position(|output| !output.is_finite()) {
            return Err(EpisodeError::NotFinite { creature, index, value: outputs[index] });
        }
        let controller = &self.trial.controllers[creature];
        let memory = self.trial.scene.simulation.data_mut().controllers.high_level_memory_mut(controller.index());
        memory[controller.outputs()].copy_from_slice(outputs);
        Ok(())
    }

    /// Simulates until the next update of the brain, or to the end of the trial. Does nothing after that.
    pub fn advance(&mut self) {
        while !self.is_over {
            match self.trial.advance(&mut self.performance).and_then(|()| self.trial.observe(&mut self.performance)) {
                Ok(false) => {}
                Ok(true) => {
                    self.is_over = true;
                    self.trial.end();
                }
                Err(failure) => {
                    self.is_over = true;
                    self.fault = Some(match failure {
                        TrialFailure::Faulty(faulty) => faulty,
                        TrialFailure::Unviable(_, why) => Faulty::of_unviable(&why, self.seconds()),
                    });
                }
            }
            let data = self.trial.scene.simulation.data();
            if data.controllers.are_due(data.state.time) {
                return;
            }
        }
    }

    /// Returns whether the trial is over.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the fault that ended the trial, if there was one. All scores are then 0.
    pub fn fault(&self) -> Option<&Faulty> {
        self.fault.as_ref()
    }

    /// Returns the reason for an early stop, if there was one.
    pub fn stopped(&self) -> Option<Stopped> {
        self.performance.stopped
    }

    /// Returns the simulated time, including settling, in s.
    pub fn seconds(&self) -> f64 {
        self.trial.scene.simulation.state().time
    }

    /// Returns the measures of a creature up to the last sample. All are 0 for an unknown creature.
    pub fn measures(&self, creature: usize) -> Measures {
        if creature < self.creatures() { self.trial.measures(creature) } else { Measures::default() }
    }

    /// Returns the value of the task's formula for a creature up to the last sample: at the end its fitness in this
    /// trial; 0 after a fault.
    pub fn score(&self, creature: usize) -> f64 {
        if self.fault.is_some() || creature >= self.creatures() {
            return 0.0;
        }
        let opponent = (self.creatures() > 1).then(|| self.trial.measures(1 - creature));
        self.trial.task.score_against(&self.trial.measures(creature), opponent.as_ref())
    }

    /// Returns the hash of the state.
    pub fn state_hash(&self) -> u64 {
        self.trial.scene.simulation.state_hash()
    }

    /// Draws the present state as SVG, with a size in pixels.
    pub fn picture(&mut self, width: u32, height: u32) -> Result<String, PictureError> {
        let Trial { spec, scene, .. } = &mut self.trial;
        scene.simulation.data_mut().update_kinematics();
        let poses = (0..scene.bodies.len()).filter_map(|body| scene.body_pose(body)).collect();
        let bodies = SceneBodies::new(spec, scene.simulation.world(), &scene.bodies);
        let options = PictureOptions { width, height, title: spec.name.clone(), ..PictureOptions::default() };
        bodies.draw(&[poses], options)
    }

    /// Returns the data of the simulation.
    pub fn data(&self) -> &SimulationData {
        self.trial.scene.simulation.data()
    }

    fn check_creature(&self, creature: usize) -> Result<(), EpisodeError> {
        let creatures = self.creatures();
        if creature < creatures { Ok(()) } else { Err(EpisodeError::NoCreature { creature, creatures }) }
    }
}
