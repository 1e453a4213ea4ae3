//! Actuators: spec, checks, building, and the drives that turn controls into motors.

mod build;
mod check;
mod drive;
pub(crate) mod spec;

pub(crate) use build::Drives;
pub(crate) use check::{check_actuator, check_drives};
pub use drive::{Actuators, axis_position};
