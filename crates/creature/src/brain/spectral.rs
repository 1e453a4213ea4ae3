//! Controllers by spectral synthesis (001 section 3.2.2): every axis of the body has a periodic function h(t), given by samples
//! over one period and linear between them, and a spring of the joint pulls the axis towards it.
//!
//! ```text
//!   h(t) = gain * h_k interpolated at phase p,    dp/dt = frequency * rate
//! ```
//!
//! 001 has gain and rate 1 and a clock for every function. Here functions may also share one clock, each going through a whole
//! number of its periods while the clock goes through one: then they keep their phases for ever. Senses may change rate and
//! gain, both within 0 and 2; functions that share a clock drive it by the mean of their rates. What leaves the brain is bent
//! into the range of the axis: unchanged up to half of it, and never beyond.

/// One actuator function.
#[derive(Debug, Clone, PartialEq)]
pub struct Oscillator {
    /// h at equidistant times over one period, in rad.
    pub samples: Vec<f64>,
    /// Phase at which it starts, as a share of its period.
    pub phase: f64,
    /// How fast it goes through its samples.
    pub pace: Pace,
    /// Lowest (not above 0) and highest (not below 0) angle that it asks for, in rad.
    pub range: [f64; 2],
    /// How senses change phase and gain.
    pub feedback: Vec<Feedback>,
}

/// How fast an actuator function goes through its samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// By a clock of its own, in periods per second.
    Own(f64),
    /// By the clock of the brain: as many periods in one of the clock's.
    Shared(u32),
}

/// What a sense does to an actuator function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feedback {
    /// Place of the number that is felt.
    pub sense: usize,
    /// Added to the rate, which is 1.
    pub to_rate: f64,
    /// Added to the gain, which is 1.
    pub to_gain: f64,
}

/// One actuator function for each axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpectralBrain {
    /// By axis of the body.
    pub oscillators: Vec<Oscillator>,
    /// Periods per second of the clock that functions may share.
    pub clock: f64,
}

impl SpectralBrain {
    /// The phase of the clock, then that of each oscillator.
    pub fn memory(&self) -> usize {
        1 + self.oscillators.len()
    }

    /// The phases at which they start.
    pub fn initial(&self, memory: &mut [f64]) {
        let [clock, phases @ ..] = memory else { return };
        *clock = 0.0;
        for (phase, oscillator) in phases.iter_mut().zip(&self.oscillators) {
            *phase = oscillator.phase;
        }
    }

    /// The values of the actuator functions now; they go on for `period` s.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        let [clock, phases @ ..] = memory else { return };
        let (mut rates, mut sharers) = (0.0, 0.0);
        for ((phase, oscillator), output) in phases.iter_mut().zip(&self.oscillators).zip(outputs) {
            let (rate, gain) = oscillator.felt(senses);
            let now = match oscillator.pace {
                Pace::Own(frequency) => {
                    let now = *phase;
                    *phase = wrapped(now + frequency * rate * period);
                    now
                }
                Pace::Shared(periods) => {
                    (rates, sharers) = (rates + rate, sharers + 1.0);
                    *phase + f64::from(periods) * *clock
                }
            };
            *output = bent(gain * oscillator.value(now), oscillator.range);
        }
        if sharers > 0.0 {
            *clock = wrapped(*clock + self.clock * (rates / sharers) * period);
        }
    }
}

impl Oscillator {
    /// At any phase, linear between samples, in rad.
    pub fn value(&self, phase: f64) -> f64 {
        let count = self.samples.len();
        if count == 0 {
            return 0.0;
        }
        let at = wrapped(phase) * count as f64;
        let first = (at as usize).min(count - 1);
        let (low, high) = (self.samples[first], self.samples[(first + 1) % count]);
        low + (high - low) * (at - first as f64)
    }

    /// Rate and gain after what is felt.
    fn felt(&self, senses: &[f64]) -> (f64, f64) {
        let (mut rate, mut gain) = (1.0, 1.0);
        for feedback in &self.feedback {
            let felt = senses.get(feedback.sense).copied().filter(|felt| felt.is_finite()).unwrap_or(0.0);
            rate += feedback.to_rate * felt;
            gain += feedback.to_gain * felt;
        }
        (f64::clamp(rate, 0.0, 2.0), f64::clamp(gain, 0.0, 2.0))
    }
}

/// The part of a phase within one period; 0 for what is none.
fn wrapped(phase: f64) -> f64 {
    let share = phase - libm::floor(phase);
    if share.is_finite() { share } else { 0.0 }
}

/// Keeps an angle within a range: as it is up to half of the range, then ever less, and at its end only in infinity.
fn bent(angle: f64, range: [f64; 2]) -> f64 {
    let end = if angle < 0.0 { range[0].min(0.0) } else { range[1].max(0.0) };
    let share = angle.abs() / end.abs();
    if share <= 0.5 {
        angle
    } else if share.is_finite() {
        let beyond = 2.0 * share - 1.0;
        end * (0.5 + 0.5 * beyond / (1.0 + beyond))
    } else {
        // No range to this side, or nothing finite to put into it.
        0.0
    }
}
