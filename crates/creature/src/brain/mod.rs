//! Brains: from sense values to outputs for the axes of the joints, at a fixed rate.
//!
//! A brain is immutable. Its memory is a slice of numbers in the state of the simulation, so snapshots and replays need
//! nothing else.

mod function;
mod network;
mod spectral;

pub use function::{
    DELAY_TIME, DIFFERENCE_TIME, Function, LEAK_TIME, MAX_OCTAVES, MAX_STATES, SIGNAL_LIMIT, SMOOTHING_TIME,
};
pub use network::{Input, Network, Neuron, Source};
pub use spectral::{Feedback, Oscillator, Pace, SpectralBrain};

/// The controller of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Brain {
    /// A network of neurons (Fontijne (2000) section 4.3).
    Network(Network),
    /// Actuator functions from Fourier spectra (Arnold (1997) section 3.2.2).
    Spectral(SpectralBrain),
}

impl Brain {
    /// Returns the length of the memory.
    pub fn memory(&self) -> usize {
        match self {
            Self::Network(network) => network.memory(),
            Self::Spectral(spectral) => spectral.memory(),
        }
    }

    /// Initializes the memory.
    pub fn initial(&self, memory: &mut [f64]) {
        match self {
            Self::Network(network) => network.initial(memory),
            Self::Spectral(spectral) => spectral.initial(memory),
        }
    }

    /// Performs an update after `period` s: reads the senses (see [`sense_index`](crate::senses::sense_index)) and
    /// writes one output for each axis of the body, in the order of its parts. Outputs are finite whatever the senses
    /// are. Does not allocate.
    pub fn update(&self, memory: &mut [f64], senses: &[f64], period: f64, outputs: &mut [f64]) {
        match self {
            Self::Network(network) => network.update(memory, senses, period, outputs),
            Self::Spectral(spectral) => spectral.update(memory, senses, period, outputs),
        }
    }
}
