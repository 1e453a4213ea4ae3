//! What a neuron computes (000 section 4.3 and Sims 1994): a function of up to three weighted inputs a, b and c and of what
//! it remembers.
//!
//! Every number in a network is within [`BOUND`] of zero: weighted inputs, states and outputs are clamped to it, and what is
//! not a number counts as zero. So no function can leave the range, whatever it is fed and whatever its memory holds.
//!
//! Functions of time follow the clock and not the number of updates, so that a creature whose brain is updated twice as often
//! behaves alike. What is filtered is filtered exactly for an input that holds over the period before the update:
//! `s' = (a - s) / tau` gives `s <- s + (a - s) (1 - exp(-period / tau))`.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

/// No number in a network is further than this from zero.
pub const BOUND: f64 = 10.0;

/// How far [`Function::Delay`] looks back, in s.
pub const DELAY: f64 = 0.2;

/// Time constant of [`Function::Smooth`], in s.
pub const SMOOTHING: f64 = 0.2;

/// Time constant with which [`Function::Integrate`] forgets, in s.
pub const FORGETTING: f64 = 5.0;

/// Time constant of [`Function::Differentiate`], in s: its output is the change in so much time.
pub const DIFFERENCE: f64 = 0.1;

/// Oscillators run at most this many octaves above or below 1 Hz: from 1/8 to 8 Hz.
pub const OCTAVES: f64 = 3.0;

/// In how many equal steps a delay line is kept.
const DELAY_STEPS: usize = 8;

/// The most numbers that a function remembers.
pub const MOST_STATES: usize = DELAY_STEPS + 2;

/// What a neuron computes of its weighted inputs a, b and c. The order is that of binary files: new ones go to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// a + b + c
    Sum,
    /// a - b
    Subtract,
    /// a b
    Product,
    /// a / b; 0 if b is 0.
    Divide,
    /// 1 if a < b, else 0.
    LessThan,
    /// -a
    Invert,
    /// What a was [`DELAY`] ago; 0 before. Kept in eight steps, linear between them.
    Delay,
    /// 1 if a + b > c, else 0.
    SumThreshold,
    /// 1 if a > b, else 0.
    GreaterThan,
    /// -1, 0 or 1 as a is negative, zero or positive.
    SignOf,
    /// The smaller of a and b.
    Min,
    /// The larger of a and b.
    Max,
    /// |a|
    Abs,
    /// b if a > 0, else c.
    If,
    /// b if a is at most 0, c if a is at least 1, between them in proportion.
    Interpolate,
    /// sin a, with a in rad.
    Sin,
    /// cos a, with a in rad.
    Cos,
    /// The angle in rad whose tangent is a.
    Atan,
    /// Natural logarithm of |a|; the lower bound at 0.
    Log,
    /// e to the power of a.
    Exp,
    /// 1 / (1 + exp(-a))
    Sigmoid,
    /// s with s' = a - s / [`FORGETTING`].
    Integrate,
    /// Change of a in [`DIFFERENCE`]: that constant times s', where s follows a with it as time constant.
    Differentiate,
    /// s with s' = (a - s) / [`SMOOTHING`].
    Smooth,
    /// What a was when b was last positive; 0 before.
    Memory,
    /// sin of 2 pi (s + b) where the phase s runs at 2^a Hz from zero, with a within [`OCTAVES`].
    OscillateWave,
    /// From -1 to 1 in proportion to the fraction of s + b, with s as for the wave.
    OscillateSaw,
    /// The weight of its first input, whatever that comes from.
    Constant,
}

/// What is the same for all neurons during an update.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tick {
    /// Time since the last update, in s.
    period: f64,
    /// Share of the way that the states of the three filters go in this time.
    smoothing: f64,
    forgetting: f64,
    difference: f64,
}

impl Tick {
    /// After `period` s, which is taken to be between a microsecond and a second.
    pub(super) fn new(period: f64) -> Self {
        let period = bounded(period).clamp(1e-6, 1.0);
        let share = |constant: f64| -libm::expm1(-period / constant);
        Self { period, smoothing: share(SMOOTHING), forgetting: share(FORGETTING), difference: share(DIFFERENCE) }
    }
}

/// Within [`BOUND`] of zero; zero for what is not a number.
pub(super) fn bounded(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-BOUND, BOUND) }
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 28] = [
        Self::Sum,
        Self::Subtract,
        Self::Product,
        Self::Divide,
        Self::LessThan,
        Self::Invert,
        Self::Delay,
        Self::SumThreshold,
        Self::GreaterThan,
        Self::SignOf,
        Self::Min,
        Self::Max,
        Self::Abs,
        Self::If,
        Self::Interpolate,
        Self::Sin,
        Self::Cos,
        Self::Atan,
        Self::Log,
        Self::Exp,
        Self::Sigmoid,
        Self::Integrate,
        Self::Differentiate,
        Self::Smooth,
        Self::Memory,
        Self::OscillateWave,
        Self::OscillateSaw,
        Self::Constant,
    ];

    /// As in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Subtract => "subtract",
            Self::Product => "product",
            Self::Divide => "divide",
            Self::LessThan => "less_than",
            Self::Invert => "invert",
            Self::Delay => "delay",
            Self::SumThreshold => "sum_threshold",
            Self::GreaterThan => "greater_than",
            Self::SignOf => "sign_of",
            Self::Min => "min",
            Self::Max => "max",
            Self::Abs => "abs",
            Self::If => "if",
            Self::Interpolate => "interpolate",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Atan => "atan",
            Self::Log => "log",
            Self::Exp => "exp",
            Self::Sigmoid => "sigmoid",
            Self::Integrate => "integrate",
            Self::Differentiate => "differentiate",
            Self::Smooth => "smooth",
            Self::Memory => "memory",
            Self::OscillateWave => "oscillate_wave",
            Self::OscillateSaw => "oscillate_saw",
            Self::Constant => "constant",
        }
    }

    /// How many of the three inputs it uses: the first ones.
    pub fn inputs(self) -> usize {
        match self {
            Self::Constant => 0,
            Self::Invert
            | Self::Delay
            | Self::SignOf
            | Self::Abs
            | Self::Sin
            | Self::Cos
            | Self::Atan
            | Self::Log
            | Self::Exp
            | Self::Sigmoid
            | Self::Integrate
            | Self::Differentiate
            | Self::Smooth => 1,
            Self::Subtract
            | Self::Product
            | Self::Divide
            | Self::LessThan
            | Self::GreaterThan
            | Self::Min
            | Self::Max
            | Self::Memory
            | Self::OscillateWave
            | Self::OscillateSaw => 2,
            Self::Sum | Self::SumThreshold | Self::If | Self::Interpolate => 3,
        }
    }

    /// How many numbers it remembers from one update to the next; all start at zero.
    pub fn states(self) -> usize {
        match self {
            Self::Delay => MOST_STATES,
            Self::Integrate
            | Self::Differentiate
            | Self::Smooth
            | Self::Memory
            | Self::OscillateWave
            | Self::OscillateSaw => 1,
            _ => 0,
        }
    }

    /// Its new output. Inputs are weighted and bounded, `states` has as many numbers as it remembers.
    pub(super) fn evaluate(self, [a, b, c]: [f64; 3], states: &mut [f64], tick: &Tick) -> f64 {
        let truth = |yes: bool| if yes { 1.0 } else { 0.0 };
        let output = match self {
            Self::Sum => a + b + c,
            Self::Subtract => a - b,
            Self::Product => a * b,
            Self::Divide if b == 0.0 => 0.0,
            Self::Divide => a / b,
            Self::LessThan => truth(a < b),
            Self::Invert => -a,
            Self::SumThreshold => truth(a + b > c),
            Self::GreaterThan => truth(a > b),
            Self::SignOf => truth(a > 0.0) - truth(a < 0.0),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Abs => a.abs(),
            Self::If => {
                if a > 0.0 {
                    b
                } else {
                    c
                }
            }
            Self::Interpolate => b + (c - b) * a.clamp(0.0, 1.0),
            Self::Sin => libm::sin(a),
            Self::Cos => libm::cos(a),
            Self::Atan => libm::atan(a),
            Self::Log => libm::log(a.abs()),
            Self::Exp => libm::exp(a),
            Self::Sigmoid => 1.0 / (1.0 + libm::exp(-a)),
            Self::Constant => a,
            Self::Delay => delay(a, states, tick.period),
            Self::Integrate | Self::Differentiate | Self::Smooth | Self::Memory => match states {
                [state] => self.follow(a, b, state, tick),
                _ => 0.0,
            },
            Self::OscillateWave | Self::OscillateSaw => match states {
                [phase] => self.oscillate(a, b, phase, tick.period),
                _ => 0.0,
            },
        };
        bounded(output)
    }

    /// The functions whose one state follows their input.
    fn follow(self, a: f64, b: f64, state: &mut f64, tick: &Tick) -> f64 {
        let before = bounded(*state);
        let after = match self {
            Self::Integrate => before + (a * FORGETTING - before) * tick.forgetting,
            Self::Differentiate => before + (a - before) * tick.difference,
            Self::Smooth => before + (a - before) * tick.smoothing,
            _ if b > 0.0 => a,
            _ => before,
        };
        *state = bounded(after);
        match self {
            Self::Differentiate => DIFFERENCE * (*state - before) / tick.period,
            _ => *state,
        }
    }

    /// The value at the present phase, which then goes on.
    fn oscillate(self, a: f64, b: f64, phase: &mut f64, period: f64) -> f64 {
        let now = bounded(*phase);
        let next = now + libm::exp2(a.clamp(-OCTAVES, OCTAVES)) * period;
        *phase = fraction(next);
        match self {
            Self::OscillateWave => libm::sin(TAU * fraction(now + b)),
            _ => 2.0 * fraction(now + b) - 1.0,
        }
    }
}

/// From 0 to 1, which is excluded but for rounding.
fn fraction(value: f64) -> f64 {
    value - libm::floor(value)
}

/// A delay line. States: time since the last step of the line, then the steps, the newest first.
fn delay(a: f64, states: &mut [f64], period: f64) -> f64 {
    let Ok([since, line @ ..]) = <&mut [f64; MOST_STATES]>::try_from(states) else { return 0.0 };
    let step = DELAY / DELAY_STEPS as f64;
    let mut passed = bounded(*since).clamp(0.0, step) + period;
    // More steps than the line has would only write the same again.
    for _ in 0..=DELAY_STEPS {
        if passed < step {
            break;
        }
        line.rotate_right(1);
        line[0] = a;
        passed -= step;
    }
    *since = passed.min(step);
    let (old, newer) = (bounded(line[DELAY_STEPS]), bounded(line[DELAY_STEPS - 1]));
    old + (newer - old) * (*since / step)
}
