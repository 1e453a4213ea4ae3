//! JSON messages of a session to its viewers.

use std::sync::Arc;

use burgess_simulation::StepStatistics;
use serde::Serialize;

use super::history::Exactness;
use super::marks::Mark;
use super::measurement::Measurement;
use super::probe::Probe;
use super::section::SectionKind;
use super::signal::Signal;
use super::signal_log::Series;

/// A message to a viewer.
#[derive(Debug, Serialize)]
#[serde(tag = "say", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum SessionMessage<'a> {
    /// The state of the session, several times a second.
    Status(Status<'a>),
    /// The state of the body that the viewer probes.
    Probe(Probe),
    /// New values of the signals that the viewer plots.
    Plot(PlotData),
    /// All marks on the time axis. Sent when they change.
    Marks {
        /// Marks in the order of their steps.
        marks: Vec<Mark>,
    },
    /// Mean times of the modules of a step.
    Profile(Profile),
    /// The measured speed of a copy of the world.
    Measured(Measurement),
    /// The last command was refused.
    Refused {
        /// A sentence with the reason.
        why: &'a str,
    },
}

/// New values of signals.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlotData {
    /// The signals that the viewer asked for.
    pub signals: Vec<Signal>,
    /// The last step of the message before; values of later steps are to be dropped. Null if this is the first one.
    pub after: Option<u64>,
    /// Numbers of steps from the start.
    pub steps: Vec<u64>,
    /// Simulated times, in s.
    pub times: Vec<f64>,
    /// Values of each signal; null where it did not exist or is not finite.
    pub values: Vec<Vec<Option<f32>>>,
}

impl PlotData {
    /// Creates the message about a series.
    pub fn new(signals: &[Signal], after: Option<u64>, series: Series) -> Self {
        let finite = |values: Vec<f32>| values.into_iter().map(|value| value.is_finite().then_some(value)).collect();
        let values = series.values.into_iter().map(finite).collect();
        Self { signals: signals.to_vec(), after, steps: series.steps, times: series.times, values }
    }
}

/// Mean times and work of a step.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Profile {
    /// Number of steps over which the other numbers are means.
    pub steps: u64,
    /// Time of high-level controllers, in s.
    pub controllers: f64,
    /// Time of collision detection, in s.
    pub collision_detection: f64,
    /// Time of the collision solver, in s.
    pub collision_solver: f64,
    /// Time of the motion solver, without the constraint solver, in s.
    pub motion_solver: f64,
    /// Time of the constraint solver, in s.
    pub constraint_solver: f64,
    /// Number of contacts.
    pub contacts: f64,
    /// Number of collisions.
    pub collisions: f64,
    /// Number of sub-steps.
    pub sub_steps: f64,
    /// Number of sweeps of the contact solver.
    pub sweeps: f64,
}

impl Profile {
    /// Adds a step.
    pub fn add(&mut self, statistics: &StepStatistics) {
        let seconds = &statistics.seconds;
        self.steps += 1;
        self.controllers += seconds.controllers;
        self.collision_detection += seconds.collision_detection;
        self.collision_solver += seconds.collision_solver;
        self.motion_solver += seconds.motion_solver - seconds.constraint_solver;
        self.constraint_solver += seconds.constraint_solver;
        self.contacts += statistics.contacts as f64;
        self.collisions += statistics.impulses as f64;
        self.sub_steps += statistics.sub_steps as f64;
        self.sweeps += statistics.solver.sweeps as f64;
    }

    /// Divides the sums by the number of steps.
    pub fn mean(self) -> Self {
        let share = 1.0 / self.steps.max(1) as f64;
        Self {
            steps: self.steps,
            controllers: share * self.controllers,
            collision_detection: share * self.collision_detection,
            collision_solver: share * self.collision_solver,
            motion_solver: share * self.motion_solver,
            constraint_solver: share * self.constraint_solver,
            contacts: share * self.contacts,
            collisions: share * self.collisions,
            sub_steps: share * self.sub_steps,
            sweeps: share * self.sweeps,
        }
    }
}

/// The state of a session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Status<'a> {
    /// Whether the session is playing.
    pub playing: bool,
    /// Speed, as a multiple of real time.
    pub speed: f64,
    /// The step that is shown.
    pub step: u64,
    /// The latest step that was reached.
    pub latest: u64,
    /// Number of the current appearance.
    pub epoch: u32,
    /// Number of viewers.
    pub viewers: usize,
    /// Result of comparing state hashes.
    pub exact: Exactness,
    /// Name of the paradigm, if the subject is simulated.
    pub paradigm: Option<&'static str>,
    /// Length of a step, in s.
    pub step_length: f64,
    /// Reason why the session cannot advance beyond this step.
    pub ended: Option<&'a str>,
    /// Overlays that frames contain now.
    pub overlays: Vec<SectionKind>,
}

impl SessionMessage<'_> {
    /// The message as JSON text.
    pub fn to_json(&self) -> Arc<str> {
        // These types contain no maps with non-string keys, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}
