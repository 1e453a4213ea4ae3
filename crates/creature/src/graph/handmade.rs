//! Graph genomes made by hand: two that show what few genes can say (000 section 4.2, figure 4.1), and three that walk, swim
//! and jump.
//!
//! Their joints are driven by neurons that work like a servo: the effort is a gain times (wanted angle - felt angle), less
//! a share of the rate.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{DQuat, DVec3};

use super::address::Place;
use super::connection::Connection;
use super::genome::{GraphGenome, Replication};
use super::joint_gene::{JointGene, JointType};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::{Node, ShapeKind};
use crate::brain::Function;
use crate::senses::Sense;

/// The axes of the surface's frame, from the first one named on.
const XYZ: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

/// A chain body with mirrored legs on every segment (000 figure 4.1): a head, six segments that are one node passed six
/// times, and a pair of legs on each, which are one node reached by two connections, one of them reflected. Waves run from the
/// head to the tail, as each segment repeats with a delay what the one before it did.
pub fn centipede() -> GraphGenome {
    let mut head = Node::new(ShapeKind::Ellipsoid, DVec3::new(0.08, 0.08, 0.06), rigid());
    head.neurons = vec![wave(0.3, 0.0), wave(0.3, 0.25)];
    // Along the chain is z, to the side y, up x.
    let segment_joint = JointGene::new(JointType::Revolute, XYZ, 0.3);
    let mut segment = Node::new(ShapeKind::Box, DVec3::new(0.04, 0.06, 0.07), segment_joint);
    segment.recursion_limit = 6;
    segment.neurons = vec![delayed(Place::Parent, 0), delayed(Place::Parent, 1), servo(None, 0, 4.0)];
    segment.effectors[0] = InputGene::new(Place::Local, 2, 1.0);
    let mut leg =
        Node::new(ShapeKind::Capsule, DVec3::new(0.018, 0.018, 0.11), JointGene::new(JointType::Universal, XYZ, 0.6));
    leg.neurons = vec![servo(Some((Place::Parent, 0, 0.8)), 0, 4.0), servo(Some((Place::Parent, 1, 0.8)), 1, 4.0)];
    leg.effectors[0] = InputGene::new(Place::Local, 0, 1.0);
    leg.effectors[1] = InputGene::new(Place::Local, 1, 1.0);
    // Out of the side and down.
    let hip = Connection::new(1, 2, DVec3::Y).turned(DQuat::from_rotation_y(-0.9));
    genome(
        vec![head, segment, leg],
        vec![Connection::new(0, 1, DVec3::NEG_X), Connection::new(1, 1, DVec3::Z), hip.clone().reflected(), hip],
    )
}

/// A tree whose limbs shrink (000 section 4.2): one node, passed four times on each path, that carries two smaller copies of
/// itself, one of them reflected. Every fork is turned by a right angle from the one before it.
pub fn tree() -> GraphGenome {
    let size = DVec3::new(0.05, 0.05, 0.25);
    let mut limb = Node::new(ShapeKind::Capsule, size, JointGene::new(JointType::Revolute, XYZ, 0.4));
    limb.recursion_limit = 4;
    limb.neurons = vec![wave(-1.0, 0.0), servo(Some((Place::Local, 0, 0.5)), 0, 3.0)];
    limb.effectors[0] = InputGene::new(Place::Local, 1, 1.0);
    // On the round end, at an angle from its middle.
    let lean = 0.7;
    let tip = DVec3::new(0.0, size.x * libm::sin(lean), size.z - size.x + size.x * libm::cos(lean));
    let fork = Connection::new(0, 0, tip).turned(DQuat::from_rotation_z(FRAC_PI_2)).scaled(0.7);
    genome(vec![limb], vec![fork.clone().reflected(), fork])
}

fn genome(nodes: Vec<Node>, connections: Vec<Connection>) -> GraphGenome {
    GraphGenome { root: 0, replication: Replication::PerPath, nodes, connections, global_neurons: Vec::new() }
}

/// For parts that do not move on their parents, and for the root.
fn rigid() -> JointGene {
    JointGene::new(JointType::Rigid, XYZ, FRAC_PI_4)
}

/// A sine of 2^octave Hz that starts at a phase (in periods).
fn wave(octave: f64, phase: f64) -> NeuronGene {
    NeuronGene::new(Function::OscillateWave, [InputGene::constant(octave), InputGene::constant(phase)])
}

/// What a neuron of another part was a little before.
fn delayed(place: Place, index: u16) -> NeuronGene {
    NeuronGene::new(Function::Delay, [InputGene::new(place, index, 1.0)])
}

/// Effort that drives an axis to where a neuron says (place, index, weight; as a share of its limits), or to its middle.
fn servo(wanted: Option<(Place, u16, f64)>, axis: u16, gain: f64) -> NeuronGene {
    let wanted = wanted.map_or(InputGene::SILENT, |(place, index, weight)| InputGene::new(place, index, gain * weight));
    let (angle, rate) = (Sense::Angle0.channel() as u16 + axis, Sense::Rate0.channel() as u16 + axis);
    NeuronGene::new(
        Function::Sum,
        [wanted, InputGene::new(Place::LocalSensor, angle, -gain), InputGene::new(Place::LocalSensor, rate, -gain)],
    )
}
