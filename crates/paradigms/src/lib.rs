//! Paradigms of simulation (Erleben 2002, section 3): named choices of modules. The default, time stepping, is in
//! `burgess_simulation`; this crate adds impulse-based, analytical, penalty and hybrid simulation, with their time
//! controls, motion solvers, constraint solvers and collision solvers.

pub mod collision_solver;
pub mod constraint_solver;
pub mod modules;
pub mod motion_solver;
mod paradigm;
pub mod time_control;

pub use motion_solver::{ContinuousMotion, FreeMotion, UpdateStrategy};
pub use paradigm::{
    ContactPoints, HybridSettings, ImpulseOrder, ImpulseSettings, Paradigm, analytical, force_data, hybrid, impulse,
    impulse_data, penalty,
};

/// The guide's example is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/one-step.md")]
struct OneStep;
