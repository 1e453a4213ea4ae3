//! The subject of a session: a simulation, a recording, or the collision demonstration. Time is counted in steps. A
//! player advances step by step, can be saved and restored, and describes its appearance.

use burgess_bounce::BounceWorld;
use burgess_simulation::StepStatistics;
use glam::DVec3;
use serde::Serialize;

use super::appearance::Appearance;
use super::contents::Contents;
use super::edit::Edit;
use super::grab::Hold;
use super::measurement::Trial;
use super::probe::Probe;
use super::reach::Reach;
use super::section::SectionKind;
use super::signal::Layout;

/// Maximum number of frames per second.
pub const FRAMES_PER_SECOND: f64 = 60.0;
/// Number of frames between two state hashes.
pub const FRAMES_PER_HASH: u64 = 10;

/// The subject of a session.
pub trait Player: Send {
    /// Describes the subject.
    fn info(&self) -> SessionInfo;

    /// The current appearance, with the number `epoch`.
    fn appearance(&mut self, epoch: u32) -> Appearance;

    /// Number of steps from the start.
    fn steps(&self) -> u64;

    /// Simulated time, in s.
    fn time(&self) -> f64;

    /// Length of a step, in s.
    fn step_length(&self) -> f64;

    /// The last step, if there is one.
    fn last(&self) -> Option<u64> {
        None
    }

    /// Advances by one step; or returns a sentence that says why not.
    fn advance(&mut self) -> Result<(), String>;

    /// Moves to a step directly. Returns false if all steps in between must be made.
    fn jump(&mut self, _step: u64) -> Result<bool, String> {
        Ok(false)
    }

    /// Saves the state that determines all following steps.
    fn save(&self) -> SavedState;

    /// Restores a saved state. `changes` are the edits that changed the world before it, in order.
    fn restore_state(&mut self, state: &SavedState, changes: &[Edit]) -> Result<(), String>;

    /// Hash of the state.
    fn state_hash(&self) -> u64;

    /// Appends seven numbers for each body: position in m, quaternion x, y, z, w.
    fn poses(&mut self, poses: &mut Vec<f32>);

    /// Kinetic and potential energy, in J.
    fn energies(&mut self) -> [f64; 2];

    /// Appends the numbers of a section, if the player has this kind.
    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>);

    /// The state of a body.
    fn probe(&mut self, body: usize) -> Option<Probe>;

    /// The contents of the world besides its bodies.
    fn contents(&self) -> Contents;

    /// The layout of the rows of signals.
    fn layout(&self) -> Layout;

    /// Appends the row of signals of the current step.
    fn sample(&mut self, row: &mut Vec<f32>);

    /// Height of the subject that the camera follows, in m.
    fn subject_height(&mut self) -> Option<f64> {
        None
    }

    /// Number of collisions in the last step.
    fn collisions(&self) -> usize {
        0
    }

    /// Starts or ends the measurement of the modules of each step.
    fn set_profiling(&mut self, _on: bool) {}

    /// Statistics of the last step; none if the subject is not simulated.
    fn statistics(&self) -> Option<&StepStatistics> {
        None
    }

    /// A copy of the world after an edit, whose speed can be measured on another thread; or a sentence that says why
    /// there is none.
    fn trial(&self, _edit: &Edit) -> Result<Trial, String> {
        Err("only a simulation can be measured".to_string())
    }

    /// Numbers of the viewers that hold a body.
    fn holders(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The grab or push of the first body along a ray; or a sentence that says why there is none.
    fn reach(&mut self, _viewer: u32, _reach: &Reach) -> Result<Edit, String> {
        Err("only a simulation has bodies to grab".to_string())
    }

    /// The push that throws the body that a viewer holds, with a velocity in m/s; or a sentence that says why there is
    /// none.
    fn throw_held(&self, _viewer: u32, _velocity: DVec3) -> Result<Edit, String> {
        Err("only a simulation has bodies to throw".to_string())
    }

    /// Applies an edit; or returns a sentence that says why not, and changes nothing.
    fn apply(&mut self, edit: &Edit) -> Result<(), String>;

    /// Number of steps between frames, as near as possible to the frame rate.
    fn steps_per_frame(&self) -> u64 {
        steps_per_frame(self.step_length())
    }
}

/// Number of steps of a length (s) between frames.
pub fn steps_per_frame(step: f64) -> u64 {
    (1.0 / (FRAMES_PER_SECOND * step)).round().max(1.0) as u64
}

/// Description of the subject of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionInfo {
    /// Short title.
    pub title: String,
    /// Description in one or more sentences.
    pub description: String,
    /// Kind of the subject.
    pub kind: Kind,
    /// Name of the paradigm, if the subject is simulated.
    pub paradigm: Option<&'static str>,
    /// Duration, in s.
    pub duration: Option<f64>,
    /// Whether viewers can edit the world.
    pub interfere: bool,
    /// Whether viewers can probe bodies.
    pub probe: bool,
    /// Whether there is a last step.
    pub end: bool,
    /// Overlays that frames can contain.
    pub overlays: Vec<SectionKind>,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Number of values of the overlay `activations`.
    pub neurons: usize,
}

/// Kind of the subject of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "SessionKind"))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A simulated scene.
    Scene,
    /// A creature in its arena.
    Creature,
    /// A recording.
    Recording,
    /// The collision demonstration.
    Bounce,
}

/// The saved state of a player.
#[derive(Debug, Clone)]
pub enum SavedState {
    /// State of a simulation.
    Live {
        /// Snapshot of the simulation.
        snapshot: Box<burgess_simulation::Snapshot>,
        /// Bodies that viewers hold.
        holds: Vec<Hold>,
        /// Overrides of the controls of actuators.
        overrides: Vec<Option<f64>>,
        /// Number of edits that changed the world before.
        changes: usize,
    },
    /// State of the collision demonstration.
    Bounce(Box<BounceWorld>),
    /// Frame of a recording.
    Recorded(u64),
}

/// Estimated memory of a pair of colliders with its contacts and caches, in bytes.
const PAIR_BYTES: usize = 1500;
/// Estimated memory of a body of the collision demonstration with its boxes, tiles and pairs, in bytes.
const BOUNCE_BODY_BYTES: usize = 3000;

impl SavedState {
    /// Estimated memory, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Live { snapshot, holds, .. } => {
                let controllers = &snapshot.controllers;
                let numbers = snapshot.state.q.len()
                    + 3 * snapshot.state.v.len()
                    + snapshot.row_impulses.len()
                    + 4 * snapshot.state.motors.len()
                    + controllers.low_level.len()
                    + controllers.high_level.len()
                    + controllers.ticks.len()
                    + snapshot.rest.seconds.len()
                    + snapshot.rest.loads.len();
                500 + 8 * numbers + PAIR_BYTES * snapshot.pairs.len() + 200 * holds.len()
            }
            Self::Bounce(world) => 10_000 + BOUNCE_BODY_BYTES * world.bodies().count(),
            Self::Recorded(_) => 16,
        }
    }
}
