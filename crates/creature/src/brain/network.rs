//! Networks of neurons (000 section 4.3, after Sims): every neuron has up to three weighted inputs, a function and a state.

use serde::{Deserialize, Serialize};

/// What a neuron computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// a + b + c
    Sum,
}

/// Where an input comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source {
    /// Nowhere: zero.
    Nothing,
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
    /// What each axis of the body is driven by.
    pub effectors: Vec<Input>,
}

impl Network {
    /// How many numbers it remembers.
    pub fn memory(&self) -> usize {
        0
    }

    /// What its memory starts with.
    pub fn initial(&self, _memory: &mut [f64]) {}

    /// One synchronous update.
    pub fn update(&self, _memory: &mut [f64], _senses: &[f64], _period: f64, outputs: &mut [f64]) {
        outputs.fill(0.0);
    }
}
