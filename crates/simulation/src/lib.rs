//! The simulator: bodies, contacts and time (Erleben 2002). It is made of eight modules: time control, motion solver,
//! constraint solver and collision solver, whose traits are in [`modules`], and the four modules of collision detection
//! from `burgess_collision`. The default paradigm, time stepping, is complete here ([`Simulation::new`]);
//! `burgess_paradigms` has the others. One step is described in `docs/one-step.md`.
//!
//! ```
//! use burgess_geometry::shape::{HalfSpace, Sphere};
//! use burgess_geometry::{Pose, Shape};
//! use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
//! use glam::DVec3;
//!
//! let mut builder = WorldBuilder::new();
//! builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
//! let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.1)?));
//! builder.body("ball", Pose::from_translation(DVec3::Z * 0.5), [ball])?;
//! let (world, state) = builder.build()?;
//! let mut simulation = Simulation::new(world, state, 1.0 / 240.0)?;
//! simulation.run(2.0)?;
//! // It lies on the ground.
//! assert!((simulation.state().q[2] - 0.1).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod collider_spec;
mod constraint;
pub mod constraint_solver;
mod contact;
pub mod contact_space;
mod controllers;
mod detection;
mod events;
mod material;
pub mod modules;
pub mod motion_solver;
mod orders;
mod outcome;
mod rest;
mod script;
mod simulation;
mod simulation_data;
mod snapshot;
mod statistics;
mod step;
pub mod time_control;
mod time_stepping;
mod world;
mod world_error;

pub use builder::{Place, TendonSpec, WorldBuilder};
pub use collider_spec::ColliderSpec;
pub use constraint::{Anchor, Constraint, ConstraintKind};
pub use contact::{KeptContact, KeptContacts, PairRecord, StoredImpulse, StoredStretch, Touch, WorldContact};
pub use controllers::{ControllerContext, ControllerMemory, Controllers, HighLevelController, LowLevelController};
pub use detection::{CollisionDetection, Lookahead, Nearness};
pub use events::{Event, EventKind};
pub use material::{Material, MaterialId, Surface, combined};
pub use motion_solver::SteppedMotion;
pub use outcome::{Bounds, Failure};
pub use rest::{Rest, RestMemory, RestSettings};
pub use script::{Oscillation, Script, SharedScript, SteadyMotion};
pub use simulation::Simulation;
pub use simulation_data::{Acting, SimulationData};
pub use snapshot::{ModuleMemory, Snapshot, SnapshotError, Start, StateHash};
pub use statistics::{Module, ModuleSeconds, StepStatistics};
pub use time_stepping::{ContactMotion, Impacts, LastingContacts, TimeSteppingSettings, time_stepping};
pub use world::{Collider, Tree, World};
pub use world_error::WorldError;
