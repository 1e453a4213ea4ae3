//! Contacts of a creature with other bodies and with itself.

use burgess_simulation::SimulationData;

use super::MeasureSheet;
use crate::evaluation::anatomy::Anatomy;
use crate::task::Measure;

/// Contacts of a creature.
#[derive(Debug)]
pub(super) struct Contacts {
    duration: f64,
    first: Option<f64>,
    /// For each part at the last sample, whether it touches anything other than its own body.
    touches: Vec<bool>,
    /// Number of samples in which any part touched something.
    touching_samples: u64,
    /// Number of samples in which each part touched something.
    part_samples: Vec<u64>,
    self_penetration: f64,
}

impl Contacts {
    pub fn new(parts: usize, duration: f64) -> Self {
        let (touches, part_samples) = (vec![false; parts], vec![0; parts]);
        Self { duration, first: None, touches, touching_samples: 0, part_samples, self_penetration: 0.0 }
    }

    pub fn sample(&mut self, anatomy: &Anatomy, data: &SimulationData, time: f64) {
        self.touches.fill(false);
        let (touches, deepest) = (&mut self.touches, &mut self.self_penetration);
        anatomy.contacts(data, |part, other, gap| match other {
            Some(_) => *deepest = deepest.max(-gap),
            None => touches[part] = true,
        });
        if self.first.is_none() && touches.contains(&true) {
            self.first = Some(time);
        }
    }

    pub fn accumulate(&mut self) {
        self.touching_samples += u64::from(self.touches.contains(&true));
        for (count, touches) in self.part_samples.iter_mut().zip(&self.touches) {
            *count += u64::from(*touches);
        }
    }

    /// Returns for each part at the last sample whether it touches anything other than its own body.
    pub fn touches(&self) -> &[bool] {
        &self.touches
    }

    /// Returns the duty factor of each part.
    pub fn duty_factors(&self, samples: f64) -> Vec<f64> {
        self.part_samples.iter().map(|&count| count as f64 / samples).collect()
    }

    pub fn write_measures(&self, samples: f64, sheet: &mut MeasureSheet) {
        sheet.set(Measure::FirstContact, self.first.unwrap_or(self.duration));
        sheet.set(Measure::ContactShare, self.touching_samples as f64 / samples);
        sheet.set(Measure::SelfPenetration, self.self_penetration);
    }
}
