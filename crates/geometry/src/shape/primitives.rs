//! The primitive shapes and their dimensions.

use std::sync::Arc;

use glam::DVec3;

use super::Convex;
use crate::{GeometryError, Polyhedron};

/// Returns `value` if it is positive and finite.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(GeometryError::NotPositive { what, value }) }
}

/// A ball around the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Radius, in metres.
    pub radius: f64,
}

impl Sphere {
    /// Creates a sphere. The radius must be positive.
    pub fn new(radius: f64) -> Result<Self, GeometryError> {
        Ok(Self { radius: positive("radius of the sphere", radius)? })
    }
}

impl Convex for Sphere {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.radius * direction.normalize_or_zero()
    }
}

/// A box around the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuboid {
    /// Half the side lengths, in metres.
    pub half_extents: DVec3,
    /// The box as a polyhedron with features, for V-Clip.
    pub polyhedron: Arc<Polyhedron>,
}

impl Cuboid {
    /// Creates a box. The half extents must be positive.
    pub fn new(half_extents: DVec3) -> Result<Self, GeometryError> {
        Ok(Self { half_extents, polyhedron: Arc::new(Polyhedron::cuboid(half_extents)?) })
    }
}

impl Convex for Cuboid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half_extents.copysign(direction)
    }
}

/// A cylinder along z with hemispherical ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// Radius, in metres.
    pub radius: f64,
    /// Half the length of the inner segment, in metres.
    pub half_length: f64,
}

impl Capsule {
    /// Creates a capsule. The radius and the half length must be positive.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive("radius of the capsule", radius)?,
            half_length: positive("half length of the capsule", half_length)?,
        })
    }
}

impl Convex for Capsule {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.radius * direction.normalize_or_zero() + DVec3::new(0.0, 0.0, self.half_length.copysign(direction.z))
    }
}

/// A cylinder along z around the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// Radius, in metres.
    pub radius: f64,
    /// Half the height, in metres.
    pub half_length: f64,
}

impl Cylinder {
    /// Creates a cylinder. The radius and the half length must be positive.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive("radius of the cylinder", radius)?,
            half_length: positive("half length of the cylinder", half_length)?,
        })
    }
}

impl Convex for Cylinder {
    fn support(&self, direction: DVec3) -> DVec3 {
        Frustum { bottom_radius: self.radius, top_radius: self.radius, half_length: self.half_length }
            .support(direction)
    }
}

/// A cone along z: base at `-half_length`, tip at `+half_length`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Radius of the base, in metres.
    pub radius: f64,
    /// Half the height, in metres.
    pub half_length: f64,
}

impl Cone {
    /// Creates a cone. The radius and the half length must be positive.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: positive("radius of the cone", radius)?,
            half_length: positive("half length of the cone", half_length)?,
        })
    }
}

impl Convex for Cone {
    fn support(&self, direction: DVec3) -> DVec3 {
        Frustum { bottom_radius: self.radius, top_radius: 0.0, half_length: self.half_length }.support(direction)
    }
}

/// A truncated cone along z: one radius at `-half_length`, another at `+half_length`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    /// Radius at the bottom, in metres.
    pub bottom_radius: f64,
    /// Radius at the top, in metres.
    pub top_radius: f64,
    /// Half the height, in metres.
    pub half_length: f64,
}

impl Frustum {
    /// Creates a frustum. Both radii and the half length must be positive.
    pub fn new(bottom_radius: f64, top_radius: f64, half_length: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            bottom_radius: positive("bottom radius of the frustum", bottom_radius)?,
            top_radius: positive("top radius of the frustum", top_radius)?,
            half_length: positive("half length of the frustum", half_length)?,
        })
    }
}

impl Convex for Frustum {
    fn support(&self, direction: DVec3) -> DVec3 {
        let radial = DVec3::new(direction.x, direction.y, 0.0).normalize_or_zero();
        let bottom = self.bottom_radius * radial - DVec3::new(0.0, 0.0, self.half_length);
        let top = self.top_radius * radial + DVec3::new(0.0, 0.0, self.half_length);
        if direction.dot(top) >= direction.dot(bottom) { top } else { bottom }
    }
}

/// An ellipsoid around the origin with its axes along x, y and z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// Semi-axes along x, y and z, in metres.
    pub semi_axes: DVec3,
}

impl Ellipsoid {
    /// Creates an ellipsoid. The semi-axes must be positive.
    pub fn new(semi_axes: DVec3) -> Result<Self, GeometryError> {
        for value in semi_axes.to_array() {
            positive("semi-axis of the ellipsoid", value)?;
        }
        Ok(Self { semi_axes })
    }
}

impl Convex for Ellipsoid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.semi_axes * (self.semi_axes * direction).normalize_or_zero()
    }
}

/// All points with z <= 0: flat ground. It is always fixed and has no mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HalfSpace;

impl Convex for Polyhedron {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.vertices()[self.support_from(direction, 0) as usize]
    }
}
