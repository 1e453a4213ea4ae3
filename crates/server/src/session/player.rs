//! What can be on stage: a simulation, a recording, the bodies of bounce. Time is counted in steps; a player goes one step on
//! at a time, can be kept and brought back to what was kept, and tells what it looks like.

use burgess_bounce::BounceWorld;
use serde::Serialize;

use super::appearance::Appearance;
use super::frame::SectionKind;
use super::grab::Hold;
use super::interference::Deed;
use super::probe::Probe;

/// Frames a second that are shown at most.
pub const FRAMES_PER_SECOND: f64 = 60.0;
/// Every so many frames the state hash is kept, and compared when the frame is shown again.
pub const FRAMES_PER_HASH: u64 = 10;

/// Something on stage.
pub trait Player: Send {
    /// What it is, for the session's own description.
    fn bill(&self) -> Bill;

    /// What it looks like now. `epoch` is its number.
    fn appearance(&mut self, epoch: u32) -> Appearance;

    /// Steps from the start.
    fn steps(&self) -> u64;

    /// In s.
    fn time(&self) -> f64;

    /// Of a step, in s.
    fn step_length(&self) -> f64;

    /// The last step that there is, for what has an end.
    fn last(&self) -> Option<u64> {
        None
    }

    /// One step on; or a sentence why there is none.
    fn advance(&mut self) -> Result<(), String>;

    /// Goes to a step at once, if it can; false if all steps on the way have to be made.
    fn jump(&mut self, _step: u64) -> Result<bool, String> {
        Ok(false)
    }

    /// A copy of all that decides what comes next.
    fn keep(&self) -> Kept;

    /// Back to what was kept. `changes` are the deeds that changed the world before that, in order.
    fn bring_back(&mut self, kept: &Kept, changes: &[Deed]) -> Result<(), String>;

    /// Of the state.
    fn state_hash(&self) -> u64;

    /// Appends seven numbers for each body.
    fn poses(&mut self, poses: &mut Vec<f32>);

    /// Kinetic and potential, in J.
    fn energies(&mut self) -> [f64; 2];

    /// Appends the numbers of a section, for the kinds that it has.
    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>);

    /// All that can be said of a body.
    fn probe(&mut self, body: usize) -> Option<Probe>;

    /// Hands that hold something.
    fn hands(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Does what somebody wants done, or refuses with a sentence and changes nothing.
    fn interfere(&mut self, deed: &Deed) -> Result<(), String>;

    /// Steps from frame to frame: as many as come nearest to the rate of frames.
    fn steps_per_frame(&self) -> u64 {
        steps_per_frame(self.step_length())
    }
}

/// Steps of a length (s) from frame to frame.
pub fn steps_per_frame(step: f64) -> u64 {
    (1.0 / (FRAMES_PER_SECOND * step)).round().max(1.0) as u64
}

/// What is on stage, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Bill {
    /// In a word.
    pub title: String,
    /// In a sentence.
    pub description: String,
    /// Of players.
    pub kind: Kind,
    /// Name of the paradigm, if there is one.
    pub paradigm: Option<&'static str>,
    /// How long it is worth watching, in s.
    pub duration: Option<f64>,
    /// Can somebody interfere?
    pub interfere: bool,
    /// Can bodies be probed?
    pub probe: bool,
    /// Does it end?
    pub end: bool,
    /// What can be asked for in frames.
    pub overlays: Vec<SectionKind>,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// How many neurons the brain has.
    pub neurons: usize,
}

/// Of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A scene that runs.
    Scene,
    /// A creature in its arena.
    Creature,
    /// What was recorded.
    Recording,
    /// The bodies of bounce.
    Bounce,
}

/// What a player keeps.
#[derive(Debug, Clone)]
pub enum Kept {
    /// Of a simulation.
    Live {
        /// Its state.
        snapshot: Box<burgess_simulation::Snapshot>,
        /// What is held by hands.
        holds: Vec<Hold>,
        /// How many deeds changed the world until then.
        changes: usize,
    },
    /// Of bounce: all of it.
    Bounce(Box<BounceWorld>),
    /// Of a recording: the place.
    Recorded(u64),
}

/// What a pair of colliders takes in memory, contacts and caches included, in bytes: as good a guess as any.
const PAIR_BYTES: usize = 1500;
/// The same of a body of bounce, with its boxes, tiles and pairs.
const BOUNCE_BODY_BYTES: usize = 3000;

impl Kept {
    /// About how much memory it takes, in bytes.
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
