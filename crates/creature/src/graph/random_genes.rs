//! Random genes. Mirrored pairs of limbs and chains of segments are generated on purpose, because random connections
//! hardly ever form them.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec3Swizzles};

use super::address::{Address, Place};
use super::beat::add_beat;
use super::bounds;
use super::connection::Connection;
use super::genome::GraphGenome;
use super::grow::surface_frame;
use super::joint_gene::{JointDrive, JointGene, JointType};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::{Node, ShapeKind};
use super::settings::GraphSettings;
use crate::brain::Function;
use crate::random::Random;
use crate::senses::Sense;

/// Maximum magnitude of random weights.
const MAX_WEIGHT: f64 = 2.0;

/// Range of the downward component of a leg's direction relative to the component along the surface normal.
const STEEPNESS: [f64; 2] = [0.2, 2.0];

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
        rhythm: rhythm(settings, random),
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
    if genome.nodes[1..].iter().all(|node| node.joint.kind == JointType::Rigid)
        && let Some(node) = genome.nodes.get_mut(1)
        && settings.joints.iter().any(|kind| *kind != JointType::Rigid)
    {
        // At least one joint moves.
        node.joint.kind = JointType::Revolute;
        add_beat(node, 0, settings, random);
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
    if parent != genome.root {
        // A part other than the root is attached by its lower end, so there is no space for more.
        connection.position.z = connection.position.z.abs();
    } else if random.chance(settings.legs) {
        stand_on(&mut connection, &genome.nodes[parent], random);
    }
    if random.chance(settings.twins) {
        let side = if connection.position.y < 0.0 { -1.0 } else { 1.0 };
        connection.position.y += side * TWIN_OFFSET;
        genome.connections.push(connection.clone().reflected());
    }
    genome.connections.push(connection);
}

/// Makes the child of the root a leg: it is attached at a side or below and points down.
fn stand_on(connection: &mut Connection, root: &Node, random: &mut Random) {
    // The mirrored twin is on the other side.
    connection.position = DVec3::new(connection.position.x, connection.position.y.abs(), -connection.position.z.abs());
    let (_, normal) = root.shape.of_size(root.size).surface(connection.position);
    let direction = (normal - random.between(STEEPNESS[0], STEEPNESS[1]) * DVec3::Z).normalize_or(normal);
    let frame = surface_frame(normal);
    connection.orientation = frame.conjugate() * DQuat::from_rotation_arc(normal, direction) * frame * random.turn(0.2);
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
    let mut node = Node::new(shape(settings, random), size(settings, random), joint(settings, random));
    for axis in 0..node.effectors.len() {
        node.effectors[axis] = effector(random);
        // Axes that the joint does not have get no neurons. They are added if the joint gets them by mutation.
        if axis < node.joint.kind.axes() && random.chance(settings.beats) {
            add_beat(&mut node, axis, settings, random);
        }
    }
    let extra = count(settings.neurons, [0, bounds::MAX_LOCAL_NEURONS], random);
    node.neurons.extend((0..extra).map(|_| neuron(settings, random)));
    node
}

fn rhythm(settings: &GraphSettings, random: &mut Random) -> f64 {
    let [low, high] = range(settings.rhythm, bounds::RHYTHM);
    random.magnitude(low, high)
}

pub(super) fn shape(settings: &GraphSettings, random: &mut Random) -> ShapeKind {
    random.choice(&settings.shapes).copied().unwrap_or(ShapeKind::Box)
}

pub(super) fn joint_type(settings: &GraphSettings, random: &mut Random) -> JointType {
    random.choice(&settings.joints).copied().unwrap_or(JointType::Revolute)
}

pub(super) fn joint_drive(settings: &GraphSettings, random: &mut Random) -> JointDrive {
    if random.chance(settings.servos) { JointDrive::Servo } else { JointDrive::Effort }
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
    // Most joints have the axes of the surface frame, so that they fold and swing squarely. A twist comes last.
    let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
    if random.chance(0.5) {
        axes.swap(0, 1);
    }
    if random.chance(settings.oblique) {
        axes = std::array::from_fn(|_| random.direction());
    }
    let limits = std::array::from_fn(|_| [-random.between(low, high), random.between(low, high)]);
    JointGene { kind, axes, limits, drive: joint_drive(settings, random) }
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
    if is_oscillator(neuron.function) {
        for input in &mut neuron.inputs {
            if random.chance(0.8) {
                input.source.place = Place::One;
            }
        }
    }
    neuron
}

fn is_oscillator(function: Function) -> bool {
    use Function::{Beat, DoubleBeat, OscillateSaw, OscillateWave};
    matches!(function, Beat | DoubleBeat | OscillateSaw | OscillateWave)
}

pub(super) fn function(settings: &GraphSettings, random: &mut Random) -> Function {
    if random.chance(settings.oscillators) {
        return if random.chance(0.8) { Function::Beat } else { Function::DoubleBeat };
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
    let place = match random.below(15) {
        0..=3 => Place::Local,
        4 => Place::Parent,
        5 => Place::Child(random.below(4) as u16),
        6 => Place::Global,
        7 | 8 => Place::LocalSensor,
        9 => Place::WorldSensor,
        10 | 11 => Place::RootSensor,
        12 => Place::Side,
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
