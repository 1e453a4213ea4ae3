//! Where a neuron takes an input from, told indirectly (000 section 4.3): "neuron 4 of my second child". Indices count modulo
//! what is there when the creature grows, so that an address survives every mutation of the rest.

use serde::{Deserialize, Serialize};

/// A place near the neuron's own part, or one that all parts share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Neurons of the same part.
    Local,
    /// Neurons of the part that this one hangs on.
    Parent,
    /// Neurons of one of the parts that hang on this one, counted in the order of growth.
    Child(u16),
    /// Neurons of the central brain.
    Global,
    /// What the part itself feels, in the order of [`Sense::ALL`](crate::senses::Sense::ALL). Angles and rates of axes that
    /// its joint does not have are those of one that it has.
    LocalSensor,
    /// What the root feels of the world, in the order of [`WORLD_SENSES`](super::WORLD_SENSES).
    WorldSensor,
    /// The number one, whatever the index: the weight counts by itself, as a bias or as the frequency of an oscillator.
    One,
}

/// A source of numbers as genes tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Where to look.
    pub place: Place,
    /// Which neuron or sensor there, modulo how many there are. Where there is none, the input is zero.
    pub index: u16,
}

impl Address {
    /// Of a place and an index.
    pub fn new(place: Place, index: u16) -> Self {
        Self { place, index }
    }
}
