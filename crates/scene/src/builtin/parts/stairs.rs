//! A flight of stairs.

use glam::DVec3;

use super::{looks, turned};
use crate::spec::{BodySpec, ShapeSpec};

/// A flight of stairs that rises along a heading.
pub struct Stairs<'a> {
    pub name: &'a str,
    /// Point in front of the middle of the lowest step, in m.
    pub foot: DVec3,
    /// Upward heading from x towards y, in degrees.
    pub heading: f64,
    pub steps: usize,
    /// Height of a step, in m.
    pub rise: f64,
    /// Depth of a step, in m.
    pub depth: f64,
    pub width: f64,
    /// Name of the material.
    pub material: &'a str,
}

impl Stairs<'_> {
    /// Returns the fixed body of the stairs.
    pub fn body(&self) -> BodySpec {
        let step = |index: usize| {
            let height = self.rise * (index + 1) as f64;
            let size = DVec3::new(self.depth, self.width, height);
            let center = DVec3::new(self.depth * (index as f64 + 0.5), 0.0, 0.5 * height);
            ShapeSpec::cuboid(size).of(self.material).at(center)
        };
        let mut body = BodySpec::fixed(self.name, self.foot, (0..self.steps).map(step));
        (body.orientation, body.color) = (turned(DVec3::Z, self.heading), Some(looks::STONE));
        body
    }
}
