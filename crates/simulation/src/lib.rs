//! The simulator: bodies, contacts and time (004). Eight modules, each a small trait with several implementations:
//! time control, motion solver, constraint solver and collision solver here, and the four modules of collision detection
//! from `burgess_collision`.

mod builder;
mod collider_spec;
pub mod collision_solver;
mod constraint;
pub mod constraint_solver;
mod contact;
pub mod contact_space;
mod controllers;
mod detection;
mod material;
pub mod modules;
pub mod motion_solver;
mod outcome;
mod paradigm;
mod rest;
mod script;
mod simulation;
mod snapshot;
mod stage;
mod statistics;
pub mod time_control;
mod world;
mod world_error;

pub use builder::{Place, TendonSpec, WorldBuilder};
pub use collider_spec::ColliderSpec;
pub use constraint::{Anchor, Constraint, ConstraintKind};
pub use contact::{KeptContact, KeptContacts, PairRecord, StoredImpulse, StoredStretch, Touch, WorldContact};
pub use controllers::{ControllerMemory, Controllers, Hands, HighLevelController, LowLevelController};
pub use detection::{CollisionDetection, Lookahead, Nearness};
pub use material::{Material, MaterialId, Surface, combined};
pub use motion_solver::{ContinuousMotion, FreeMotion, SteppedMotion, UpdateStrategy};
pub use outcome::{Bounds, Failure};
pub use paradigm::{
    ContactPoints, HybridSettings, ImpulseOrder, ImpulseSettings, Paradigm, analytical, force_stage, hybrid, impulse,
    impulse_stage, penalty, time_stepping,
};
pub use rest::{Rest, RestMemory, RestSettings};
pub use script::{Oscillation, Script, SharedScript, SteadyMotion};
pub use simulation::Simulation;
pub use snapshot::{ModuleMemory, Snapshot, SnapshotError, Start, StateHash};
pub use stage::{Acting, Stage};
pub use statistics::{ModuleSeconds, StepStatistics};
pub use world::{Collider, Tree, World};
pub use world_error::WorldError;

/// The guide's example is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/one-step.md")]
struct OneStep;
