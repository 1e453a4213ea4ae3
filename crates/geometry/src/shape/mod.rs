//! The shapes. Shapes of revolution have their axis along z. The origin is at the usual place (the centre of a box,
//! half the height of a cone), which need not be the centre of mass.

mod bounds;
mod compound;
mod convex_decomposition;
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

/// A convex body defined by its support function.
pub trait Convex {
    /// Returns a point of the body farthest along `direction` (non-zero, of any length), in the body's frame.
    fn support(&self, direction: DVec3) -> DVec3;
}

/// A shape of any kind.
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
    /// A truncated cone.
    Frustum(Frustum),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// All points below a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// Convex parts fixed to each other.
    Compound(Arc<Compound>),
    /// The solid inside a closed triangle mesh.
    Mesh(Arc<Mesh>),
    /// Terrain.
    HeightField(Arc<HeightField>),
}

impl Shape {
    /// Returns the kind of the shape as a word for messages.
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
