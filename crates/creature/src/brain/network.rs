//! Networks of neurons (000 section 4.3, after Sims): every neuron has up to three weighted inputs, a function and a state.
//!
//! All neurons are updated at the same time: they read what the others put out at the update before. So a signal takes one
//! period for each neuron on its way. The axes of the body are driven by the outputs of the present update.
//!
//! ```text
//!   memory:  outputs of the last update | room for the next outputs | states, neuron by neuron (see Function::states)
//! ```

use super::function::{Function, Tick, bounded};

/// Where an input comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source {
    /// Nowhere: zero.
    Nothing,
    /// The number one: the weight counts by itself, as a bias or as the frequency of an oscillator.
    One,
    /// Output of a neuron in the network's list, as it was at the last update.
    Neuron(usize),
    /// A number that is felt.
    Sense(usize),
}

/// A weighted input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// What it is multiplied by.
    pub weight: f64,
}

/// A neuron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neuron {
    /// What it computes.
    pub function: Function,
    /// As many as the function uses count.
    pub inputs: [Input; 3],
}

/// All neurons of a creature, connected.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Network {
    /// In any order: all are updated at the same time.
    pub neurons: Vec<Neuron>,
    /// What each axis of the body is driven by, within -1 and 1.
    pub effectors: Vec<Input>,
}

impl Input {
    /// Connected to nothing.
    pub const NOTHING: Self = Self { source: Source::Nothing, weight: 0.0 };

    /// A number that does not change.
    pub const fn constant(value: f64) -> Self {
        Self { source: Source::One, weight: value }
    }

    /// What comes in, weighted and bounded. Sources that are not there give zero.
    fn value(&self, outputs: &[f64], senses: &[f64]) -> f64 {
        let value = match self.source {
            Source::Nothing => return 0.0,
            Source::One => 1.0,
            Source::Neuron(index) => outputs.get(index).copied().unwrap_or(0.0),
            Source::Sense(index) => senses.get(index).copied().unwrap_or(0.0),
        };
        bounded(self.weight * bounded(value))
    }
}

impl Neuron {
    /// Its weighted inputs; zero where its function uses none.
    fn gather(&self, outputs: &[f64], senses: &[f64]) -> [f64; 3] {
        let mut values = [0.0; 3];
        if self.function == Function::Constant {
            values[0] = bounded(self.inputs[0].weight);
        }
        for (value, input) in values.iter_mut().zip(&self.inputs).take(self.function.inputs()) {
            *value = input.value(outputs, senses);
        }
        values
    }
}

impl Network {
    /// How many numbers it remembers.
    pub fn memory(&self) -> usize {
        2 * self.neurons.len() + self.neurons.iter().map(|neuron| neuron.function.states()).sum::<usize>()
    }

    /// What its memory starts with: nothing was felt and put out before.
    pub fn initial(&self, memory: &mut [f64]) {
        memory.fill(0.0);
    }

    /// One synchronous update, `period` s after the last. `memory` has the length of [`memory`](Self::memory); axes without an
    /// effector get zero.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        let count = self.neurons.len();
        let Some((last, rest)) = memory.split_at_mut_checked(count) else { return outputs.fill(0.0) };
        let Some((next, mut states)) = rest.split_at_mut_checked(count) else { return outputs.fill(0.0) };
        let tick = Tick::new(period);
        for (neuron, output) in self.neurons.iter().zip(next.iter_mut()) {
            let inputs = neuron.gather(last, senses);
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
