//! Graph genomes as version 1 of the binary format has them: joints without a drive, brains without a rhythm.

use glam::DVec3;
use serde::Deserialize;

use crate::graph::{
    Connection, GraphGenome, InputGene, JointDrive, JointGene, JointType, NeuronGene, Node, Replication, ShapeKind,
};

/// A genome of version 1.
#[derive(Deserialize)]
pub(super) struct GraphGenome1 {
    root: usize,
    replication: Replication,
    nodes: Vec<Node1>,
    connections: Vec<Connection>,
    global_neurons: Vec<NeuronGene>,
}

#[derive(Deserialize)]
struct Node1 {
    shape: ShapeKind,
    size: DVec3,
    joint: Joint1,
    recursion_limit: u8,
    neurons: Vec<NeuronGene>,
    effectors: [InputGene; 3],
}

#[derive(Deserialize)]
struct Joint1 {
    kind: JointType,
    axes: [DVec3; 3],
    limits: [[f64; 2]; 3],
}

impl From<GraphGenome1> for GraphGenome {
    fn from(old: GraphGenome1) -> Self {
        let GraphGenome1 { root, replication, nodes, connections, global_neurons } = old;
        let nodes = nodes.into_iter().map(Node::from).collect();
        Self { root, replication, nodes, connections, global_neurons, rhythm: 1.0 }
    }
}

impl From<Node1> for Node {
    fn from(old: Node1) -> Self {
        let Node1 { shape, size, joint: Joint1 { kind, axes, limits }, recursion_limit, neurons, effectors } = old;
        let joint = JointGene { kind, axes, limits, drive: JointDrive::Effort };
        Self { shape, size, joint, recursion_limit, neurons, effectors }
    }
}
