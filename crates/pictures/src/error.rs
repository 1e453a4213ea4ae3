//! Why there is no picture.

use burgess_scene::SceneError;
use burgess_scene::recording::RecordingError;
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// Too small to see anything, or too large for anyone.
    #[error("a picture has {least} to {most} pixels a side, found {width}x{height}")]
    Size {
        /// Found, in px.
        width: u32,
        /// Found, in px.
        height: u32,
        /// In px.
        least: u32,
        /// In px.
        most: u32,
    },
    /// Nothing that ends is there.
    #[error("there is nothing to be seen: no body with a shape that ends")]
    Nothing,
    /// A place that is nowhere.
    #[error("{what} is not finite, or too far away to be drawn")]
    NotFinite {
        /// What it is.
        what: String,
    },
    /// More than a picture can show.
    #[error("there are more than {limit} faces to be drawn")]
    TooMuch {
        /// So many may be.
        limit: usize,
    },
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording does not say what its bodies look like.
    #[error("the recording holds no scene, so nobody knows what its bodies look like")]
    NoScene,
    /// The scene in the recording is not in order.
    #[error("the scene in the recording: {0}")]
    Scene(#[from] SceneError),
    /// A body that moves in the scene, but is not in the frames.
    #[error("the recording has no poses of the body '{body}' of its scene")]
    Misfit {
        /// Its name.
        body: String,
    },
    /// Nothing happens at no time.
    #[error("the recording has no frames")]
    NoFrames,
    /// A curve that cannot be drawn.
    #[error("a plot needs {what}")]
    Plot {
        /// What is missing, or too much.
        what: String,
    },
}
