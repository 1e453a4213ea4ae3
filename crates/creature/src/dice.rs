//! Random numbers with a seed: the same seed gives the same numbers everywhere.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The generator's name, for files that promise to be repeatable.
pub const GENERATOR: &str = "pcg64mcg";

/// A source of random choices.
#[derive(Debug, Clone)]
pub struct Dice(Pcg64Mcg);

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// For one purpose among many: run, generation and index, say. Different words give unrelated numbers.
    pub fn for_purpose(seed: u64, words: &[u64]) -> Self {
        Self::new(mixed(seed, words))
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// From `low` (included) to `high`; `low` where they are the same.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        if low < high { self.0.random_range(low..high) } else { low }
    }

    /// Every order of magnitude is as likely as any other.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// From 0 to `count` (excluded); 0 if there is nothing to choose from.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    /// One of several.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// Normally distributed with mean zero and a deviation (Box and Muller).
    pub fn normal(&mut self, deviation: f64) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.between(0.0, 1.0)));
        deviation * radius * libm::cos(self.between(0.0, 2.0 * PI))
    }

    /// A vector whose components are normally distributed.
    pub fn normal_vector(&mut self, deviation: f64) -> DVec3 {
        DVec3::new(self.normal(deviation), self.normal(deviation), self.normal(deviation))
    }

    /// A unit vector, every direction as likely as any other.
    pub fn direction(&mut self) -> DVec3 {
        let (height, angle) = (self.between(-1.0, 1.0), self.between(0.0, 2.0 * PI));
        let radius = libm::sqrt((1.0 - height * height).max(0.0));
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), height)
    }

    /// A rotation about any axis by a normally distributed angle, in rad.
    pub fn turn(&mut self, deviation: f64) -> DQuat {
        let (axis, angle) = (self.direction(), self.normal(deviation));
        DQuat::from_axis_angle(axis, angle)
    }
}

/// Mixes words into a seed (the finaliser of SplitMix64 on each).
pub fn mixed(seed: u64, words: &[u64]) -> u64 {
    let finish = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    words.iter().fold(finish(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)), |mixed, &word| {
        finish(mixed.rotate_left(17) ^ word.wrapping_add(0x9e37_79b9_7f4a_7c15))
    })
}
