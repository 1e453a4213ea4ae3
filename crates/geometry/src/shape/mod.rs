//! The shapes. Shapes of revolution have their axis along z; the origin is where a user expects it (the middle of a
//! box, half way up a cone), which need not be the centre of mass.

mod bounds;
mod compound;
mod height_field;
mod mass;
mod mesh;
mod primitives;
mod prism_shape;
pub mod tessellation;

pub use compound::{Compound, MAX_PARTS, Node, NodeBounds, Part};
pub use height_field::{HeightField, MAX_SAMPLES_PER_SIDE, Prism};
pub use mesh::{Decomposition, Mesh};
pub use primitives::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Sphere};
pub use prism_shape::PrismShape;

use std::sync::Arc;

use glam::DVec3;

use crate::Polyhedron;

/// A convex body known by its support function.
pub trait Convex {
    /// A point of the body farthest along `direction` (any length but zero), in the body's frame.
    fn support(&self, direction: DVec3) -> DVec3;
}

/// Any shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A cylinder with round ends.
    Capsule(Capsule),
    /// A cylinder with flat ends.
    Cylinder(Cylinder),
    /// A cone.
    Cone(Cone),
    /// A cone with its tip cut off.
    Frustum(Frustum),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// All space below a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// Convex parts fixed to each other.
    Compound(Arc<Compound>),
    /// The inside of a closed triangle mesh.
    Mesh(Arc<Mesh>),
    /// Terrain.
    HeightField(Arc<HeightField>),
}

impl Shape {
    /// The kind of shape in a word, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Cuboid(_) => "box",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Frustum(_) => "frustum",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::HalfSpace(_) => "half-space",
            Self::Polyhedron(_) => "polyhedron",
            Self::Compound(_) => "compound",
            Self::Mesh(_) => "mesh",
            Self::HeightField(_) => "height field",
        }
    }
}
