//! Why a recording was not made a glTF file.

use burgess_scene::SceneError;
use burgess_scene::recording::RecordingError;
use thiserror::Error;

/// Why a recording was not made a glTF file.
#[derive(Debug, Error)]
pub enum GltfError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording does not say what its bodies look like.
    #[error("the recording holds no scene, so nobody knows what its bodies look like")]
    NoScene,
    /// The scene in the recording is not in order.
    #[error("the scene in the recording: {0}")]
    Scene(#[from] SceneError),
    /// A body that is in the frames, but not in the scene, or that moves in the scene, but is not in the frames.
    #[error(
        "the recording and the scene in it do not fit together: only one of them has a moving body called '{body}'"
    )]
    Misfit {
        /// Its name.
        body: String,
    },
    /// Nothing happens at no time.
    #[error("the recording has no frames")]
    NoFrames,
    /// A shape that cannot be shown.
    #[error("body '{body}', shape {shape}: {why}")]
    Shape {
        /// Name of the body.
        body: String,
        /// Counted from 1.
        shape: usize,
        /// What was found and what was expected.
        why: String,
    },
    /// A number that is not finite, or too large for single precision.
    #[error("frame {frame} of the recording: {what} is not finite")]
    NotFinite {
        /// Counted from 0.
        frame: u64,
        /// The time, or the place of which body.
        what: String,
    },
    /// A rate that makes no sense.
    #[error("there must be more than 0 frames a second, found {found}")]
    Rate {
        /// Frames a second.
        found: f64,
    },
    /// Larger than viewers can take.
    #[error(
        "this would be {} MiB of shapes and motion; at most {} MiB are allowed in a {extension} file{hint}; with fewer \
         frames a second it takes less", .bytes >> 20, .limit >> 20
    )]
    TooLarge {
        /// How many it would be.
        bytes: u64,
        /// How many there may be.
        limit: u64,
        /// Of the file.
        extension: &'static str,
        /// What else would help.
        hint: &'static str,
    },
    /// The JSON was not made.
    #[error("the document cannot be written: {0}")]
    Document(#[from] serde_json::Error),
}
