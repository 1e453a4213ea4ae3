//! Import and export of URDF, the robot description format of ROS.
//!
//! A URDF file describes one tree: links with mass and shapes, connected by joints with an axis. The frame of a joint
//! is that of its child link at joint position zero. [`import_file`](crate::import_file) imports a file; [`export()`]
//! writes one.
//!
//! | URDF | scene |
//! |---|---|
//! | link with an `inertial` | body |
//! | link without `inertial` on a fixed joint | site; its shapes belong to the body that it is fixed to |
//! | link without `inertial` between two joints | axis of a `universal` or `stack` joint |
//! | `revolute`, `continuous`, `prismatic` | `revolute`, `prismatic` |
//! | `planar` | `stack` of two slides and a hinge about the normal |
//! | `fixed`, `floating` | `weld`, free body |
//! | `effort`, `damping`, `friction` | `max_effort`, `damping`, `friction` |
//! | `transmission` | actuator |
//! | root link | fixed or free body; an empty link called `world` is the world |

mod export;
mod import;
mod planar;
mod rpy;

pub use export::{Exported, ExportedFile, export};
pub(crate) use import::import;
pub use import::import_text;

/// Name of the root link that represents the world.
const WORLD: &str = "world";

/// Efforts, velocities and positions from this value on mean that there is no limit, because URDF requires a number.
const UNLIMITED: f64 = 1e9;
