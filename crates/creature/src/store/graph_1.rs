//! Graph genomes as version 1 of the formats has them: joints without a drive, brains without a rhythm.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::brain::Function;
use crate::graph::{
    Connection, GraphGenome, InputGene, JointDrive, JointGene, JointType, NeuronGene, Node, Place, Replication,
    ShapeKind,
};

/// Rhythm of genomes of version 1, in Hz.
const RHYTHM: f64 = 1.0;

/// A genome of version 1.
#[derive(Serialize, Deserialize)]
pub(super) struct GraphGenome1 {
    root: usize,
    replication: Replication,
    nodes: Vec<Node1>,
    connections: Vec<Connection>,
    global_neurons: Vec<NeuronGene>,
}

#[derive(Serialize, Deserialize)]
struct Node1 {
    shape: ShapeKind,
    size: DVec3,
    joint: Joint1,
    recursion_limit: u8,
    neurons: Vec<NeuronGene>,
    effectors: [InputGene; 3],
}

#[derive(Serialize, Deserialize)]
struct Joint1 {
    kind: JointType,
    axes: [DVec3; 3],
    limits: [[f64; 2]; 3],
}

impl GraphGenome1 {
    /// Returns the genome in version 1, if it uses nothing that is newer. Genomes of old archives then keep their bytes.
    pub(super) fn of(genome: &GraphGenome) -> Option<Self> {
        let GraphGenome { root, replication, nodes, connections, global_neurons, rhythm } = genome;
        let neurons = || nodes.iter().flat_map(|node| &node.neurons).chain(global_neurons);
        let inputs =
            || neurons().flat_map(|neuron| &neuron.inputs).chain(nodes.iter().flat_map(|node| &node.effectors));
        let is_old = *rhythm == RHYTHM
            && nodes.iter().all(|node| node.joint.drive == JointDrive::Effort)
            && neurons().all(|neuron| !matches!(neuron.function, Function::Beat | Function::DoubleBeat))
            && inputs().all(|input| !matches!(input.source.place, Place::Side | Place::Depth | Place::RootSensor));
        is_old.then(|| Self {
            root: *root,
            replication: *replication,
            nodes: nodes.iter().cloned().map(Node1::from).collect(),
            connections: connections.clone(),
            global_neurons: global_neurons.clone(),
        })
    }
}

impl From<Node> for Node1 {
    fn from(node: Node) -> Self {
        let Node { shape, size, joint, recursion_limit, neurons, effectors } = node;
        let joint = Joint1 { kind: joint.kind, axes: joint.axes, limits: joint.limits };
        Self { shape, size, joint, recursion_limit, neurons, effectors }
    }
}

impl From<GraphGenome1> for GraphGenome {
    fn from(old: GraphGenome1) -> Self {
        let GraphGenome1 { root, replication, nodes, connections, global_neurons } = old;
        let nodes = nodes.into_iter().map(Node::from).collect();
        Self { root, replication, nodes, connections, global_neurons, rhythm: RHYTHM }
    }
}

impl From<Node1> for Node {
    fn from(old: Node1) -> Self {
        let Node1 { shape, size, joint: Joint1 { kind, axes, limits }, recursion_limit, neurons, effectors } = old;
        let joint = JointGene { kind, axes, limits, drive: JointDrive::Effort };
        Self { shape, size, joint, recursion_limit, neurons, effectors }
    }
}
