//! Genes of joints (000 section 4.2): how many hinges, about which axes, how far.
//!
//! Three hinges in a row lose a degree of freedom when the first and the third become parallel, which only the angle t of the
//! second can bring about: the determinant of the three axes is
//!
//! ```text
//!   a1 x a2 . R(a2, t) a3  =  A cos t + B sin t,    A = a1 x a2 . a3,   B = a1 x a2 . (a2 x a3)
//! ```
//!
//! Axes are kept so far apart that |A| is at least 1/4, and growth narrows the limits of the second axis to where the
//! determinant stays above [`LEAST_DETERMINANT`].

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use arrayvec::ArrayVec;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::bounds;
use crate::bounds::require;
use crate::phenotype::JointAxis;

/// How many hinges a joint has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JointType {
    /// None: the parts are one piece.
    Rigid,
    /// One.
    Revolute,
    /// Two.
    Universal,
    /// Three.
    Ball,
}

/// How a part hangs on another. What the type does not use stays in the genes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointGene {
    /// How many of the axes it has.
    #[serde(rename = "type")]
    pub kind: JointType,
    /// Unit vectors in the joint's frame: z points away from the parent, along the child.
    pub axes: [DVec3; 3],
    /// Lowest and highest angle of each axis, in rad; zero is between them.
    pub limits: [[f64; 2]; 3],
}

/// Least determinant of three axes over the range of the second.
pub const LEAST_DETERMINANT: f64 = 0.15;

/// What was repaired once stays as it is.
const ROUNDING: f64 = 1e-12;

impl JointType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Revolute, Self::Universal, Self::Ball];

    /// How many axes it uses.
    pub fn axes(self) -> usize {
        self as usize
    }
}

impl JointGene {
    /// A joint whose axes turn by up to `limit` (rad) either way.
    pub fn new(kind: JointType, axes: [DVec3; 3], limit: f64) -> Self {
        Self { kind, axes, limits: [[-limit, limit]; 3] }
    }

    /// The axes that it uses, as a body has them.
    pub(super) fn grown(&self, mirrored: bool) -> ArrayVec<JointAxis, 3> {
        let mut limits = self.limits;
        if self.kind == JointType::Ball {
            limits[1] = self.well_conditioned_limit();
        }
        let direction = |axis: DVec3| if mirrored { mirrored_axis(axis) } else { axis };
        let axes = self.axes.iter().zip(limits).take(self.kind.axes());
        axes.map(|(&axis, limit)| JointAxis::new(direction(axis), limit)).collect()
    }

    /// Limits of the second axis within which the determinant of all three keeps its distance from zero.
    fn well_conditioned_limit(&self) -> [f64; 2] {
        let [a1, a2, a3] = self.axes;
        let across = a1.cross(a2);
        let (at_rest, slope) = (across.dot(a3), across.dot(a2.cross(a3)));
        let side = if at_rest < 0.0 { -1.0 } else { 1.0 };
        // side (A cos t + B sin t) = most cos(t - best).
        let (most, best) = (libm::hypot(at_rest, slope), libm::atan2(side * slope, side * at_rest));
        let reach = libm::acos((LEAST_DETERMINANT / most).min(1.0));
        let [low, high] = self.limits[1];
        [low.max(best - reach).min(0.0), high.min(best + reach).max(0.0)]
    }

    /// Is it one that operators could have made?
    pub(super) fn validate(&self) -> Result<(), String> {
        for axis in self.axes {
            require("the length of an axis of a joint", axis.length(), [1.0 - 1e-6, 1.0 + 1e-6])?;
        }
        // A little less than what repairs leave, for rounding.
        let least = bounds::AXIS_ANGLE - 1e-6;
        let [first, second, third] = self.axes;
        let apart = angle(first, second);
        require("the angle between the first two axes of a joint", apart, [least, std::f64::consts::PI - least])?;
        let above = (FRAC_PI_2 - angle(first.cross(second), third)).abs();
        require("the angle of the third axis of a joint to the plane of the others", above, [least, FRAC_PI_2])?;
        for [low, high] in self.limits {
            require("the lower limit of a joint", low, [-bounds::TURN[1], 0.0])?;
            require("the upper limit of a joint", high, [0.0, bounds::TURN[1]])?;
            require("the range of a joint", high - low, [bounds::TURN[0] - 1e-9, 2.0 * bounds::TURN[1]])?;
        }
        Ok(())
    }

    /// Brings all numbers within their bounds.
    pub(super) fn repair(&mut self) {
        let [first, second, third] = &mut self.axes;
        *first = unit(*first, DVec3::X);
        *second = away_from(unit(*second, DVec3::Y), *first);
        let normal = first.cross(*second).normalize_or(DVec3::Z);
        *third = away_from_plane(unit(*third, DVec3::Z), normal);
        let most = bounds::TURN[1];
        for [low, high] in &mut self.limits {
            *low = bounds::within(*low, [-most, 0.0], -FRAC_PI_4);
            *high = bounds::within(*high, [0.0, most], FRAC_PI_4);
            if *high - *low < bounds::TURN[0] {
                (*low, *high) = (-bounds::TURN[0], bounds::TURN[0]);
            }
        }
    }
}

/// An axis of rotation seen in a mirror (y to -y): equal angles turn mirror images in mirrored ways.
pub(super) fn mirrored_axis(axis: DVec3) -> DVec3 {
    DVec3::new(-axis.x, axis.y, -axis.z)
}

/// A unit vector, also of what is no direction. Unit vectors stay as they are to the last bit.
pub(super) fn unit(vector: DVec3, fallback: DVec3) -> DVec3 {
    if (vector.length_squared() - 1.0).abs() < ROUNDING { vector } else { vector.normalize_or(fallback) }
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

/// The unit vector nearest to `vector` that is at least the smallest angle from the line of `line`.
fn away_from(vector: DVec3, line: DVec3) -> DVec3 {
    let along = vector.dot(line);
    if along.abs() <= libm::cos(bounds::AXIS_ANGLE) + ROUNDING {
        return vector;
    }
    let across = (vector - along * line).normalize_or(line.any_orthonormal_vector());
    across * libm::sin(bounds::AXIS_ANGLE) + line * libm::cos(bounds::AXIS_ANGLE).copysign(along)
}

/// The unit vector nearest to `vector` that is at least the smallest angle above or below the plane with this normal.
fn away_from_plane(vector: DVec3, normal: DVec3) -> DVec3 {
    let above = vector.dot(normal);
    if above.abs() >= libm::sin(bounds::AXIS_ANGLE) - ROUNDING {
        return vector;
    }
    let within = (vector - above * normal).normalize_or(normal.any_orthonormal_vector());
    within * libm::cos(bounds::AXIS_ANGLE) + normal * libm::sin(bounds::AXIS_ANGLE).copysign(above)
}
