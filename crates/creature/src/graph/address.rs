//! Indirect addresses of a neuron's inputs (Fontijne (2000) section 4.3), such as "neuron 4 of my second child".
//! Indices are taken modulo the number of candidates when the creature grows, so an address stays valid after every
//! mutation of the rest.

use serde::{Deserialize, Serialize};

/// A group of sources near the neuron's own part, or one that all parts share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Neurons of the same part.
    Local,
    /// Neurons of the parent part.
    Parent,
    /// Neurons of one of the child parts, counted in the order of growth.
    Child(u16),
    /// Neurons of the central brain.
    Global,
    /// Senses of the part itself, in the order of [`Sense::ALL`](crate::senses::Sense::ALL). Angles and rates of axes
    /// that its joint does not have map to those that it has.
    LocalSensor,
    /// Senses of the root about the world, in the order of [`WORLD_SENSES`](super::WORLD_SENSES).
    WorldSensor,
    /// The number one, whatever the index. The weight itself is the input: a bias, or the frequency of an oscillator.
    One,
    /// 1 in a part, -1 in a mirrored one. With a weight of 1/4 on a phase, mirrored limbs alternate.
    Side,
    /// Number of joints between the part and the root. With a weight on a phase, a wave runs along chains.
    Depth,
    /// Senses of the root as the side of the part feels them, in the order of [`ROOT_SENSES`](super::ROOT_SENSES).
    /// Lateral ones are negated in mirrored parts, so that mirrored limbs can steer.
    RootSensor,
}

/// The source of an input as stored in genes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Group of sources.
    pub place: Place,
    /// Index of the neuron or sense in the group, modulo its size. If the group is empty, the input is zero.
    pub index: u16,
}

impl Address {
    /// Creates an address.
    pub fn new(place: Place, index: u16) -> Self {
        Self { place, index }
    }
}
