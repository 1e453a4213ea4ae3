//! From a scene to a world that can be stepped.

mod actuators;
mod built;
mod drag;
mod fusion;
mod joints;
mod keyframes;
mod mass;
mod self_contained;
mod sensors;
mod shapes;
mod world;

pub use built::{BuiltBody, BuiltScene};
pub use drag::FluidDrag;
pub use joints::{BuiltJoint, build_joint};
pub use keyframes::{Keyframes, KeyframesError};
pub(crate) use world::build;
