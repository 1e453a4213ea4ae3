//! Graph genomes designed by hand: two that show what few genes can express (Fontijne (2000) section 4.2, figure 4.1),
//! and three that walk, swim and jump.
//!
//! Their joints are driven by neurons that act as servos: the effort is a gain times (target angle - sensed angle),
//! minus a fraction of the rate. All angles of neurons are fractions of the joint's limits.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{DQuat, DVec3, Vec3Swizzles};

use super::address::Place;
use super::connection::Connection;
use super::genome::{GraphGenome, Replication};
use super::joint_gene::{JointDrive, JointGene, JointType};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::{Node, ShapeKind};
use crate::brain::Function;
use crate::senses::Sense;

/// Angle by which legs lean down from the side of the trunk, in rad.
const LEAN: f64 = 0.9;

/// A chain of segments with mirrored legs (Fontijne (2000) figure 4.1): a head, six segments from one node that is
/// passed six times, and a pair of legs on each, from one node with two connections, one of them reflected. Waves run
/// from the head to the tail, because each segment repeats the motion of the previous one with a delay.
pub fn centipede() -> GraphGenome {
    let mut head = Node::new(ShapeKind::Ellipsoid, DVec3::new(0.08, 0.08, 0.06), rigid());
    head.neurons = vec![wave(1.0, 0.0), wave(1.0, 0.25)];
    // On a segment z is along the chain to the tail, y to the side, x up.
    let mut segment = Node::new(ShapeKind::Box, DVec3::new(0.04, 0.06, 0.07), hinge(DVec3::X, [-0.3, 0.3]));
    segment.recursion_limit = 6;
    segment.neurons =
        vec![delayed(Place::Parent, 0), delayed(Place::Parent, 1), servo(InputGene::SILENT, 0, [4.0, 4.0])];
    segment.effectors[0] = InputGene::new(Place::Local, 2, 1.0);
    // On a side of it x is up, y forward, z outward.
    let lean = DQuat::from_rotation_y(-LEAN);
    let axes = [lean.conjugate() * DVec3::NEG_X, DVec3::Y, lean.conjugate() * DVec3::Z];
    let mut leg = Node::new(ShapeKind::Capsule, DVec3::new(0.02, 0.02, 0.11), leg_joint(axes));
    step(&mut leg, InputGene::new(Place::Parent, 0, 1.0), InputGene::new(Place::Parent, 1, 0.5));
    let hip = Connection::new(1, 2, DVec3::Y).turned(lean);
    genome(
        vec![head, segment, leg],
        vec![Connection::new(0, 1, DVec3::NEG_X), Connection::new(1, 1, DVec3::Z), hip.clone().reflected(), hip],
    )
}

/// A tree whose limbs shrink (Fontijne (2000) section 4.2): one node, passed four times on each path, with two smaller
/// copies of itself, one of them reflected. Every fork is rotated by a right angle relative to the previous one.
pub fn tree() -> GraphGenome {
    let size = DVec3::new(0.05, 0.05, 0.25);
    let mut limb = Node::new(ShapeKind::Capsule, size, hinge(DVec3::X, [-0.4, 0.4]));
    limb.recursion_limit = 4;
    limb.neurons = vec![wave(-1.0, 0.0), servo(InputGene::new(Place::Local, 0, 0.5), 0, [3.0, 3.0])];
    limb.effectors[0] = InputGene::new(Place::Local, 1, 1.0);
    // A point on the round end.
    let lean = 0.7;
    let tip = DVec3::new(0.0, size.x * libm::sin(lean), size.z - size.x + size.x * libm::cos(lean));
    let fork = Connection::new(0, 0, tip).turned(DQuat::from_rotation_z(FRAC_PI_2)).scaled(0.7);
    genome(vec![limb], vec![fork.clone().reflected(), fork])
}

/// Six legs on a flat trunk that walks along x on three legs at a time: the front and hind leg of one side with the
/// middle leg of the other. The legs come from two nodes, which differ only in the phase of their oscillators. They
/// sense rotation and steer against it.
pub fn walker() -> GraphGenome {
    let trunk = Node::new(ShapeKind::Box, DVec3::new(0.25, 0.1, 0.05), rigid());
    let (early, late) = (1, 2);
    // On a side of the trunk x is forward, y down, z outward.
    let lean = DQuat::from_rotation_x(-LEAN);
    let axes = [lean.conjugate() * DVec3::Y, DVec3::X, lean.conjugate() * DVec3::Z];
    let leg = |phase: f64| {
        let mut leg = Node::new(ShapeKind::Capsule, DVec3::new(0.03, 0.03, 0.14), leg_joint(axes));
        leg.neurons = vec![wave(1.3, phase), wave(1.3, phase + 0.25)];
        leg.neurons.extend(steering(0, lean.conjugate() * DVec3::NEG_Y, 4.0));
        step(&mut leg, InputGene::new(Place::Local, 5, 1.0), InputGene::new(Place::Local, 1, 1.0));
        leg
    };
    let hip = |child: usize, x: f64| Connection::new(0, child, DVec3::new(x, 0.1, 0.0)).turned(lean);
    genome(
        vec![trunk, leg(0.0), leg(0.5)],
        vec![
            hip(early, 0.19),
            hip(late, 0.19).reflected(),
            hip(late, 0.0),
            hip(early, 0.0).reflected(),
            hip(early, -0.19),
            hip(late, -0.19).reflected(),
        ],
    )
}

/// An eel: a chain of flat segments that swims along x. The head oscillates, and each segment repeats its motion with a
/// delay, so that a wave runs to the tail and pushes water back.
pub fn swimmer() -> GraphGenome {
    let mut head = Node::new(ShapeKind::Ellipsoid, DVec3::new(0.12, 0.05, 0.08), rigid());
    head.neurons = vec![wave(-0.5, 0.0)];
    // z is along the chain to the tail, y to the side, x up.
    let mut segment = Node::new(ShapeKind::Box, DVec3::new(0.08, 0.02, 0.08), hinge(DVec3::X, [-0.9, 0.9]));
    segment.recursion_limit = 5;
    segment.neurons = vec![delayed(Place::Parent, 0), servo(InputGene::new(Place::Local, 0, 1.2), 0, [4.0, 4.0])];
    segment.effectors[0] = InputGene::new(Place::Local, 1, 1.0);
    genome(vec![head, segment], vec![Connection::new(0, 1, DVec3::NEG_X), Connection::new(1, 1, DVec3::Z)])
}

/// A table that jumps: four legs from one node, which are pressed down at the same time.
pub fn jumper() -> GraphGenome {
    let mut trunk = Node::new(ShapeKind::Box, DVec3::new(0.14, 0.1, 0.04), rigid());
    // Down for a moment of every other second, up for the rest.
    trunk.neurons = vec![
        wave(-1.0, 0.5),
        NeuronGene::new(Function::Sum, [InputGene::new(Place::Local, 0, 1.0), InputGene::constant(0.9)]),
        NeuronGene::new(Function::SignOf, [InputGene::new(Place::Local, 1, 1.0)]),
    ];
    let lean = DQuat::from_rotation_x(-0.3);
    let mut leg = Node::new(ShapeKind::Capsule, DVec3::new(0.03, 0.03, 0.2), hinge(DVec3::X, [-0.9, 0.4]));
    leg.effectors[0] = InputGene::new(Place::Parent, 2, 1.0);
    let hip = |x: f64| Connection::new(0, 1, DVec3::new(x, 0.1, 0.0)).turned(lean);
    genome(vec![trunk, leg], vec![hip(0.08), hip(0.08).reflected(), hip(-0.08), hip(-0.08).reflected()])
}

fn genome(nodes: Vec<Node>, connections: Vec<Connection>) -> GraphGenome {
    GraphGenome {
        root: 0,
        replication: Replication::PerPath,
        nodes,
        connections,
        global_neurons: Vec::new(),
        rhythm: 1.0,
    }
}

/// A joint for parts that do not move on their parents, and for the root.
fn rigid() -> JointGene {
    JointGene::new(JointType::Rigid, [DVec3::X, DVec3::Y, DVec3::Z], FRAC_PI_4)
}

/// A single hinge about x or y.
fn hinge(axis: DVec3, limit: [f64; 2]) -> JointGene {
    JointGene {
        kind: JointType::Revolute,
        axes: [axis, axis.yxz(), DVec3::Z],
        limits: [limit; 3],
        drive: JointDrive::Effort,
    }
}

/// A joint that turns forward about the first axis and up about the second.
fn leg_joint(axes: [DVec3; 3]) -> JointGene {
    JointGene {
        kind: JointType::Universal,
        axes,
        limits: [[-0.5, 0.5], [-0.4, 0.6], [-0.5, 0.5]],
        drive: JointDrive::Effort,
    }
}

/// Makes a leg step: it follows one input forward and back, and with a lower gain another input up and down, because
/// both axes share the joint's strength.
fn step(leg: &mut Node, forward: InputGene, up: InputGene) {
    let first = leg.neurons.len() as u16;
    leg.neurons.extend([servo(forward, 0, [6.0, 3.0]), servo(up, 1, [2.0, 5.0])]);
    leg.effectors[0] = InputGene::new(Place::Local, first, 1.0);
    leg.effectors[1] = InputGene::new(Place::Local, first + 1, 1.0);
}

/// Neurons that scale the neuron with the given index by the recent rotation of the leg. Mirrored legs sense the same
/// rotation with opposite signs, so the legs on the inner side of a curve make longer steps.
fn steering(index: u16, up: DVec3, gain: f64) -> [NeuronGene; 4] {
    let turn = |sense: Sense, share: f64| InputGene::new(Place::LocalSensor, sense.channel() as u16, share);
    let local = |index: u16, weight: f64| InputGene::new(Place::Local, index, weight);
    [
        NeuronGene::new(Function::Sum, [turn(Sense::TurnX, up.x), turn(Sense::TurnY, up.y), turn(Sense::TurnZ, up.z)]),
        NeuronGene::new(Function::Integrate, [local(index + 2, 1.0)]),
        NeuronGene::new(Function::Sum, [InputGene::constant(1.0), local(index + 3, gain)]),
        NeuronGene::new(Function::Product, [local(index, 1.0), local(index + 4, 1.0)]),
    ]
}

/// A sine of 2^octave Hz with an initial phase (in periods).
fn wave(octave: f64, phase: f64) -> NeuronGene {
    NeuronGene::new(Function::OscillateWave, [InputGene::constant(octave), InputGene::constant(phase)])
}

/// The delayed output of a neuron of another part.
fn delayed(place: Place, index: u16) -> NeuronGene {
    NeuronGene::new(Function::Delay, [InputGene::new(place, index, 1.0)])
}

/// The effort that drives an axis to a target angle.
fn servo(wanted: InputGene, axis: u16, [gain, damping]: [f64; 2]) -> NeuronGene {
    let (angle, rate) = (Sense::Angle0.channel() as u16 + axis, Sense::Rate0.channel() as u16 + axis);
    let sensed = |channel: u16, weight: f64| InputGene::new(Place::LocalSensor, channel, -weight);
    NeuronGene::new(
        Function::Sum,
        [InputGene { weight: gain * wanted.weight, ..wanted }, sensed(angle, gain), sensed(rate, damping)],
    )
}
