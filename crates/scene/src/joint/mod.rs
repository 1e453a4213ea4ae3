//! Joints between a body and its parent: spec, checks, building.

mod build;
mod check;
pub(crate) mod spec;

pub use build::{BuiltJoint, build_joint};
pub(crate) use check::check_joint;
