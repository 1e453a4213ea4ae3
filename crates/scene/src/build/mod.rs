//! Builds worlds from scenes.

mod built;
mod drag;
mod fusion;
mod mass;
mod self_contained;
mod world;

pub use built::{BuiltBody, BuiltScene};
pub use drag::FluidDrag;
pub(crate) use world::build;
