//! From a scene to a world that can be stepped.

mod actuators;
mod drag;
mod joints;
mod keyframes;
mod self_contained;
mod shapes;
mod world;

pub use drag::FluidDrag;
pub(crate) use joints::build_joint;
pub use keyframes::{Keyframes, KeyframesError};
pub(crate) use world::build;
pub use world::{BuiltBody, BuiltScene};
