//! Networks of neurons (Fontijne (2000) section 4.3, after Sims). A neuron has up to three weighted inputs, a function
//! and states.
//!
//! All neurons are updated at the same time: they read the outputs of the previous update. So a signal takes one period
//! for each neuron on its path. The axes of the body are driven by the outputs of the present update.
//!
//! ```text
//!   memory:  outputs of the last update | space for the next outputs | states, neuron by neuron (see Function::states)
//! ```

use super::function::{Function, Tick, clamp_signal};

/// The source of an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source {
    /// Not connected: zero.
    Nothing,
    /// The number one. The weight itself is the input: a bias, or the frequency of an oscillator.
    One,
    /// Output of the neuron with this index at the last update.
    Neuron(usize),
    /// Sense value with this index.
    Sense(usize),
}

/// A weighted input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input {
    /// Source of the input.
    pub source: Source,
    /// Factor that the source is multiplied by.
    pub weight: f64,
}

/// A neuron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neuron {
    /// Function that it computes.
    pub function: Function,
    /// Inputs. Only as many as the function uses matter.
    pub inputs: [Input; 3],
}

/// All neurons of a creature, with their connections.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Network {
    /// The neurons, in any order, because all are updated at the same time.
    pub neurons: Vec<Neuron>,
    /// Input of each axis of the body, clamped to -1 ... 1.
    pub effectors: Vec<Input>,
    /// Frequency of all [beats](Function::Beat), in Hz.
    pub rhythm: f64,
}

impl Input {
    /// An input without a source.
    pub const NOTHING: Self = Self { source: Source::Nothing, weight: 0.0 };

    /// Creates a constant input.
    pub const fn constant(value: f64) -> Self {
        Self { source: Source::One, weight: value }
    }

    /// Returns the weighted and clamped value. Sources that do not exist give zero.
    fn value(&self, outputs: &[f64], senses: &[f64]) -> f64 {
        let value = match self.source {
            Source::Nothing => return 0.0,
            Source::One => 1.0,
            Source::Neuron(index) => outputs.get(index).copied().unwrap_or(0.0),
            Source::Sense(index) => senses.get(index).copied().unwrap_or(0.0),
        };
        clamp_signal(self.weight * clamp_signal(value))
    }
}

impl Neuron {
    /// Returns the weighted inputs; zero for those that the function does not use.
    fn weighted_inputs(&self, outputs: &[f64], senses: &[f64]) -> [f64; 3] {
        let mut values = [0.0; 3];
        if self.function == Function::Constant {
            values[0] = clamp_signal(self.inputs[0].weight);
        }
        for (value, input) in values.iter_mut().zip(&self.inputs).take(self.function.inputs()) {
            *value = input.value(outputs, senses);
        }
        values
    }
}

impl Network {
    /// Returns the length of the memory.
    pub fn memory(&self) -> usize {
        2 * self.neurons.len() + self.neurons.iter().map(|neuron| neuron.function.states()).sum::<usize>()
    }

    /// Initializes the memory with zeros.
    pub fn initial(&self, memory: &mut [f64]) {
        memory.fill(0.0);
    }

    /// Performs a synchronous update, `period` s after the last. `memory` has the length of [`memory`](Self::memory).
    /// Axes without an effector get zero.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        let count = self.neurons.len();
        let Some((last, rest)) = memory.split_at_mut_checked(count) else { return outputs.fill(0.0) };
        let Some((next, mut states)) = rest.split_at_mut_checked(count) else { return outputs.fill(0.0) };
        let tick = Tick::new(period, self.rhythm);
        for (neuron, output) in self.neurons.iter().zip(next.iter_mut()) {
            let inputs = neuron.weighted_inputs(last, senses);
            let own = states.split_off_mut(..neuron.function.states().min(states.len())).unwrap_or_default();
            *output = neuron.function.evaluate(inputs, own, &tick);
        }
        last.copy_from_slice(next);
        outputs.fill(0.0);
        for (output, effector) in outputs.iter_mut().zip(&self.effectors) {
            *output = effector.value(last, senses).clamp(-1.0, 1.0);
        }
    }
}
