//! Muscle work and motion of the joints.

use burgess_simulation::SimulationData;

use super::MeasureSheet;
use crate::evaluation::anatomy::Anatomy;
use crate::evaluation::gait;
use crate::task::{MAX_TRIAL_TIME, Measure};

/// Minimum range of an axis that counts as active, in rad.
const ACTIVE_RANGE: f64 = 0.1;
/// Root mean square acceleration at which the smoothness is 1/2, in rad/s^2.
const HALF_SMOOTH_ACCELERATION: f64 = 100.0;

/// Muscles and joints of a creature.
#[derive(Debug)]
pub(super) struct Joints {
    energy: f64,
    work: f64,
    /// Rate of each axis at the last step.
    rates: Vec<f64>,
    /// Rate of each axis at the last sample.
    sampled_rates: Vec<f64>,
    acceleration_square_sum: f64,
    accelerations: u64,
    /// Lowest and highest angle of each axis.
    ranges: Vec<[f64; 2]>,
    /// Weighted sum of all angles at each sample.
    gait: Vec<f64>,
}

impl Joints {
    pub fn new(axes: usize, duration: f64) -> Self {
        Self {
            energy: 0.0,
            work: 0.0,
            rates: vec![0.0; axes],
            sampled_rates: vec![0.0; axes],
            acceleration_square_sum: 0.0,
            accelerations: 0,
            ranges: vec![[f64::INFINITY, f64::NEG_INFINITY]; axes],
            gait: Vec::with_capacity((duration.min(MAX_TRIAL_TIME) * gait::RATE) as usize + 8),
        }
    }

    pub fn begin(&mut self, anatomy: &Anatomy, data: &SimulationData) {
        for (index, axis) in anatomy.axes.iter().enumerate() {
            self.rates[index] = data.state.v[axis.v];
            self.sampled_rates[index] = data.state.v[axis.v];
        }
    }

    pub fn add_step(&mut self, anatomy: &Anatomy, data: &SimulationData, step: f64) {
        for (axis, rate) in anatomy.axes.iter().zip(&mut self.rates) {
            let now = data.state.v[axis.v];
            let power = Anatomy::effort(data, *axis) * 0.5 * (now + *rate);
            self.energy += power.abs() * step;
            self.work += power * step;
            *rate = now;
        }
    }

    pub fn sample(&mut self, anatomy: &Anatomy, data: &SimulationData, interval: f64) {
        let mut sum = 0.0;
        for (index, axis) in anatomy.axes.iter().enumerate() {
            let (angle, rate) = (data.state.q[axis.q], data.state.v[axis.v]);
            let range = &mut self.ranges[index];
            *range = [range[0].min(angle), range[1].max(angle)];
            if interval > 0.0 {
                let acceleration = (rate - self.sampled_rates[index]) / interval;
                self.acceleration_square_sum += acceleration * acceleration;
                self.accelerations += 1;
            }
            self.sampled_rates[index] = rate;
            sum += gait::weight(index) * angle;
        }
        self.gait.push(sum);
    }

    pub fn skip_samples(&mut self) {
        self.accelerations += self.rates.len() as u64;
    }

    /// Returns the number of joints that moved.
    pub fn active(&self, anatomy: &Anatomy) -> usize {
        let moved = |axis: usize| self.ranges[axis][1] - self.ranges[axis][0] > ACTIVE_RANGE;
        anatomy.parts.iter().filter(|part| part.axes.clone().any(moved)).count()
    }

    /// Returns the gait frequency, in Hz.
    pub fn gait_frequency(&self) -> f64 {
        gait::frequency(&self.gait)
    }

    pub fn write_measures(&self, sheet: &mut MeasureSheet) {
        sheet.set(Measure::Energy, self.energy);
        sheet.set(Measure::Work, self.work);
        let roughness = libm::sqrt(self.acceleration_square_sum / self.accelerations.max(1) as f64);
        sheet.set(Measure::Roughness, roughness);
        sheet.set(Measure::Smoothness, 1.0 / (1.0 + roughness / HALF_SMOOTH_ACCELERATION));
    }
}
