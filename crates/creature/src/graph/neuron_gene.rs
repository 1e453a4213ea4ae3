//! Genes of neurons (000 section 4.3): a function and three weighted inputs, of which the function uses as many as it needs.
//! The others stay as they are and may be used after a mutation.

use serde::{Deserialize, Serialize};

use super::address::{Address, Place};
use super::bounds;
use crate::bounds::require;
use crate::brain::Function;

/// A weighted input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputGene {
    /// Where it comes from.
    pub source: Address,
    /// What it is multiplied by.
    pub weight: f64,
}

/// A neuron.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeuronGene {
    /// What it computes.
    pub function: Function,
    /// What it computes it of.
    pub inputs: [InputGene; 3],
}

impl InputGene {
    /// Of a place, an index and a weight.
    pub fn new(place: Place, index: u16, weight: f64) -> Self {
        Self { source: Address::new(place, index), weight }
    }

    /// A number that does not change.
    pub fn constant(value: f64) -> Self {
        Self::new(Place::One, 0, value)
    }

    /// Zero, whatever it is connected to.
    pub const SILENT: Self = Self { source: Address { place: Place::Local, index: 0 }, weight: 0.0 };

    pub(super) fn validate(&self) -> Result<(), String> {
        require("a weight", self.weight, bounds::WEIGHT)
    }

    pub(super) fn repair(&mut self) {
        self.weight = bounds::within(self.weight, bounds::WEIGHT, 0.0);
    }
}

impl NeuronGene {
    /// With up to three inputs; the others are silent.
    pub fn new<const N: usize>(function: Function, inputs: [InputGene; N]) -> Self {
        let mut all = [InputGene::SILENT; 3];
        for (slot, input) in all.iter_mut().zip(inputs) {
            *slot = input;
        }
        Self { function, inputs: all }
    }
}
