//! Spatial vectors: motions (velocities, accelerations) and forces (forces, impulses).

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::DVec3;

/// Angular and linear velocity, or acceleration, of a body at a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Angular part, in rad/s (or rad/s^2).
    pub angular: DVec3,
    /// Linear part of the body's point at the reference point, in m/s (or m/s^2).
    pub linear: DVec3,
}

/// Moment about a point, and force; or their impulses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Force {
    /// Moment about the reference point, in N m (or N m s).
    pub moment: DVec3,
    /// Force, in N (or N s).
    pub force: DVec3,
}

impl Motion {
    /// Zero motion.
    pub const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// Creates a motion from its parts.
    #[inline]
    pub fn new(angular: DVec3, linear: DVec3) -> Self {
        Self { angular, linear }
    }

    /// Returns the same velocity about a point that is `offset` away from the present one.
    #[inline]
    pub fn shifted(&self, offset: DVec3) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(offset) }
    }

    /// Returns the power of a force about the same point.
    #[inline]
    pub fn dot(&self, force: &Force) -> f64 {
        self.angular.dot(force.moment) + self.linear.dot(force.force)
    }
}

impl Force {
    /// Zero force.
    pub const ZERO: Self = Self { moment: DVec3::ZERO, force: DVec3::ZERO };

    /// Creates a force from its parts.
    #[inline]
    pub fn new(moment: DVec3, force: DVec3) -> Self {
        Self { moment, force }
    }

    /// Creates a force that acts at a point `lever` away from the reference point.
    #[inline]
    pub fn at(force: DVec3, lever: DVec3) -> Self {
        Self { moment: lever.cross(force), force }
    }

    /// Returns the same force about a point from which the present one is `offset` away.
    #[inline]
    pub fn shifted_back(&self, offset: DVec3) -> Self {
        Self { moment: self.moment + offset.cross(self.force), force: self.force }
    }
}

macro_rules! linear_space {
    ($type:ident, $first:ident, $second:ident) => {
        impl Add for $type {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }
        impl AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $type {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl Neg for $type {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }
        impl Mul<f64> for $type {
            type Output = Self;
            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self { $first: self.$first * factor, $second: self.$second * factor }
            }
        }
    };
}

linear_space!(Motion, angular, linear);
linear_space!(Force, moment, force);
