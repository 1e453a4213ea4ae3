//! Random genes. Mirrored pairs of limbs and chains of segments are generated on purpose, because random connections
//! hardly ever form them.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec3Swizzles};

use super::address::{Address, Place};
use super::bounds;
use super::connection::Connection;
use super::genome::GraphGenome;
use super::joint_gene::{JointGene, JointType};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::{Node, ShapeKind};
use super::settings::GraphSettings;
use crate::brain::Function;
use crate::random::Random;
use crate::senses::Sense;

/// Maximum magnitude of random weights.
const MAX_WEIGHT: f64 = 2.0;

/// Added to the lateral component of a twin's position, so that twins are apart.
const TWIN_OFFSET: f64 = 0.5;

/// Returns a random genome.
pub(super) fn genome(settings: &GraphSettings, random: &mut Random) -> GraphGenome {
    let mut genome = GraphGenome {
        root: 0,
        replication: settings.replication,
        nodes: Vec::new(),
        connections: Vec::new(),
        global_neurons: Vec::new(),
    };
    for index in 0..count(settings.nodes, [1, bounds::MAX_NODES], random) {
        let mut node = node(settings, random);
        if index == 0 {
            // The trunk is horizontal, with limbs at its sides.
            node.size = node.size.zyx();
            genome.nodes.push(node);
        } else {
            genome.nodes.push(node);
            let parent = random.below(index);
            connect(&mut genome, parent, index, settings, random);
        }
    }
    for _ in 0..count(settings.extra_connections, [0, bounds::MAX_CONNECTIONS], random) {
        let (parent, child) = (random.below(genome.nodes.len()), random.below(genome.nodes.len()));
        connect(&mut genome, parent, child, settings, random);
    }
    for index in 0..genome.nodes.len() {
        if random.chance(settings.chains) {
            chain(&mut genome, index, settings, random);
        }
    }
    for _ in 0..count(settings.global_neurons, [0, bounds::MAX_GLOBAL_NEURONS], random) {
        genome.global_neurons.push(neuron(settings, random));
    }
    genome.repaired()
}

/// Adds a connection, possibly with its mirrored twin.
pub(super) fn connect(
    genome: &mut GraphGenome,
    parent: usize,
    child: usize,
    settings: &GraphSettings,
    random: &mut Random,
) {
    let mut connection = connection(parent, child, settings, random);
    // A part other than the root is attached by its lower end, so there is no space for more.
    if parent != genome.root {
        connection.position.z = connection.position.z.abs();
    }
    if random.chance(settings.twins) {
        let side = if connection.position.y < 0.0 { -1.0 } else { 1.0 };
        connection.position.y += side * TWIN_OFFSET;
        genome.connections.push(connection.clone().reflected());
    }
    genome.connections.push(connection);
}

/// Connects a node to itself, along its axis.
fn chain(genome: &mut GraphGenome, index: usize, settings: &GraphSettings, random: &mut Random) {
    let node = &mut genome.nodes[index];
    node.recursion_limit = settings.repeats[0]
        + random.below(usize::from(settings.repeats[1].saturating_sub(settings.repeats[0])) + 1) as u8;
    let mut link = connection(index, index, settings, random);
    // The root is part of its chain like every other part: the chain continues along its z axis.
    link.position = DVec3::Z + random.normal_vector(0.2);
    link.terminal_only = false;
    genome.connections.push(link);
}

pub(super) fn node(settings: &GraphSettings, random: &mut Random) -> Node {
    Node {
        shape: shape(settings, random),
        size: size(settings, random),
        joint: joint(settings, random),
        recursion_limit: 1,
        neurons: (0..count(settings.neurons, [0, bounds::MAX_LOCAL_NEURONS], random))
            .map(|_| neuron(settings, random))
            .collect(),
        effectors: std::array::from_fn(|_| effector(random)),
    }
}

pub(super) fn shape(settings: &GraphSettings, random: &mut Random) -> ShapeKind {
    random.choice(&settings.shapes).copied().unwrap_or(ShapeKind::Box)
}

pub(super) fn joint_type(settings: &GraphSettings, random: &mut Random) -> JointType {
    random.choice(&settings.joints).copied().unwrap_or(JointType::Revolute)
}

/// Returns a random size. With the probability `long`, z is the longest side.
fn size(settings: &GraphSettings, random: &mut Random) -> DVec3 {
    let [low, high] = range(settings.half_size, bounds::HALF_SIZE);
    let mut sides: [f64; 3] = std::array::from_fn(|_| random.magnitude(low, high));
    if random.chance(settings.long) {
        sides.sort_by(f64::total_cmp);
    }
    DVec3::from_array(sides)
}

fn joint(settings: &GraphSettings, random: &mut Random) -> JointGene {
    let [low, high] = range(settings.turn, bounds::TURN);
    let kind = joint_type(settings, random);
    // Half of the joints have the axes of the surface frame, so that they fold and swing squarely.
    let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let first = random.below(3);
    axes.rotate_left(first);
    if random.chance(0.5) {
        axes = std::array::from_fn(|_| random.direction());
    }
    let limits = std::array::from_fn(|_| [-random.between(low, high), random.between(low, high)]);
    JointGene { kind, axes, limits }
}

pub(super) fn connection(parent: usize, child: usize, settings: &GraphSettings, random: &mut Random) -> Connection {
    let [low, high] = range(settings.scale, bounds::SCALE);
    let (toward, lean) = (random.between(0.0, 2.0 * PI), random.between(0.0, settings.lean.clamp(0.0, PI)));
    let axis = DVec3::new(libm::cos(toward), libm::sin(toward), 0.0);
    Connection {
        parent,
        child,
        position: random.direction(),
        orientation: DQuat::from_axis_angle(axis, lean) * DQuat::from_rotation_z(random.between(-PI, PI)),
        scale: random.magnitude(low, high),
        reflect: false,
        terminal_only: random.chance(settings.terminal),
    }
}

pub(super) fn neuron(settings: &GraphSettings, random: &mut Random) -> NeuronGene {
    let mut neuron =
        NeuronGene { function: function(settings, random), inputs: std::array::from_fn(|_| input(random)) };
    // The frequency and phase of most oscillators are constants.
    if matches!(neuron.function, Function::OscillateWave | Function::OscillateSaw) {
        for input in &mut neuron.inputs {
            if random.chance(0.8) {
                input.source.place = Place::One;
            }
        }
    }
    neuron
}

pub(super) fn function(settings: &GraphSettings, random: &mut Random) -> Function {
    if random.chance(settings.oscillators) {
        return if random.chance(0.8) { Function::OscillateWave } else { Function::OscillateSaw };
    }
    random.choice(&settings.functions).copied().unwrap_or(Function::Sum)
}

fn input(random: &mut Random) -> InputGene {
    InputGene { source: address(random), weight: random.between(-MAX_WEIGHT, MAX_WEIGHT) }
}

/// Returns a random effector, which in most cases is driven by a neuron of the part.
fn effector(random: &mut Random) -> InputGene {
    let mut input = input(random);
    if random.chance(0.7) {
        input.source.place = Place::Local;
    }
    input
}

pub(super) fn address(random: &mut Random) -> Address {
    let place = match random.below(12) {
        0..=3 => Place::Local,
        4 => Place::Parent,
        5 => Place::Child(random.below(4) as u16),
        6 => Place::Global,
        7 | 8 => Place::LocalSensor,
        9 => Place::WorldSensor,
        _ => Place::One,
    };
    Address::new(place, random.below(Sense::COUNT) as u16)
}

/// Returns a random count from a range, within bounds.
fn count([low, high]: [usize; 2], [least, most]: [usize; 2], random: &mut Random) -> usize {
    let (low, high) = (low.clamp(least, most), high.clamp(least, most));
    low + random.below(high.saturating_sub(low) + 1)
}

/// Returns a range within bounds.
fn range([low, high]: [f64; 2], [least, most]: [f64; 2]) -> [f64; 2] {
    [low.max(least).min(most), high.max(least).min(most)]
}
