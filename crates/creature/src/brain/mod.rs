//! What drives a body: numbers felt in, numbers for the axes of its joints out, at a fixed rate.
//!
//! A brain is immutable; all that it remembers is a slice of numbers that belongs to the state of the simulation, so that
//! snapshots and replays need nothing else.

mod function;
mod network;
mod spectral;

pub use function::{BOUND, DELAY, DIFFERENCE, FORGETTING, Function, MOST_STATES, OCTAVES, SMOOTHING};
pub use network::{Input, Network, Neuron, Source};
pub use spectral::{Feedback, Oscillator, Pace, SpectralBrain};

/// What drives a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Brain {
    /// Neurons (000 section 4.3).
    Network(Network),
    /// Fourier spectra (001 section 3.2.2).
    Spectral(SpectralBrain),
}

impl Brain {
    /// How many numbers it remembers.
    pub fn memory(&self) -> usize {
        match self {
            Self::Network(network) => network.memory(),
            Self::Spectral(spectral) => spectral.memory(),
        }
    }

    /// What its memory starts with.
    pub fn initial(&self, memory: &mut [f64]) {
        match self {
            Self::Network(network) => network.initial(memory),
            Self::Spectral(spectral) => spectral.initial(memory),
        }
    }

    /// One update after `period` s: from what is felt (see [`place`](crate::senses::place)) to one output for each axis of the body, in the order of
    /// its parts. Outputs are finite whatever the senses are. Takes no memory from the heap.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        match self {
            Self::Network(network) => network.update(memory, senses, period, outputs),
            Self::Spectral(spectral) => spectral.update(memory, senses, period, outputs),
        }
    }
}
