//! URDF, the robot description of ROS, in and out.
//!
//! A URDF file is one tree: links with a mass and shapes, joints with an axis between them. A joint's frame is that of its
//! child link, where the joint stands at zero. [`import_file`](crate::import_file) makes a scene of it; [`export()`]
//! writes one.
//!
//! | URDF | scene |
//! |---|---|
//! | link with an `inertial` | body |
//! | link without one, on a fixed joint | site; its shapes belong to the body that carries it |
//! | link without one, between two joints | an axis of a `universal` or `stack` joint |
//! | `revolute`, `continuous`, `prismatic` | `revolute`, `prismatic` |
//! | `planar` | `stack` of two slides and a hinge about the normal |
//! | `fixed`, `floating` | `weld`, a free body |
//! | `effort`, `damping`, `friction` | `max_effort`, `damping`, `friction` |
//! | `transmission` | motor among the actuators |
//! | root link | a fixed body, or a free one; an empty link called `world` is the world |

mod export;
mod import;
mod planar;
mod rpy;

pub use export::{Exported, ExportedFile, export};
pub(crate) use import::import;
pub use import::import_text;

/// The root link that stands for the world.
const WORLD: &str = "world";

/// Efforts and velocities from here on say that there is no limit: URDF wants a number in any case.
const UNLIMITED: f64 = 1e9;
