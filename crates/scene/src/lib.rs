//! Scenes: scene files, built-in scenes, running scenes and recordings.
//!
//! A [`SceneSpec`](spec::SceneSpec) is a scene as plain data, made in Rust or read from TOML. It is built into a world
//! that the simulator can step, or [run](spec::SceneSpec::run) with its controllers and settings. [`SceneFile`] reads a
//! scene from a file with its includes; [`builtin`] has the built-in scenes.
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
//! [`recording`] stores how a world moved and plays it back.

mod actuator;
mod build;
pub mod builtin;
mod check;
mod constraint;
mod controller;
mod error;
mod joint;
mod keyframe;
mod read;
pub mod recording;
mod rules;
mod run;
mod script;
mod sensor;
mod shape;
pub mod spec;
mod tendon;

pub use actuator::{Actuators, axis_position};
pub use build::{BuiltBody, BuiltScene, FluidDrag};
pub use error::{SceneError, SceneFault};
pub use joint::{BuiltJoint, build_joint};
pub use read::{SceneFile, SceneFolder};
pub use run::{Overlap, RunOptions, RunningScene, overlaps};
pub use script::{Keyframes, KeyframesError};
pub use sensor::Sensors;

/// Largest step, in s.
pub const MAX_STEP: f64 = 1.0;

/// Largest number of bodies of a scene.
pub const MAX_BODIES: usize = 100_000;
