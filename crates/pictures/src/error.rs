//! Errors of drawing pictures and plots.

use burgess_scene::SceneError;
use burgess_scene::recording::RecordingError;
use thiserror::Error;

/// Error of drawing a picture or plot.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The picture is too small or too large.
    #[error("width and height of a picture must be {min} to {max} pixels, found {width}x{height}")]
    Size {
        /// Width, in px.
        width: u32,
        /// Height, in px.
        height: u32,
        /// Minimum of both, in px.
        min: u32,
        /// Maximum of both, in px.
        max: u32,
    },
    /// There is no bounded shape.
    #[error("there is nothing to draw: expected at least one body with a bounded shape")]
    Nothing,
    /// A position is not finite or too far away.
    #[error("{what} is not finite, or too far away to be drawn")]
    NotFinite {
        /// Description of the position.
        what: String,
    },
    /// There are too many faces.
    #[error("there are more than {limit} faces to draw")]
    TooMuch {
        /// Maximum number of faces.
        limit: usize,
    },
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording does not contain a scene, so the shapes of its bodies are unknown.
    #[error("the recording contains no scene, so the shapes of its bodies are unknown")]
    NoScene,
    /// The scene in the recording is invalid.
    #[error("the scene in the recording is invalid: {0}")]
    Scene(#[from] SceneError),
    /// A dynamic body of the scene has no poses in the frames.
    #[error("the recording has no poses of the body '{body}' of its scene")]
    Misfit {
        /// Name of the body.
        body: String,
    },
    /// The recording has no frames.
    #[error("the recording has no frames")]
    NoFrames,
    /// A plot cannot be drawn.
    #[error("a plot needs {what}")]
    Plot {
        /// The requirement that is not met.
        what: String,
    },
}
