//! Worlds to look at and to run: scene files, recordings and built-in worlds.

pub mod bounce;
mod build;
pub mod builtin;
mod check;
mod error;
mod read;
pub mod spec;

pub use build::{BuiltBody, BuiltScene, Keyframes, KeyframesError};
pub use error::{Fault, FieldPath, Location, SceneError};
pub use read::{MAX_FILE_BYTES, SceneFile, write_atomically};

/// Longer steps are refused, in s.
pub(crate) const MAX_STEP: f64 = 1.0;

/// Scenes with more bodies are refused.
pub const MAX_BODIES: usize = 100_000;
