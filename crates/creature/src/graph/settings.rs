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
    /// Minimum and maximum number of neurons of a node in addition to those that drive its axes.
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
    /// Probability that a new connection of the root is a leg: at a side or below, pointing down.
    pub legs: f64,
    /// Probability that the axes of a joint have any directions; otherwise they are those of the surface.
    pub oblique: f64,
    /// Probability that a new connection gets a mirrored twin.
    pub twins: f64,
    /// Probability that a node is also connected to itself, which gives a chain.
    pub chains: f64,
    /// Probability that a connection is for the end of a chain only.
    pub terminal: f64,
    /// Probability that a new neuron is an oscillator; otherwise it has any of the functions.
    pub oscillators: f64,
    /// Minimum and maximum rhythm, in Hz.
    pub rhythm: [f64; 2],
    /// Probability that a joint is driven towards angles; otherwise its effectors are efforts.
    pub servos: f64,
    /// Probability that an axis gets neurons that beat; otherwise its effector has any source.
    pub beats: f64,
    /// Probability that the angle, and that the amplitude, of a beating axis depends on a sense, where it does not depend
    /// on the direction to the target.
    pub reflexes: f64,
    /// Probability that the angle, and that the amplitude, of a beating axis depends on the direction to the target, so
    /// that the creature turns. For tasks with a target.
    #[serde(skip_serializing_if = "is_zero")]
    pub steering: f64,
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

/// Settings of runs without steering are stored as they were before there was any.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl Default for GraphSettings {
    fn default() -> Self {
        use JointType::{Ball, Revolute, Rigid, Universal};
        use ShapeKind::{Box, Capsule, Cone, Ellipsoid, Sphere};
        Self {
            nodes: [2, 4],
            extra_connections: [0, 1],
            neurons: [0, 1],
            global_neurons: [0, 2],
            half_size: [0.05, 0.3],
            long: 0.8,
            scale: [0.6, 1.1],
            lean: 0.8,
            repeats: [2, 4],
            turn: [0.5, 1.5],
            legs: 0.9,
            oblique: 0.15,
            twins: 0.75,
            chains: 0.2,
            terminal: 0.15,
            oscillators: 0.35,
            rhythm: [1.2, 2.5],
            servos: 0.9,
            beats: 0.95,
            reflexes: 0.3,
            steering: 0.0,
            shapes: vec![Box, Box, Capsule, Capsule, Sphere, Ellipsoid, Cone],
            joints: vec![
                Revolute, Revolute, Universal, Universal, Universal, Universal, Universal, Universal, Ball, Rigid,
            ],
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
