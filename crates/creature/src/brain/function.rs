//! Functions of neurons (Fontijne (2000) section 4.3, Sims 1994). Each is a function of up to three weighted inputs a,
//! b and c and of its state.
//!
//! Every number in a network is within [`SIGNAL_LIMIT`] of zero: weighted inputs, states and outputs are clamped, and
//! NaN becomes zero. So no function leaves the range, whatever its inputs and states are.
//!
//! Functions of time depend on elapsed time and not on the number of updates, so a brain that is updated twice as often
//! behaves alike. Filters are exact for an input that is constant over the period before the update:
//! `s' = (a - s) / tau` gives `s <- s + (a - s) (1 - exp(-period / tau))`.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

/// Maximum magnitude of every number in a network.
pub const SIGNAL_LIMIT: f64 = 10.0;

/// Delay of [`Function::Delay`], in s.
pub const DELAY_TIME: f64 = 0.2;

/// Time constant of [`Function::Smooth`], in s.
pub const SMOOTHING_TIME: f64 = 0.2;

/// Time constant of the leak of [`Function::Integrate`], in s.
pub const LEAK_TIME: f64 = 5.0;

/// Time constant of [`Function::Differentiate`], in s. Its output is the change over this time.
pub const DIFFERENCE_TIME: f64 = 0.1;

/// Maximum distance of an oscillator's frequency from 1 Hz, in octaves: 1/8 Hz to 8 Hz.
pub const MAX_OCTAVES: f64 = 3.0;

/// Number of equal steps of a delay line.
const DELAY_STEPS: usize = 8;

/// Maximum number of states of a function.
pub const MAX_STATES: usize = DELAY_STEPS + 2;

/// A function of the weighted inputs a, b and c. The order is that of binary files: new functions are added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// a + b + c
    Sum,
    /// a - b
    Subtract,
    /// a b
    Product,
    /// a / b, or 0 if b is 0.
    Divide,
    /// 1 if a < b, else 0.
    LessThan,
    /// -a
    Invert,
    /// The value of a [`DELAY_TIME`] ago; 0 before. Stored in eight steps with linear interpolation.
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
    /// b if a is at most 0, c if a is at least 1, linearly interpolated between.
    Interpolate,
    /// sin a, with a in rad.
    Sin,
    /// cos a, with a in rad.
    Cos,
    /// The angle in rad whose tangent is a.
    Atan,
    /// Natural logarithm of |a|, clamped at 0.
    Log,
    /// e to the power of a.
    Exp,
    /// 1 / (1 + exp(-a))
    Sigmoid,
    /// s with s' = a - s / [`LEAK_TIME`].
    Integrate,
    /// Change of a in [`DIFFERENCE_TIME`]: that constant times s', where s follows a with it as time constant.
    Differentiate,
    /// s with s' = (a - s) / [`SMOOTHING_TIME`].
    Smooth,
    /// The value of a when b was last positive; 0 before.
    Memory,
    /// sin(2 pi (s + b)), where the phase s starts at zero and advances at 2^a Hz, with a clamped to [`MAX_OCTAVES`].
    OscillateWave,
    /// A saw tooth from -1 to 1 over the fractional part of s + b, with s as for the wave.
    OscillateSaw,
    /// The weight of the first input, whatever its source.
    Constant,
    /// sin(2 pi (s + a + b + c)), where the phase s starts at zero and advances at the rhythm of the network. All beats
    /// of a network share the rhythm, so their relative phases never change.
    Beat,
    /// sin(2 pi (2 s + a + b + c)): two periods in one of the rhythm.
    DoubleBeat,
}

/// Values that are the same for all neurons during an update.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tick {
    /// Time since the last update, in s.
    period: f64,
    /// Frequency of beats, in Hz.
    rhythm: f64,
    /// Fraction by which the states of the three filters approach their input in this time.
    smoothing: f64,
    leak: f64,
    difference: f64,
}

impl Tick {
    /// Creates a tick after `period` s, clamped to the range from a microsecond to a second, with beats of `rhythm` Hz.
    pub(super) fn new(period: f64, rhythm: f64) -> Self {
        let period = clamp_signal(period).clamp(1e-6, 1.0);
        let share = |constant: f64| -libm::expm1(-period / constant);
        Self {
            period,
            rhythm: clamp_signal(rhythm),
            smoothing: share(SMOOTHING_TIME),
            leak: share(LEAK_TIME),
            difference: share(DIFFERENCE_TIME),
        }
    }
}

/// Clamps a value to [`SIGNAL_LIMIT`]. NaN becomes zero.
pub(super) fn clamp_signal(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-SIGNAL_LIMIT, SIGNAL_LIMIT) }
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 30] = [
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
        Self::Beat,
        Self::DoubleBeat,
    ];

    /// Returns the name used in files.
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
            Self::Beat => "beat",
            Self::DoubleBeat => "double_beat",
        }
    }

    /// Returns how many of the three inputs the function uses. They are the first ones.
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
            Self::Sum | Self::SumThreshold | Self::If | Self::Interpolate | Self::Beat | Self::DoubleBeat => 3,
        }
    }

    /// Returns the number of states that the function keeps between updates. All start at zero.
    pub fn states(self) -> usize {
        match self {
            Self::Delay => MAX_STATES,
            Self::Integrate
            | Self::Differentiate
            | Self::Smooth
            | Self::Memory
            | Self::OscillateWave
            | Self::OscillateSaw
            | Self::Beat
            | Self::DoubleBeat => 1,
            _ => 0,
        }
    }

    /// Returns the new output. Inputs are weighted and clamped; `states` has the length of [`states`](Self::states).
    pub(super) fn evaluate(self, [a, b, c]: [f64; 3], states: &mut [f64], tick: &Tick) -> f64 {
        let indicator = |yes: bool| if yes { 1.0 } else { 0.0 };
        let output = match self {
            Self::Sum => a + b + c,
            Self::Subtract => a - b,
            Self::Product => a * b,
            Self::Divide if b == 0.0 => 0.0,
            Self::Divide => a / b,
            Self::LessThan => indicator(a < b),
            Self::Invert => -a,
            Self::SumThreshold => indicator(a + b > c),
            Self::GreaterThan => indicator(a > b),
            Self::SignOf => indicator(a > 0.0) - indicator(a < 0.0),
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
            Self::Beat | Self::DoubleBeat => match states {
                [phase] => self.beat(a + b + c, phase, tick),
                _ => 0.0,
            },
        };
        clamp_signal(output)
    }

    /// Evaluates the functions whose single state follows their input.
    fn follow(self, a: f64, b: f64, state: &mut f64, tick: &Tick) -> f64 {
        let before = clamp_signal(*state);
        let after = match self {
            Self::Integrate => before + (a * LEAK_TIME - before) * tick.leak,
            Self::Differentiate => before + (a - before) * tick.difference,
            Self::Smooth => before + (a - before) * tick.smoothing,
            _ if b > 0.0 => a,
            _ => before,
        };
        *state = clamp_signal(after);
        match self {
            Self::Differentiate => DIFFERENCE_TIME * (*state - before) / tick.period,
            _ => *state,
        }
    }

    /// Returns the value at the present phase, then advances the phase.
    fn oscillate(self, a: f64, b: f64, phase: &mut f64, period: f64) -> f64 {
        let now = clamp_signal(*phase);
        let next = now + libm::exp2(a.clamp(-MAX_OCTAVES, MAX_OCTAVES)) * period;
        *phase = fraction(next);
        match self {
            Self::OscillateWave => libm::sin(TAU * fraction(now + b)),
            _ => 2.0 * fraction(now + b) - 1.0,
        }
    }

    /// Returns the value at the present phase of the rhythm, then advances the phase.
    fn beat(self, shift: f64, phase: &mut f64, tick: &Tick) -> f64 {
        let now = clamp_signal(*phase);
        *phase = fraction(now + tick.rhythm * tick.period);
        let periods = if self == Self::DoubleBeat { 2.0 } else { 1.0 };
        libm::sin(TAU * fraction(periods * now + shift))
    }
}

/// Returns the fractional part, from 0 to 1 (excluded except for rounding).
fn fraction(value: f64) -> f64 {
    value - libm::floor(value)
}

/// Evaluates a delay line. States: the time since the last step of the line, then the steps, newest first.
fn delay(a: f64, states: &mut [f64], period: f64) -> f64 {
    let Ok([since, line @ ..]) = <&mut [f64; MAX_STATES]>::try_from(states) else { return 0.0 };
    let step = DELAY_TIME / DELAY_STEPS as f64;
    let mut passed = clamp_signal(*since).clamp(0.0, step) + period;
    // More steps than the line has would only repeat the same value.
    for _ in 0..=DELAY_STEPS {
        if passed < step {
            break;
        }
        line.rotate_right(1);
        line[0] = a;
        passed -= step;
    }
    *since = passed.min(step);
    let (old, newer) = (clamp_signal(line[DELAY_STEPS]), clamp_signal(line[DELAY_STEPS - 1]));
    old + (newer - old) * (*since / step)
}
