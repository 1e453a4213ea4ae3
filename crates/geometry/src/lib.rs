//! Shapes and their geometric properties: features, bounding boxes, mass properties, sphere trees.
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
pub mod manifold;
mod mass;
mod mesh;
pub mod mesh_file;
mod polyhedron;
mod pose;
pub mod shape;
pub mod space;
mod sphere_tree;

/// Re-export of glam, so that all crates use the same version of its types.
pub use glam;

pub use aabb::{Aabb, Flight};
pub use error::GeometryError;
pub use mass::MassProperties;
pub use mesh::{MeshError, TriangleMesh};
pub use mesh_file::{MeshFileError, load_mesh};
pub use polyhedron::{Edge, Face, Feature, Plane, Polyhedron, Side, Spoke};
pub use pose::{Pose, RelativePose};
pub use shape::{Convex, Shape};
pub use sphere_tree::{MAX_LEAVES, SphereNode, SphereTree, SphereTreeParameters};
