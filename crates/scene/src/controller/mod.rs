//! Controllers of a scene: spec, checks, building, and what they do on each step.

mod build;
mod check;
pub(crate) mod crowd;
pub(crate) mod flock;
mod forces;
mod impulse;
mod include;
mod motors;
pub(crate) mod spec;

pub(crate) use build::build_controllers;
pub(crate) use check::{check_controller, check_names};

/// Times that differ by less are equal, in s: the time of a simulation is a rounded sum of steps.
const TIME_TOLERANCE: f64 = 1e-9;
