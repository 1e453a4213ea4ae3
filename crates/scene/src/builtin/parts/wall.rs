//! A wall of 34 loose bricks (Fontijne (2000) figure 3.10): seven courses in half-brick bond with half bricks at their
//! ends, and three whole bricks on top.

use glam::DVec3;

use super::looks;
use crate::spec::{BodySpec, ShapeSpec};

/// Bricks in a course that begins with a whole one.
const LONG: usize = 4;
const COURSES: usize = 7;

/// A wall: size and material of its bricks, and its position.
pub struct Wall<'a> {
    /// Prefix of the names of the bricks.
    pub name: &'a str,
    /// Middle of its base, in m.
    pub foot: DVec3,
    /// Size of a whole brick: thickness of the wall (x), length along the wall (y) and height (z), in m.
    pub brick: DVec3,
    /// Gap between two bricks, in m.
    pub gap: f64,
    /// Density, in kg/m^3.
    pub density: f64,
    /// Name of the bricks' material.
    pub material: &'a str,
}

impl Wall<'_> {
    /// Returns the bricks, from the bottom up.
    pub fn bricks(&self) -> Vec<BodySpec> {
        let mut bricks = Vec::new();
        for course in 0..COURSES {
            let whole_first = course % 2 == 0;
            let mut start = 0.0;
            let count = if whole_first { LONG } else { LONG + 1 };
            for index in 0..count {
                let is_half = !whole_first && (index == 0 || index == count - 1);
                let length = if is_half { 0.5 } else { 1.0 };
                bricks.push(self.brick(bricks.len(), start + 0.5 * length, length, course));
                start += length;
            }
        }
        for index in 0..LONG - 1 {
            bricks.push(self.brick(bricks.len(), index as f64 + 1.0, 1.0, COURSES));
        }
        bricks
    }

    /// Returns one brick, given its middle along the wall and its length in whole bricks.
    fn brick(&self, number: usize, middle: f64, length: f64, course: usize) -> BodySpec {
        let pitch = self.brick + DVec3::splat(self.gap);
        let along = (middle - 0.5 * LONG as f64) * pitch.y;
        let center = DVec3::new(0.0, along, self.gap + 0.5 * self.brick.z + course as f64 * pitch.z);
        let size = DVec3::new(self.brick.x, length * pitch.y - self.gap, self.brick.z);
        let shape = ShapeSpec::cuboid(size).of(self.material).with_density(self.density);
        let mut body = BodySpec::new(format!("{} {}", self.name, number + 1), self.foot + center, [shape]);
        body.color = Some(looks::BRICK * (0.85 + 0.1 * ((number * 7) % 4) as f64 / 2.0));
        body
    }
}
