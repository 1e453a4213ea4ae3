//! Random numbers with a seed.

use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A source of random choices. The same seed gives the same choices on every machine.
#[derive(Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// Creates the source of one world of a family.
    pub fn new(seed: u64, family: &str, index: u64) -> Self {
        // FNV-1a over the name, the index and the seed.
        let bytes = family.bytes().chain(index.to_le_bytes()).chain(seed.to_le_bytes());
        let hash = bytes
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        Self(Pcg64Mcg::seed_from_u64(hash))
    }

    /// Returns a number in a range.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// Returns a number in a range of positive numbers, with all orders of magnitude equally likely.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// Returns an integer below a count.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    /// Returns true with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// Returns a unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let vector = DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let length = vector.length();
            if length > 0.1 && length < 1.0 {
                return vector / length;
            }
        }
    }

    /// Returns a horizontal unit vector.
    pub fn heading(&mut self) -> DVec3 {
        let (sin, cos) = libm::sincos(self.between(0.0, core::f64::consts::TAU));
        DVec3::new(cos, sin, 0.0)
    }

    /// Returns a rotation.
    pub fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.between(-core::f64::consts::PI, core::f64::consts::PI));
        DQuat::from_axis_angle(axis, angle)
    }

    /// Returns a density, in kg/m^3.
    pub fn density(&mut self) -> f64 {
        self.magnitude(200.0, 8000.0)
    }
}
