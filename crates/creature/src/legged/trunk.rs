//! The trunk: an ellipsoid with the same volume in all creatures, so that none has an advantage by being light (Arnold
//! (1997) section 3.2.1).
//!
//! The semi-axes are `s_i = r exp(d_i)`, where r is the radius of the sphere of that volume. The volume is preserved if
//! the sum of the d_i is zero. For trunks that are too long or too flat, all d_i are scaled by the same factor, which
//! preserves the sum.

use std::f64::consts::PI;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::settings::{Change, LeggedSettings};
use crate::bounds::require;
use crate::random::Random;

/// Volume of every trunk, in m^3.
pub const TRUNK_VOLUME: f64 = 0.01;

/// Maximum ratio of a semi-axis to the radius of a sphere of the same volume, and of that radius to a semi-axis.
const MAX_STRETCH: f64 = 2.2;

/// An ellipsoid of constant volume.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trunk {
    /// Half its length (x), width (y) and height (z), in m.
    pub semi_axes: DVec3,
}

impl Trunk {
    /// Creates a trunk with the given proportions, as far as the bounds allow.
    pub fn new(proportions: DVec3) -> Self {
        let logarithm = |side: f64| if side > 0.0 && side.is_finite() { libm::log(side) } else { 0.0 };
        let logs = DVec3::new(logarithm(proportions.x), logarithm(proportions.y), logarithm(proportions.z));
        let from_sphere = logs - DVec3::splat(logs.element_sum() / 3.0);
        let share = (libm::log(MAX_STRETCH) / from_sphere.abs().max_element()).min(1.0);
        let axis = |d: f64| Self::sphere_radius() * libm::exp(d * share);
        Self { semi_axes: DVec3::new(axis(from_sphere.x), axis(from_sphere.y), axis(from_sphere.z)) }
    }

    fn sphere_radius() -> f64 {
        libm::cbrt(0.75 * TRUNK_VOLUME / PI)
    }

    /// Returns the volume, in m^3.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.semi_axes.element_product()
    }

    /// Returns a random trunk, which is on average longer than wide and wider than high.
    pub(super) fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let mut side = |mean: f64| mean * libm::exp(random.normal(settings.trunk_spread));
        Self::new(DVec3::new(side(2.0), side(1.2), side(1.0)))
    }

    pub(super) fn mutate(&mut self, change: &Change, random: &mut Random) {
        let mut side = |length: f64| change.mutate(length, [0.01, 1.0], random);
        let moved = DVec3::new(side(self.semi_axes.x), side(self.semi_axes.y), side(self.semi_axes.z));
        // Unchanged values keep their bits.
        if moved != self.semi_axes {
            *self = Self::new(moved);
        }
    }

    /// Returns the mean of two trunks, scaled to the constant volume. Equal trunks keep their bits.
    pub(super) fn between(&self, other: &Self) -> Self {
        if self == other { *self } else { Self::new(0.5 * (self.semi_axes + other.semi_axes)) }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        // Rounding in the operators is far below a millionth; files written by hand need not be more exact.
        let tolerance = 1.000_001;
        require("the volume of the trunk", self.volume(), [TRUNK_VOLUME / tolerance, TRUNK_VOLUME * tolerance])?;
        let bounds =
            [Self::sphere_radius() / (MAX_STRETCH * tolerance), Self::sphere_radius() * MAX_STRETCH * tolerance];
        self.semi_axes.to_array().into_iter().try_for_each(|side| require("a semi-axis of the trunk", side, bounds))
    }
}
