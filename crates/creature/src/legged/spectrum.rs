//! Actuator functions in the frequency domain (Arnold (1997) section 3.2.2).
//!
//! ```text
//!   h_k = 1/N sum_{n=0}^{N-1} H_n exp(-2 pi i k n / N),    H_{N-n} = conj(H_n)
//! ```
//!
//! h is real, so only the lower half is stored: `H_0`, which is real, and `H_1` to `H_{N/2-1}`; `H_{N/2}` is zero.
//! Sample k is at the time k Delta. The function is linear between samples and has the period N Delta.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::bounds::{bounded, random_in};
use super::settings::{Change, LeggedSettings};
use crate::bounds::require;
use crate::random::Random;

/// Bounds of Delta, in s.
pub const SAMPLE_TIME: [f64; 2] = [0.005, 0.25];

/// Maximum number of periods in one period of the shared clock.
pub const MAX_HARMONIC: u32 = 3;

/// Maximum number of coefficients besides `H_0`: N is at most 64.
const MAX_COEFFICIENTS: usize = 31;

/// An actuator function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spectrum {
    /// `H_0`, N times the mean angle, in rad.
    pub constant: f64,
    /// Real and imaginary part of `H_1` to `H_{N/2-1}`, N/2 times the amplitude, in rad.
    pub coefficients: Vec<[f64; 2]>,
    /// Initial position in the period, from 0 to 1.
    pub shift: f64,
    /// Delta, in s, used if the joint has its own clock.
    pub sample_time: f64,
    /// Number of periods in one period of the shared clock.
    pub harmonic: u32,
}

impl Spectrum {
    /// Returns the number of samples N.
    pub fn sample_count(&self) -> usize {
        2 * (self.coefficients.len() + 1)
    }

    /// Returns the period N Delta, in s.
    pub fn period(&self) -> f64 {
        self.sample_count() as f64 * self.sample_time
    }

    /// Returns h at the N sample times of a period, in rad.
    pub fn samples(&self) -> Vec<f64> {
        let count = self.sample_count();
        // Reduce the angle to one turn, for accuracy.
        let angle = |turns: usize| 2.0 * PI * (turns % count) as f64 / count as f64;
        let value = |k: usize| {
            let sum = self.coefficients.iter().zip(1..).fold(self.constant, |sum, ([real, imaginary], n)| {
                // H_n and its conjugate together are twice the real part of H_n exp(-i angle).
                sum + 2.0 * (real * libm::cos(angle(k * n)) + imaginary * libm::sin(angle(k * n)))
            });
            sum / count as f64
        };
        (0..count).map(value).collect()
    }

    pub(super) fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let count = settings.sample_count();
        let draw = Change { rate: 1.0, deviation: settings.amplitude };
        let mut zero = Self {
            constant: 0.0,
            coefficients: vec![[0.0; 2]; count / 2 - 1],
            shift: random.between(0.0, 1.0),
            sample_time: bounded(random_in(settings.periods, random) / count as f64, SAMPLE_TIME),
            harmonic: if random.chance(0.25) { 2 } else { 1 },
        };
        zero.displace(&draw, settings.decay, random);
        // Halve the mean, because limbs that never return to their rest position are of little use.
        zero.constant *= 0.5;
        zero
    }

    /// Adds normally distributed numbers whose variance decays exponentially with frequency.
    fn displace(&mut self, change: &Change, decay: f64, random: &mut Random) {
        let count = self.sample_count() as f64;
        let bounds = [-PI * count, PI * count];
        self.constant = change.scaled(count).mutate(self.constant, bounds, random);
        for (coefficient, above) in self.coefficients.iter_mut().zip(0..) {
            let change = change.scaled(0.5 * count * libm::exp(-0.5 * decay * f64::from(above)));
            for part in coefficient {
                *part = change.mutate(*part, bounds, random);
            }
        }
    }

    pub(super) fn mutate(&mut self, settings: &LeggedSettings, random: &mut Random) {
        let mutation = &settings.mutation;
        self.displace(&mutation.spectra, settings.decay, random);
        let shift = mutation.shifts.mutate(self.shift, [-1.0, 2.0], random);
        let share = shift - libm::floor(shift);
        // A tiny step back from zero rounds to one.
        self.shift = if share < 1.0 { share } else { 0.0 };
        let time = self.sample_time;
        self.sample_time = mutation.time_scales.scaled(time).mutate(time, SAMPLE_TIME, random);
        if random.chance(mutation.harmonics) {
            self.harmonic = 1 + random.below(MAX_HARMONIC as usize) as u32;
        }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        if self.coefficients.is_empty() || self.coefficients.len() > MAX_COEFFICIENTS {
            let (count, most) = (self.coefficients.len(), MAX_COEFFICIENTS);
            return Err(format!("a spectrum has {count} coefficients besides the constant, expected 1 to {most}"));
        }
        let bound = PI * self.sample_count() as f64;
        let parts = self.coefficients.iter().flatten().chain([&self.constant]);
        if let Some(part) = parts.into_iter().find(|part| !(-bound..=bound).contains(*part)) {
            return Err(format!("a coefficient of a spectrum is {part}, expected {bound} at most"));
        }
        require("the shift of a spectrum", self.shift, [0.0, 1.0])?;
        require("the sample time of a spectrum", self.sample_time, SAMPLE_TIME)?;
        require("the harmonic of a spectrum", f64::from(self.harmonic), [1.0, f64::from(MAX_HARMONIC)])
    }
}
