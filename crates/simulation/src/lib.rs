//! The simulator: bodies, contacts and time (004). Eight modules, each a small trait with several implementations:
//! time control, motion solver, constraint solver and collision solver here, and the four modules of collision detection
//! from `burgess_collision`.

mod builder;
pub mod collision_solver;
mod constraint;
pub mod constraint_solver;
mod contact;
pub mod contact_space;
mod controllers;
mod detection;
mod material;
mod script;
mod stage;
mod statistics;
mod world;

pub use builder::{ColliderSpec, Place, WorldBuilder, WorldError};
pub use constraint::{Anchor, Constraint, ConstraintKind};
pub use contact::{PairRecord, StoredImpulse, WorldContact};
pub use controllers::{ControllerMemory, Controllers, Hands, HighLevelController, LowLevelController};
pub use detection::{CollisionDetection, Lookahead};
pub use material::{Material, MaterialId, Surface, combined};
pub use script::{Oscillation, Script, SharedScript, SteadyMotion};
pub use stage::{Acting, Stage};
pub use statistics::StepStatistics;
pub use world::{Collider, Tree, World};
