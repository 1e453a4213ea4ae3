//! Errors of the glTF export.

use burgess_scene::SceneError;
use burgess_scene::recording::RecordingError;
use thiserror::Error;

/// Error of the glTF export.
#[derive(Debug, Error)]
pub enum GltfError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording does not contain a scene, so the shapes of its bodies are unknown.
    #[error("the recording contains no scene, so the shapes of its bodies are unknown")]
    NoScene,
    /// The scene in the recording is invalid.
    #[error("the scene in the recording is invalid: {0}")]
    Scene(#[from] SceneError),
    /// A body is in the frames but not in the scene, or is dynamic in the scene but not in the frames.
    #[error("the frames and the scene of the recording differ: only one of them has a moving body called '{body}'")]
    Misfit {
        /// Name of the body.
        body: String,
    },
    /// The recording has no frames.
    #[error("the recording has no frames")]
    NoFrames,
    /// A shape that cannot be exported.
    #[error("body '{body}', shape {shape}: {why}")]
    Shape {
        /// Name of the body.
        body: String,
        /// Number of the shape, from 1.
        shape: usize,
        /// What was found and what was expected.
        why: String,
    },
    /// A number that is not finite, or too large for single precision.
    #[error("frame {frame} of the recording: {what} is not finite")]
    NotFinite {
        /// Number of the frame, from 0.
        frame: u64,
        /// The time, or the pose of a body.
        what: String,
    },
    /// An invalid frame rate.
    #[error("the frame rate must be a positive number of frames per second, found {found}")]
    Rate {
        /// Frames per second.
        found: f64,
    },
    /// The file would be too large for viewers.
    #[error(
        "the file would contain {} MiB of shapes and motion; the maximum for a {extension} file is {} MiB{hint}; use fewer \
         frames per second", .bytes >> 20, .limit >> 20
    )]
    TooLarge {
        /// Size in bytes.
        bytes: u64,
        /// Maximum size in bytes.
        limit: u64,
        /// Extension of the file.
        extension: &'static str,
        /// Additional advice.
        hint: &'static str,
    },
    /// The JSON cannot be written.
    #[error("the document cannot be written: {0}")]
    Document(#[from] serde_json::Error),
}
