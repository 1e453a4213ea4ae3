//! Random numbers with a seed.

use burgess_scene::spec::Orientation;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{MATERIALS, material_name};

/// A source of random choices.
#[derive(Debug)]
pub(super) struct Random(Pcg64Mcg);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// Every order of magnitude is as likely as any other.
    pub(super) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    pub(super) fn vector(&mut self, most: f64) -> DVec3 {
        DVec3::new(self.between(-most, most), self.between(-most, most), self.between(-most, most))
    }

    pub(super) fn direction(&mut self) -> DVec3 {
        loop {
            let vector = self.vector(1.0);
            let length = vector.length();
            if length > 0.1 && length < 1.0 {
                return vector / length;
            }
        }
    }

    pub(super) fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.between(-std::f64::consts::PI, std::f64::consts::PI));
        DQuat::from_axis_angle(axis, angle)
    }

    pub(super) fn orientation(&mut self) -> Orientation {
        Orientation::from_quaternion(self.rotation())
    }

    pub(super) fn material(&mut self) -> String {
        material_name(self.below(MATERIALS))
    }
}
