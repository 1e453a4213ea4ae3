//! The simulator: bodies, contacts and time (004). Eight modules, each a small trait with several implementations:
//! time control, motion solver, constraint solver and collision solver here, and the four modules of collision detection
//! from `burgess_collision`.

mod builder;
pub mod collision_solver;
mod constraint;
pub mod constraint_solver;
mod material;
mod script;
mod world;

pub use builder::{ColliderSpec, Place, WorldBuilder, WorldError};
pub use constraint::{Anchor, Constraint, ConstraintKind};
pub use material::{Material, MaterialId, Surface, combined};
pub use script::{Oscillation, Script, SharedScript, SteadyMotion};
pub use world::{Collider, Tree, World};
