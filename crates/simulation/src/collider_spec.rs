//! A shape with all that makes it a part of a body, as users give it.

use std::sync::Arc;

use burgess_collision::broad_phase::Filter;
use burgess_geometry::{Pose, Shape};

use crate::material::MaterialId;

/// A shape to be fixed to a body.
#[derive(Debug, Clone)]
pub struct ColliderSpec {
    /// The shape.
    pub shape: Arc<Shape>,
    /// Where it is in the body's coordinates.
    pub pose: Pose,
    /// Its surface.
    pub material: MaterialId,
    /// In kg/m^3; for the mass of bodies that are not given one.
    pub density: f64,
    /// The groups that it is in, one bit each.
    pub group: u32,
    /// The groups that it touches, one bit each.
    pub mask: u32,
    /// Others are held so far away from its surface, in m; the margins of two shapes add up.
    pub margin: f64,
}

impl ColliderSpec {
    /// A shape of water's density at the body's origin, with the first material.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        let Filter { group, mask, .. } = Filter::default();
        let (pose, material) = (Pose::IDENTITY, MaterialId::default());
        Self { shape: shape.into(), pose, material, density: 1000.0, group, mask, margin: 0.0 }
    }

    /// Puts it somewhere in the body's coordinates.
    pub fn at(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Gives it a surface.
    pub fn of(mut self, material: MaterialId) -> Self {
        self.material = material;
        self
    }

    /// Holds others away from its surface, in m.
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Gives it a density, in kg/m^3.
    pub fn with_density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }
}
