//! Settings of graph genomes: distribution of random genomes, and rates and sizes of mutations.

use serde::{Deserialize, Serialize};

use super::genome::Replication;
use super::joint_gene::JointType;
use super::node::ShapeKind;
use super::rates::{Magnitudes, Rates};
use crate::brain::Function;

/// Distribution of random graph genomes, and rates and sizes of mutations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphSettings {
    /// Minimum and maximum number of nodes of a random genome.
    pub nodes: [usize; 2],
    /// Minimum and maximum number of connections in addition to those that make all nodes reachable, not counting
    /// twins.
    pub extra_connections: [usize; 2],
    /// Minimum and maximum number of neurons of a node.
    pub neurons: [usize; 2],
    /// Minimum and maximum number of neurons of the central brain.
    pub global_neurons: [usize; 2],
    /// Minimum and maximum half side of a part, in m.
    pub half_size: [f64; 2],
    /// Probability that the longest side of a part is the one that points away from its parent.
    pub long: f64,
    /// Minimum and maximum scale of a child relative to its parent.
    pub scale: [f64; 2],
    /// Maximum angle of a child to the normal of its parent's surface, in rad.
    pub lean: f64,
    /// Minimum and maximum number of parts of a node that is connected to itself.
    pub repeats: [u8; 2],
    /// Minimum and maximum angle by which an axis turns to either side, in rad.
    pub turn: [f64; 2],
    /// Probability that a new connection gets a mirrored twin.
    pub twins: f64,
    /// Probability that a node is also connected to itself, which gives a chain.
    pub chains: f64,
    /// Probability that a connection is for the end of a chain only.
    pub terminal: f64,
    /// Probability that a new neuron is an oscillator; otherwise it has any of the functions.
    pub oscillators: f64,
    /// Shapes to choose from, with equal probability. A shape that is listed twice is twice as likely.
    pub shapes: Vec<ShapeKind>,
    /// Joints to choose from, likewise.
    pub joints: Vec<JointType>,
    /// Functions to choose from, likewise.
    pub functions: Vec<Function>,
    /// How passages through nodes are counted.
    pub replication: Replication,
    /// Rates of mutations.
    pub rates: Rates,
    /// Sizes of mutations.
    pub magnitudes: Magnitudes,
}

impl Default for GraphSettings {
    fn default() -> Self {
        use JointType::{Ball, Revolute, Rigid, Universal};
        Self {
            nodes: [2, 4],
            extra_connections: [0, 1],
            neurons: [1, 4],
            global_neurons: [0, 3],
            half_size: [0.04, 0.22],
            long: 0.8,
            scale: [0.6, 1.1],
            lean: 0.8,
            repeats: [2, 4],
            turn: [0.2, 1.6],
            twins: 0.6,
            chains: 0.2,
            terminal: 0.15,
            oscillators: 0.35,
            shapes: ShapeKind::ALL.to_vec(),
            joints: vec![Rigid, Revolute, Revolute, Revolute, Revolute, Universal, Universal, Ball],
            functions: Function::ALL.to_vec(),
            replication: Replication::PerPath,
            rates: Rates::default(),
            magnitudes: Magnitudes::default(),
        }
    }
}

impl GraphSettings {
    /// Freezes shapes and sizes. New nodes take them from other nodes of the same genome.
    pub fn freeze_shapes(&mut self) {
        self.rates.node.freeze_shape();
        self.rates.connection.scale = 0.0;
    }

    /// Freezes the body, so that only brains evolve.
    pub fn freeze_body(&mut self) {
        self.rates.freeze_body();
    }

    /// Freezes neurons and effectors, so that only bodies evolve. New nodes take their neurons from other nodes of the
    /// same genome.
    pub fn freeze_brain(&mut self) {
        self.rates.freeze_brain();
    }
}
