//! The description of a collider.

use std::sync::Arc;

use burgess_collision::broad_phase::Filter;
use burgess_geometry::{Pose, Shape};

use crate::material::MaterialId;

/// A shape to be fixed to a body.
#[derive(Debug, Clone)]
pub struct ColliderSpec {
    /// The shape.
    pub shape: Arc<Shape>,
    /// Pose in the body's coordinates.
    pub pose: Pose,
    /// Surface material.
    pub material: MaterialId,
    /// Density, in kg/m^3; used for bodies without a given mass.
    pub density: f64,
    /// Groups that it belongs to, one bit each.
    pub group: u32,
    /// Groups that it touches, one bit each.
    pub mask: u32,
    /// Distance at which others are held from its surface, in m; the margins of two shapes add up.
    pub margin: f64,
}

impl ColliderSpec {
    /// Creates a collider with the density of water at the body's origin, with the default material.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        let Filter { group, mask, .. } = Filter::default();
        let (pose, material) = (Pose::IDENTITY, MaterialId::default());
        Self { shape: shape.into(), pose, material, density: 1000.0, group, mask, margin: 0.0 }
    }

    /// Sets the pose in the body's coordinates.
    pub fn at(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Sets the surface material.
    pub fn of(mut self, material: MaterialId) -> Self {
        self.material = material;
        self
    }

    /// Sets the margin, in m.
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Sets the density, in kg/m^3.
    pub fn with_density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }
}
