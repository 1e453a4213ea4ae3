//! Intermediate recombination of graphs (Arnold (1997) section 3.1.4). The child has the structure of the first parent.
//! Every number that the second parent has at the same place becomes the mean of both. Nodes, connections and neurons
//! are matched by index. They match if everything except the numbers is equal: the kind of a shape or a joint, the ends
//! of a connection, the function of a neuron and the sources of its inputs. Unrelated genomes match in little, so their
//! child is much like the first parent; related genomes match in almost everything.

use glam::{DQuat, DVec3};

use super::connection::Connection;
use super::genome::GraphGenome;
use super::joint_gene::JointGene;
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::Node;
use super::settings::GraphSettings;

/// Returns a child of two parents, not yet repaired.
pub(super) fn intermediate(mut child: GraphGenome, other: &GraphGenome, settings: &GraphSettings) -> GraphGenome {
    let rates = &settings.rates;
    for (own, other) in child.nodes.iter_mut().zip(&other.nodes) {
        let old = own.clone();
        mean_node(own, other);
        own.keep_frozen(&old, rates);
    }
    for (own, other) in child.connections.iter_mut().zip(&other.connections) {
        mean_connection(own, other, settings);
    }
    if rates.graph.rhythm > 0.0 {
        child.rhythm = 0.5 * (child.rhythm + other.rhythm);
    }
    if rates.global_neurons_may_change() {
        mean_neurons(&mut child.global_neurons, &other.global_neurons);
    }
    child
}

fn mean_node(own: &mut Node, other: &Node) {
    if own.shape == other.shape {
        own.size = 0.5 * (own.size + other.size);
    }
    if own.joint.kind == other.joint.kind {
        mean_joint(&mut own.joint, &other.joint);
    }
    mean_neurons(&mut own.neurons, &other.neurons);
    mean_inputs(&mut own.effectors, &other.effectors);
}

/// Opposite axes have no mean. The repair keeps the axes at a minimum angle from each other.
fn mean_joint(own: &mut JointGene, other: &JointGene) {
    for (own, other) in own.axes.iter_mut().zip(other.axes) {
        *own = mean_direction(*own, other);
    }
    for (own, other) in own.limits.iter_mut().flatten().zip(other.limits.as_flattened()) {
        *own = 0.5 * (*own + other);
    }
}

fn mean_neurons(own: &mut [NeuronGene], other: &[NeuronGene]) {
    for (own, other) in own.iter_mut().zip(other) {
        if own.function == other.function {
            mean_inputs(&mut own.inputs, &other.inputs);
        }
    }
}

fn mean_inputs(own: &mut [InputGene], other: &[InputGene]) {
    for (own, other) in own.iter_mut().zip(other) {
        if own.source == other.source {
            own.weight = 0.5 * (own.weight + other.weight);
        }
    }
}

fn mean_connection(own: &mut Connection, other: &Connection, settings: &GraphSettings) {
    let structure = |one: &Connection| (one.parent, one.child, one.reflect, one.terminal_only);
    if structure(own) != structure(other) {
        return;
    }
    let rates = &settings.rates.connection;
    if rates.position > 0.0 {
        own.position = mean_direction(own.position, other.position);
    }
    if rates.orientation > 0.0 {
        own.orientation = mean_rotation(own.orientation, other.orientation);
    }
    if rates.scale > 0.0 {
        own.scale = 0.5 * (own.scale + other.scale);
    }
}

/// Returns the mean of two unit vectors. Equal vectors keep their bits.
fn mean_direction(own: DVec3, other: DVec3) -> DVec3 {
    if own == other { own } else { (own + other).normalize_or(own) }
}

/// Returns the rotation halfway between two, on the shorter path.
fn mean_rotation(own: DQuat, other: DQuat) -> DQuat {
    let sum = if own.dot(other) < 0.0 { own - other } else { own + other };
    if own != other && sum.length() > 1e-9 { sum.normalize() } else { own }
}
