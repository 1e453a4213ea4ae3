//! Recordings: the motion of a run in a compact form with random access.
//!
//! A file is little-endian throughout, and made of
//!
//! ```text
//!   head      "BURGESSR", version u32, length u32 of the payload, CRC-32 u32 of the payload
//!             payload: rate f64 (frames a second; 0: irregular), bodies u32, names, statistics u32, names, scene
//!             a name, and the scene (TOML), is a length u32 and so many bytes of UTF-8
//!   chunks    "CHNK", first frame u64, frames u32, length u32 of the payload, CRC-32 u32 of the payload,
//!             CRC-32 u32 of the 24 bytes before; payload: frames
//!   frame     time f64 (s), poses of all bodies, statistics f64 each
//!   pose      position 3 x f32 (m), orientation u64
//!   index     "INDX", chunks u32, CRC-32 u32 of the payload;
//!             payload: (offset u64, first frame u64, first time f64) each
//!   end       offset of the index u64, "BURGEND1"
//! ```
//!
//! An orientation is a unit quaternion without its largest component, which follows from the others: 2 bits say which
//! one it is, and each other has 20 bits from -1/sqrt 2 to 1/sqrt 2. That is right to 5e-6 rad; positions are right to
//! 6e-8 of their distance from the origin. A pose takes 20 bytes: enough for display, not to continue a simulation.
//!
//! A recording grows under its name with `.part` added and is renamed when it is finished. If the writer is killed,
//! index and end are missing: a reader then finds all chunks that are whole, at most [`CHUNK_BYTES`] or one frame
//! before the end of what was written, also past places that were damaged.

mod error;
mod file;
mod packed_pose;
mod reader;
mod writer;

use burgess_dynamics::Workspace;
use burgess_geometry::Pose;
use burgess_simulation::World;

use crate::build::BuiltBody;
use crate::spec::SceneSpec;

pub use error::RecordingError;
pub use file::FileRecorder;
pub use reader::RecordingReader;
pub use writer::RecordingWriter;

/// The first bytes of every recording.
pub const MAGIC: [u8; 8] = *b"BURGESSR";
const CHUNK_MAGIC: [u8; 4] = *b"CHNK";
const INDEX_MAGIC: [u8; 4] = *b"INDX";
const END_MAGIC: [u8; 8] = *b"BURGEND1";
const HEAD_BYTES: u64 = 20;
const CHUNK_HEAD_BYTES: u64 = 28;
const INDEX_HEAD_BYTES: u64 = 12;
const INDEX_ENTRY_BYTES: u64 = 24;
const END_BYTES: u64 = 16;

/// The version that is written, and the newest that can be read.
pub const VERSION: u32 = 1;
/// A chunk is written when it reaches this size, in bytes.
pub const CHUNK_BYTES: usize = 1 << 16;
/// Largest number of statistics per frame.
pub const MAX_STATISTICS: usize = 1 << 12;
/// Largest number of bodies.
pub const MAX_RECORDED_BODIES: usize = 1 << 20;

/// The header of a recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordingHeader {
    /// Frames a second; 0 if they come at any times.
    pub rate: f64,
    /// Names of the bodies whose poses are in each frame.
    pub bodies: Vec<String>,
    /// Names of the numbers that are in each frame besides, with units.
    pub statistics: Vec<String>,
    /// The scene as TOML, so that the recording can be shown alone; may be empty.
    pub scene: String,
}

impl RecordingHeader {
    /// The header for the links of a world, in order.
    pub fn of_links(world: &World, rate: f64, scene: String) -> Self {
        let model = world.model();
        let bodies = (0..model.links().len()).map(|link| model.name(link).to_string()).collect();
        Self { rate, bodies, statistics: Vec::new(), scene }
    }

    fn frame_bytes(&self) -> usize {
        8 + packed_pose::BYTES * self.bodies.len() + 8 * self.statistics.len()
    }
}

/// A frame of a recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Time, in s.
    pub time: f64,
    /// Poses of the bodies, in the order of the header.
    pub poses: Vec<Pose>,
    /// Statistics, in the order of the header.
    pub statistics: Vec<f64>,
}

/// The bodies of a scene that are in its recordings: all but those that are fixed and carry nothing, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedBodies {
    names: Vec<String>,
    bodies: Vec<BuiltBody>,
}

impl RecordedBodies {
    /// Selects the bodies of a built scene.
    pub fn new(scene: &SceneSpec, bodies: &[BuiltBody]) -> Self {
        let all = scene.bodies.iter().zip(bodies);
        let recorded = all.filter(|(body, built)| !body.fixed || built.link.is_some());
        let (names, bodies) = recorded.map(|(body, built)| (body.name.clone(), built.clone())).unzip();
        Self { names, bodies }
    }

    /// The header for frames with their poses, with the scene as TOML.
    pub fn header(&self, rate: f64, scene: String) -> RecordingHeader {
        RecordingHeader { rate, bodies: self.names.clone(), statistics: Vec::new(), scene }
    }

    /// Their poses; the workspace must be current.
    pub fn poses(&self, world: &World, workspace: &Workspace, poses: &mut Vec<Pose>) {
        poses.clear();
        poses.extend(self.bodies.iter().map(|body| body.frame(world, workspace)));
    }
}

/// The poses of all links of a world, in their order, from a current workspace.
pub fn link_poses(world: &World, workspace: &Workspace, poses: &mut Vec<Pose>) {
    let model = world.model();
    poses.clear();
    poses.extend((0..model.links().len()).map(|link| workspace.pose(model, link)));
}
