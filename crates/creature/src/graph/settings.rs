//! How random graph genomes are drawn, and how often and how far each member changes.

use serde::{Deserialize, Serialize};

use super::genome::Replication;
use super::joint_gene::JointType;
use super::node::ShapeKind;
use super::rates::{Magnitudes, Rates};
use crate::brain::Function;

/// How graph genomes are drawn and changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphSettings {
    /// Fewest and most nodes of a random genome.
    pub nodes: [usize; 2],
    /// Fewest and most connections beyond those that make all nodes reachable, twins not counted.
    pub extra_connections: [usize; 2],
    /// Fewest and most neurons of a node.
    pub neurons: [usize; 2],
    /// Fewest and most neurons of the central brain.
    pub global_neurons: [usize; 2],
    /// Least and largest half side of a part, in m.
    pub half_size: [f64; 2],
    /// Chance that the longest side of a part is the one that points away from its parent.
    pub long: f64,
    /// Least and largest scale of a child by its parent.
    pub scale: [f64; 2],
    /// Most that a child leans away from the normal of its parent's surface, in rad.
    pub lean: f64,
    /// Fewest and most parts of a node that hangs on itself.
    pub repeats: [u8; 2],
    /// Least and largest angle that an axis turns by either way, in rad.
    pub turn: [f64; 2],
    /// Chance that a new connection gets a mirrored twin.
    pub twins: f64,
    /// Chance that a node hangs on itself, too: a chain.
    pub chains: f64,
    /// Chance that a connection is for the end of a chain only.
    pub terminal: f64,
    /// Chance that a new neuron is an oscillator; else it is any of the functions.
    pub oscillators: f64,
    /// Shapes to choose from, each as likely as any other; one that is listed twice is twice as likely.
    pub shapes: Vec<ShapeKind>,
    /// Joints to choose from.
    pub joints: Vec<JointType>,
    /// Functions to choose from.
    pub functions: Vec<Function>,
    /// How passages through nodes are counted.
    pub replication: Replication,
    /// How often members change.
    pub rates: Rates,
    /// How far they change.
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
    /// Neither mutation nor recombination changes shapes and sizes: new nodes take them from others of the same genome.
    pub fn freeze_shapes(&mut self) {
        self.rates.node.freeze_shape();
        self.rates.connection.scale = 0.0;
    }

    /// Neither mutation nor recombination changes the body: brains only evolve.
    pub fn freeze_body(&mut self) {
        self.rates.freeze_body();
    }

    /// Neither mutation nor recombination changes neurons and what effectors are connected to: bodies only evolve, and new
    /// nodes take their neurons from others of the same genome.
    pub fn freeze_brain(&mut self) {
        self.rates.freeze_brain();
    }
}
