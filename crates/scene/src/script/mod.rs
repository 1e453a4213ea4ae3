//! Scripts that move bodies: spec, checks, building, and motion through keyframes.

mod build;
mod check;
mod keyframes;
pub(crate) mod spec;

pub(crate) use build::build_script;
pub(crate) use check::check_script;
pub use keyframes::{Keyframes, KeyframesError};
