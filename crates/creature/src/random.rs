//! Seeded random numbers. The same seed gives the same numbers on every machine.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Name of the generator, for files that must be reproducible.
pub const GENERATOR: &str = "pcg64mcg";

/// A seeded random number generator.
#[derive(Debug, Clone)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Creates a generator for one purpose, such as (run, generation, index). Different words give unrelated numbers.
    pub fn for_purpose(seed: u64, words: &[u64]) -> Self {
        Self::new(mix_seed(seed, words))
    }

    /// Returns a uniformly distributed 64-bit number.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a uniformly distributed number from `low` (included) to `high`, or `low` if the range is empty.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        if low < high { self.0.random_range(low..high) } else { low }
    }

    /// Returns a number from `low` to `high` whose logarithm is uniformly distributed.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// Returns an index from 0 to `count` (excluded), or 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    /// Returns one of several items.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// Returns true with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// Returns a normally distributed number with mean 0 and the given standard deviation (Box-Muller).
    pub fn normal(&mut self, deviation: f64) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.between(0.0, 1.0)));
        deviation * radius * libm::cos(self.between(0.0, 2.0 * PI))
    }

    /// Returns a vector with normally distributed components.
    pub fn normal_vector(&mut self, deviation: f64) -> DVec3 {
        DVec3::new(self.normal(deviation), self.normal(deviation), self.normal(deviation))
    }

    /// Returns a uniformly distributed unit vector.
    pub fn direction(&mut self) -> DVec3 {
        let (height, angle) = (self.between(-1.0, 1.0), self.between(0.0, 2.0 * PI));
        let radius = libm::sqrt((1.0 - height * height).max(0.0));
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), height)
    }

    /// Returns a rotation about a random axis by a normally distributed angle, in rad.
    pub fn turn(&mut self, deviation: f64) -> DQuat {
        let (axis, angle) = (self.direction(), self.normal(deviation));
        DQuat::from_axis_angle(axis, angle)
    }
}

/// Mixes words into a seed by applying the finalizer of SplitMix64 to each.
pub fn mix_seed(seed: u64, words: &[u64]) -> u64 {
    let finish = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    words.iter().fold(finish(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)), |mixed, &word| {
        finish(mixed.rotate_left(17) ^ word.wrapping_add(0x9e37_79b9_7f4a_7c15))
    })
}
