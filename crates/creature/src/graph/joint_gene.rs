//! Genes of joints (Fontijne (2000) section 4.2): the number of hinges, their axes and limits.
//!
//! Three hinges in series lose a degree of freedom when the first and the third become parallel. This depends only on
//! the angle t of the second: the determinant of the three axes is
//!
//! ```text
//!   a1 x a2 . R(a2, t) a3  =  A cos t + B sin t,    A = a1 x a2 . a3,   B = a1 x a2 . (a2 x a3)
//! ```
//!
//! The axes are kept so far apart that |A| is at least 1/4, and growth narrows the limits of the second axis to
//! where the determinant stays above [`MIN_DETERMINANT`].

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use arrayvec::ArrayVec;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::bounds;
use crate::bounds::require;
use crate::phenotype::JointAxis;

/// The number of hinges of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JointType {
    /// No hinge: the parts are rigidly attached.
    Rigid,
    /// One hinge.
    Revolute,
    /// Two hinges.
    Universal,
    /// Three hinges.
    Ball,
}

/// How the brain drives a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JointDrive {
    /// Effectors are efforts, and limits are hard (Fontijne 2000, Sims 1994).
    #[default]
    Effort,
    /// Effectors are angles that springs pull towards, as fractions of the limits, and limits are springs.
    Servo,
}

/// The gene of a joint. Members that the type does not use are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointGene {
    /// Type, which determines how many of the axes are used.
    #[serde(rename = "type")]
    pub kind: JointType,
    /// Unit vectors in the joint's frame, where z points away from the parent, along the child.
    pub axes: [DVec3; 3],
    /// Lowest and highest angle of each axis, in rad; zero is between them.
    pub limits: [[f64; 2]; 3],
    /// How the brain drives it.
    #[serde(default)]
    pub drive: JointDrive,
}

/// Minimum determinant of three axes over the range of the second.
pub const MIN_DETERMINANT: f64 = 0.15;

/// Tolerance within which values count as valid, so that a repaired gene is not changed again.
const TOLERANCE: f64 = 1e-12;

impl JointType {
    /// All types.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Revolute, Self::Universal, Self::Ball];

    /// Returns the number of axes that the type uses.
    pub fn axes(self) -> usize {
        self as usize
    }
}

impl JointGene {
    /// Creates a joint whose axes turn by up to `limit` (rad) to either side.
    pub fn new(kind: JointType, axes: [DVec3; 3], limit: f64) -> Self {
        Self { kind, axes, limits: [[-limit, limit]; 3], drive: JointDrive::Effort }
    }

    /// Returns the axes that the type uses, for a body.
    pub(super) fn grown(&self, mirrored: bool) -> ArrayVec<JointAxis, 3> {
        let mut limits = self.limits;
        if self.kind == JointType::Ball {
            limits[1] = self.well_conditioned_limit();
        }
        let direction = |axis: DVec3| if mirrored { mirrored_axis(axis) } else { axis };
        let axes = self.axes.iter().zip(limits).take(self.kind.axes());
        axes.map(|(&axis, limit)| JointAxis::new(direction(axis), limit)).collect()
    }

    /// Returns limits of the second axis within which the determinant of all three stays away from zero.
    fn well_conditioned_limit(&self) -> [f64; 2] {
        let [a1, a2, a3] = self.axes;
        let across = a1.cross(a2);
        let (at_rest, slope) = (across.dot(a3), across.dot(a2.cross(a3)));
        let side = if at_rest < 0.0 { -1.0 } else { 1.0 };
        // side (A cos t + B sin t) = max cos(t - best).
        let (most, best) = (libm::hypot(at_rest, slope), libm::atan2(side * slope, side * at_rest));
        let reach = libm::acos((MIN_DETERMINANT / most).min(1.0));
        let [low, high] = self.limits[1];
        [low.max(best - reach).min(0.0), high.min(best + reach).max(0.0)]
    }

    /// Checks that the operators could have made this gene. The error is the reason.
    pub(super) fn validate(&self) -> Result<(), String> {
        for axis in self.axes {
            require("the length of an axis of a joint", axis.length(), [1.0 - 1e-6, 1.0 + 1e-6])?;
        }
        // A margin for rounding in the repair.
        let least = bounds::AXIS_ANGLE - 1e-6;
        let [first, second, third] = self.axes;
        let separation = angle(first, second);
        require("the angle between the first two axes of a joint", separation, [least, std::f64::consts::PI - least])?;
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

/// Returns the mirror image (y to -y) of a rotation axis. Equal angles then give mirrored motion.
pub(super) fn mirrored_axis(axis: DVec3) -> DVec3 {
    DVec3::new(-axis.x, axis.y, -axis.z)
}

/// Normalizes a vector, with a fallback for those without a direction. Unit vectors keep their bits.
pub(super) fn unit(vector: DVec3, fallback: DVec3) -> DVec3 {
    if (vector.length_squared() - 1.0).abs() < TOLERANCE { vector } else { vector.normalize_or(fallback) }
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

/// Returns the unit vector nearest to `vector` with at least the minimum angle to a line.
fn away_from(vector: DVec3, line: DVec3) -> DVec3 {
    let along = vector.dot(line);
    if along.abs() <= libm::cos(bounds::AXIS_ANGLE) + TOLERANCE {
        return vector;
    }
    let across = direction_of(vector - along * line, line.any_orthonormal_vector());
    across * libm::sin(bounds::AXIS_ANGLE) + line * libm::cos(bounds::AXIS_ANGLE).copysign(along)
}

/// Returns the unit vector nearest to `vector` with at least the minimum angle to the plane with this normal.
fn away_from_plane(vector: DVec3, normal: DVec3) -> DVec3 {
    let above = vector.dot(normal);
    if above.abs() >= libm::sin(bounds::AXIS_ANGLE) - TOLERANCE {
        return vector;
    }
    let within = direction_of(vector - above * normal, normal.any_orthonormal_vector());
    within * libm::cos(bounds::AXIS_ANGLE) + normal * libm::sin(bounds::AXIS_ANGLE).copysign(above)
}

/// Normalizes the rest of a unit vector. A rest that is only rounding has any direction, so the fallback is used.
fn direction_of(rest: DVec3, fallback: DVec3) -> DVec3 {
    if rest.length() > 1e-9 { rest.normalize() } else { fallback }
}
