//! Shapes and what can be said of them alone: features, boxes, mass, sphere trees.
//!
//! Lengths are metres, masses kilograms, angles radians; frames are right-handed.
//!
//! ```
//! use burgess_geometry::Polyhedron;
//! use glam::DVec3;
//!
//! let cube = Polyhedron::cuboid(DVec3::splat(0.5)).unwrap();
//! assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
//! ```

mod aabb;
mod error;
mod hull;
mod mass;
mod polyhedron;
mod pose;
pub mod shape;

pub use aabb::{Aabb, Flight};
pub use error::GeometryError;
pub use mass::MassProperties;
pub use polyhedron::{Edge, Face, Feature, Plane, Polyhedron, Side, Spoke};
pub use pose::{Pose, RelativePose};
pub use shape::{Convex, Shape};
