//! Worlds to look at and to run: scene files, recordings and the bounce program.
//!
//! A [`SceneSpec`](spec::SceneSpec) is a scene as plain data, made in Rust or read from TOML; it is built into a world that
//! the simulator can step. [`SceneFile`] reads one from a file with all that it includes.
//!
//! ```
//! use burgess_scene::spec::SceneSpec;
//!
//! let text = "
//! [[bodies]]
//! name = 'ball'
//! position = [0, 0, 2]
//! shapes = [{ type = 'sphere', radius = 0.1 }]
//! ";
//! let scene = SceneSpec::from_toml(text, "ball.toml").unwrap();
//! let built = scene.build(".").unwrap();
//! assert_eq!(built.world.model().name(0), "ball");
//!
//! let error = SceneSpec::from_toml(&text.replace("0.1", "-1"), "ball.toml").unwrap_err();
//! assert_eq!(error.to_string(), "ball.toml:5: bodies[0].shapes[0].radius: must be positive, found -1");
//! ```
//!
//! [`recording`] writes down how a world moved, and shows it again.

pub mod bounce;
mod build;
mod check;
mod error;
mod read;
pub mod recording;
pub mod spec;

pub use build::{BuiltBody, BuiltScene, Keyframes, KeyframesError};
pub use error::{Fault, FieldPath, Location, SceneError};
pub use read::{MAX_FILE_BYTES, SceneFile, write_atomically};

/// Longer steps are refused, in s.
pub(crate) const MAX_STEP: f64 = 1.0;

/// Scenes with more bodies are refused.
pub const MAX_BODIES: usize = 100_000;
