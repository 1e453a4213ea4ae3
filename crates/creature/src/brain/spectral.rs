//! Controllers by spectral synthesis (Arnold (1997) section 3.2.2). Every axis of the body has a periodic function
//! h(t), given by samples over one period with linear interpolation, and a spring pulls the axis towards it.
//!
//! ```text
//!   h(t) = gain * h_k interpolated at phase p,    dp/dt = frequency * rate
//! ```
//!
//! In Arnold (1997) gain and rate are 1, and every function has its own clock. Here functions may also share one clock:
//! each completes a whole number of periods in a period of the clock, so their relative phases never change. Senses may
//! change rate and gain, both clamped to 0 ... 2. Functions that share a clock drive it by the mean of their rates. The
//! output is compressed into the range of the axis: unchanged up to half of the range, and never beyond it.

/// The actuator function of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Oscillator {
    /// Samples of h at equal intervals over one period, in rad.
    pub samples: Vec<f64>,
    /// Initial phase, as a fraction of the period.
    pub phase: f64,
    /// Frequency.
    pub pace: Pace,
    /// Lowest (at most 0) and highest (at least 0) angle of the output, in rad.
    pub range: [f64; 2],
    /// Senses that change rate and gain.
    pub feedback: Vec<Feedback>,
}

/// The frequency of an actuator function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// An own clock, in periods per second.
    Own(f64),
    /// The clock of the brain: number of periods of the function in one period of the clock.
    Shared(u32),
}

/// The effect of a sense on an actuator function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feedback {
    /// Index of the sense value.
    pub sense: usize,
    /// Coefficient of the sense in the rate, which is 1 without feedback.
    pub to_rate: f64,
    /// Coefficient of the sense in the gain, which is 1 without feedback.
    pub to_gain: f64,
}

/// A brain with one actuator function for each axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpectralBrain {
    /// Actuator functions, in the order of the axes of the body.
    pub oscillators: Vec<Oscillator>,
    /// Frequency of the shared clock, in periods per second.
    pub clock: f64,
}

impl SpectralBrain {
    /// Returns the length of the memory: the phase of the clock, then that of each oscillator.
    pub fn memory(&self) -> usize {
        1 + self.oscillators.len()
    }

    /// Initializes the phases.
    pub fn initial(&self, memory: &mut [f64]) {
        let [clock, phases @ ..] = memory else { return };
        *clock = 0.0;
        for (phase, oscillator) in phases.iter_mut().zip(&self.oscillators) {
            *phase = oscillator.phase;
        }
    }

    /// Writes the present values of the actuator functions, then advances the phases by `period` s.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        let [clock, phases @ ..] = memory else { return };
        let (mut rates, mut shared_count) = (0.0, 0.0);
        for ((phase, oscillator), output) in phases.iter_mut().zip(&self.oscillators).zip(outputs) {
            let (rate, gain) = oscillator.rate_and_gain(senses);
            let now = match oscillator.pace {
                Pace::Own(frequency) => {
                    let now = *phase;
                    *phase = wrap_phase(now + frequency * rate * period);
                    now
                }
                Pace::Shared(periods) => {
                    (rates, shared_count) = (rates + rate, shared_count + 1.0);
                    *phase + f64::from(periods) * *clock
                }
            };
            *output = compress(gain * oscillator.value(now), oscillator.range);
        }
        if shared_count > 0.0 {
            *clock = wrap_phase(*clock + self.clock * (rates / shared_count) * period);
        }
    }
}

impl Oscillator {
    /// Returns the value at a phase, in rad, with linear interpolation between samples.
    pub fn value(&self, phase: f64) -> f64 {
        let count = self.samples.len();
        if count == 0 {
            return 0.0;
        }
        let at = wrap_phase(phase) * count as f64;
        let first = (at as usize).min(count - 1);
        let (low, high) = (self.samples[first], self.samples[(first + 1) % count]);
        low + (high - low) * (at - first as f64)
    }

    /// Returns rate and gain with the feedback of the senses.
    fn rate_and_gain(&self, senses: &[f64]) -> (f64, f64) {
        let (mut rate, mut gain) = (1.0, 1.0);
        for feedback in &self.feedback {
            let sensed = senses.get(feedback.sense).copied().filter(|sensed| sensed.is_finite()).unwrap_or(0.0);
            rate += feedback.to_rate * sensed;
            gain += feedback.to_gain * sensed;
        }
        (f64::clamp(rate, 0.0, 2.0), f64::clamp(gain, 0.0, 2.0))
    }
}

/// Returns the phase within one period, or 0 if it is not finite.
fn wrap_phase(phase: f64) -> f64 {
    let share = phase - libm::floor(phase);
    if share.is_finite() { share } else { 0.0 }
}

/// Compresses an angle into a range: unchanged up to half of the range, then asymptotic to its end.
fn compress(angle: f64, range: [f64; 2]) -> f64 {
    let end = if angle < 0.0 { range[0].min(0.0) } else { range[1].max(0.0) };
    let share = angle.abs() / end.abs();
    if share <= 0.5 {
        angle
    } else if share.is_finite() {
        let beyond = 2.0 * share - 1.0;
        end * (0.5 + 0.5 * beyond / (1.0 + beyond))
    } else {
        // There is no range on this side, or the angle is not finite.
        0.0
    }
}
