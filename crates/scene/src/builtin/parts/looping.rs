//! A loop for cars that do not steer.
//!
//! The track is a strip on the inside of a cylinder whose axis is slightly rotated relative to the path of the car.
//! On the unrolled cylinder the car's path is a straight line, so it needs no steering: it leaves the loop beside the
//! entry, with the same heading. With the slant a, one turn shifts the lane by `2 pi R tan a` along the axis.

use glam::DVec3;

use super::{looks, turned};
use crate::spec::{BodySpec, HullShape, ShapeKind, ShapeSpec};

/// A loop that is entered along x at the origin.
pub struct Looping<'a> {
    pub name: &'a str,
    /// Radius, in m.
    pub radius: f64,
    /// Width of the track, in m.
    pub width: f64,
    /// Distance between the centres of the lanes in and out, along the axis, in m.
    pub shift: f64,
    /// Number of flat pieces per turn.
    pub pieces: usize,
    /// Name of the material.
    pub material: &'a str,
}

/// Thickness of the track, in m.
const THICKNESS: f64 = 0.1;

impl Looping<'_> {
    /// Returns the fixed body of the loop.
    pub fn body(&self) -> BodySpec {
        let slope = self.shift / (std::f64::consts::TAU * self.radius);
        let slant = libm::atan(slope);
        let corner = |piece: usize, radius: f64, side: f64| {
            let angle = std::f64::consts::TAU * piece as f64 / self.pieces as f64;
            let (sin, cos) = libm::sincos(angle);
            let along_axis = self.radius * angle * slope + side * 0.5 * self.width;
            DVec3::new(radius * sin, along_axis, self.radius - radius * cos)
        };
        let piece = |index: usize| {
            let mut points = Vec::with_capacity(8);
            for end in [index, index + 1] {
                for radius in [self.radius, self.radius + THICKNESS] {
                    points.extend([-1.0, 1.0].map(|side| corner(end, radius, side)));
                }
            }
            ShapeSpec::new(ShapeKind::Hull(HullShape { points })).of(self.material)
        };
        let mut body = BodySpec::fixed(self.name, DVec3::ZERO, (0..self.pieces).map(piece));
        (body.orientation, body.color) = (turned(DVec3::Z, -slant.to_degrees()), Some(looks::BLUE));
        body
    }
}
