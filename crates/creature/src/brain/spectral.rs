//! Controllers by spectral synthesis (001 section 3.2.2).

/// One actuator function.
#[derive(Debug, Clone, PartialEq)]
pub struct Oscillator {
    /// h at equidistant times over one period.
    pub samples: Vec<f64>,
    /// Phase at which it starts, as a share of its period.
    pub phase: f64,
    /// Periods per second.
    pub frequency: f64,
    /// How senses change phase and gain.
    pub feedback: Vec<Feedback>,
}

/// What a sense does to an actuator function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feedback {
    /// Place of the number that is felt.
    pub sense: usize,
    /// Added to the frequency, as a share of it.
    pub to_frequency: f64,
    /// Added to the gain, which is 1.
    pub to_gain: f64,
}

/// One actuator function for each axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpectralBrain {
    /// By axis of the body.
    pub oscillators: Vec<Oscillator>,
}

impl SpectralBrain {
    /// The phase of each oscillator.
    pub fn memory(&self) -> usize {
        self.oscillators.len()
    }

    /// The phases at which they start.
    pub fn initial(&self, memory: &mut [f64]) {
        for (phase, oscillator) in memory.iter_mut().zip(&self.oscillators) {
            *phase = oscillator.phase;
        }
    }

    /// Where the actuator functions are `period` s later.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        for ((phase, oscillator), output) in memory.iter_mut().zip(&self.oscillators).zip(outputs) {
            let (mut rate, mut gain) = (1.0, 1.0);
            for feedback in &oscillator.feedback {
                let felt = senses.get(feedback.sense).copied().unwrap_or(0.0);
                rate += feedback.to_frequency * felt;
                gain += feedback.to_gain * felt;
            }
            *output = gain * oscillator.value(*phase);
            *phase += oscillator.frequency * rate.max(0.0) * period;
            *phase -= libm::floor(*phase);
        }
    }
}

impl Oscillator {
    /// At a phase from 0 to 1, linear between samples.
    pub fn value(&self, phase: f64) -> f64 {
        let count = self.samples.len();
        if count == 0 {
            return 0.0;
        }
        let at = (phase - libm::floor(phase)) * count as f64;
        let first = (at as usize).min(count - 1);
        let (low, high) = (self.samples[first], self.samples[(first + 1) % count]);
        low + (high - low) * (at - first as f64)
    }
}
