//! Genes of neurons (Fontijne (2000) section 4.3): a function and three weighted inputs. Inputs that the function does
//! not use are kept and may be used after a mutation.

use serde::{Deserialize, Serialize};

use super::address::{Address, Place};
use super::bounds;
use crate::bounds::require;
use crate::brain::Function;

/// A weighted input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputGene {
    /// Source of the input.
    pub source: Address,
    /// Factor that the source is multiplied by.
    pub weight: f64,
}

/// A neuron.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeuronGene {
    /// Function that it computes.
    pub function: Function,
    /// Inputs of the function.
    pub inputs: [InputGene; 3],
}

impl InputGene {
    /// Creates an input from an address and a weight.
    pub fn new(place: Place, index: u16, weight: f64) -> Self {
        Self { source: Address::new(place, index), weight }
    }

    /// Creates a constant input.
    pub fn constant(value: f64) -> Self {
        Self::new(Place::One, 0, value)
    }

    /// An input that is always zero.
    pub const SILENT: Self = Self { source: Address { place: Place::Local, index: 0 }, weight: 0.0 };

    pub(super) fn validate(&self) -> Result<(), String> {
        require("a weight", self.weight, bounds::WEIGHT)
    }

    pub(super) fn repair(&mut self) {
        self.weight = bounds::within(self.weight, bounds::WEIGHT, 0.0);
    }
}

impl NeuronGene {
    /// Creates a neuron with up to three inputs. The remaining inputs are silent.
    pub fn new<const N: usize>(function: Function, inputs: [InputGene; N]) -> Self {
        let mut all = [InputGene::SILENT; 3];
        for (slot, input) in all.iter_mut().zip(inputs) {
            *slot = input;
        }
        Self { function, inputs: all }
    }
}
