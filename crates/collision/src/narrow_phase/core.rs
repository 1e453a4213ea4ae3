//! Convex shapes for GJK: a core with a support function, and a radius around it.
//!
//! A sphere is a point with a radius, a capsule is a segment with a radius. While the cores are separated, the radii
//! are handled exactly, and only the cores are searched.

use burgess_geometry::shape::Frustum;
use burgess_geometry::{Convex, Polyhedron, Shape};
use glam::DVec3;

use super::closest_sphere_frustum::{frustum_of_cone, frustum_of_cylinder};

/// The core of a convex shape, in its own frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum Core<'a> {
    Point,
    /// A segment along z, given by half its length.
    Segment(f64),
    /// A box, given by its half extents.
    Cuboid(DVec3),
    /// A cylinder, cone or frustum.
    Frustum(Frustum),
    /// An ellipsoid, given by its semi-axes.
    Ellipsoid(DVec3),
    Polyhedron(&'a Polyhedron),
    /// The hull of a few points: the prism below a triangle.
    Prism([DVec3; 6]),
}

/// A core with its radius, and the vertex at which the next support search starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundedCore<'a> {
    pub core: Core<'a>,
    /// Radius, in metres.
    pub radius: f64,
    last_vertex: u32,
}

impl<'a> From<Core<'a>> for RoundedCore<'a> {
    fn from(core: Core<'a>) -> Self {
        Self::new(core, 0.0)
    }
}

impl<'a> RoundedCore<'a> {
    pub fn new(core: Core<'a>, radius: f64) -> Self {
        Self { core, radius, last_vertex: 0 }
    }

    /// Returns the core of a bounded convex shape; `None` for other shapes.
    pub fn of_shape(shape: &'a Shape) -> Option<Self> {
        let (core, radius) = match shape {
            Shape::Sphere(sphere) => (Core::Point, sphere.radius),
            Shape::Capsule(capsule) => (Core::Segment(capsule.half_length), capsule.radius),
            Shape::Cuboid(cuboid) => (Core::Cuboid(cuboid.half_extents), 0.0),
            Shape::Cylinder(cylinder) => (Core::Frustum(frustum_of_cylinder(cylinder)), 0.0),
            Shape::Cone(cone) => (Core::Frustum(frustum_of_cone(cone)), 0.0),
            Shape::Frustum(frustum) => (Core::Frustum(*frustum), 0.0),
            Shape::Ellipsoid(ellipsoid) => (Core::Ellipsoid(ellipsoid.semi_axes), 0.0),
            Shape::Polyhedron(polyhedron) => (Core::Polyhedron(polyhedron), 0.0),
            _ => return None,
        };
        Some(Self::new(core, radius))
    }

    /// Returns a point of the core farthest along `direction`, which need not be a unit vector.
    pub fn support(&mut self, direction: DVec3) -> DVec3 {
        match &self.core {
            Core::Point => DVec3::ZERO,
            Core::Segment(half_length) => DVec3::new(0.0, 0.0, half_length.copysign(direction.z)),
            Core::Cuboid(half_extents) => half_extents.copysign(direction),
            Core::Frustum(frustum) => frustum.support(direction),
            Core::Ellipsoid(semi_axes) => *semi_axes * (*semi_axes * direction).normalize_or_zero(),
            Core::Polyhedron(polyhedron) => {
                self.last_vertex = polyhedron.support_from(direction, self.last_vertex);
                polyhedron.vertices()[self.last_vertex as usize]
            }
            Core::Prism(points) => {
                let mut best = points[0];
                for &point in &points[1..] {
                    if direction.dot(point) > direction.dot(best) {
                        best = point;
                    }
                }
                best
            }
        }
    }

    /// Returns the largest extent of the core, in metres. Rounding errors scale with it.
    pub fn size(&self) -> f64 {
        match &self.core {
            Core::Point => 0.0,
            Core::Segment(half_length) => *half_length,
            Core::Cuboid(half_extents) => half_extents.max_element(),
            Core::Frustum(frustum) => frustum.half_length.max(frustum.bottom_radius).max(frustum.top_radius),
            Core::Ellipsoid(semi_axes) => semi_axes.max_element(),
            Core::Polyhedron(polyhedron) => polyhedron.bounds().extents().max_element(),
            Core::Prism(points) => points.iter().map(|&p| (p - points[0]).abs().max_element()).fold(0.0, f64::max),
        }
    }
}
