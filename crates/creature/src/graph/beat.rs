//! Neurons that make an axis beat: the brain that a random joint starts with.
//!
//! ```text
//!   beat     sin(2 pi (rhythm t + phase + shift of mirrored parts + lag along a chain))
//!   target   beat * amplitude + bias + sense * weight
//! ```
//!
//! With a reflex of the amplitude, the beat is first multiplied by 1 + sense * weight. All beats of a creature share
//! its rhythm, so their relative phases are kept whatever the genes of a single joint are. A reflex to the lateral
//! direction of the target has opposite signs at both sides of the body, so that it makes the creature turn.

use glam::DVec3;

use super::address::Place;
use super::bounds;
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::Node;
use super::settings::GraphSettings;
use super::wire::ROOT_SENSES;
use crate::brain::Function;
use crate::random::Random;
use crate::senses::Sense;

/// Range of amplitudes, as fractions of the limits.
const AMPLITUDE: [f64; 2] = [0.4, 1.0];

/// Standard deviation of the bias, as a fraction of the limits.
const BIAS: f64 = 0.2;

/// Standard deviation of the weight of a reflex.
const REFLEX: f64 = 0.4;

/// Standard deviation of the weight of the direction to the target.
const STEERING_WEIGHT: f64 = 0.8;

/// Range of the lag along a chain, in periods for each part.
const LAG: [f64; 2] = [-0.25, 0.25];

/// Probability that there is a lag.
const LAG_PROBABILITY: f64 = 0.4;

/// Probability that an axis beats twice in a period.
const DOUBLE_PROBABILITY: f64 = 0.15;

/// Probability that the axes of a joint are in the phase with which a leg steps forward.
const FORWARD_PROBABILITY: f64 = 0.8;

/// Maximum number of neurons of an axis.
const MAX_COUNT: usize = 4;

/// Adds neurons to a node that make one of its axes beat, if there is space for them.
pub(super) fn add_beat(node: &mut Node, axis: usize, settings: &GraphSettings, random: &mut Random) {
    let first = node.neurons.len();
    if first + MAX_COUNT > bounds::MAX_LOCAL_NEURONS {
        return;
    }
    let local = |index: usize, weight: f64| InputGene::new(Place::Local, index as u16, weight);
    let beat = match node.neurons.iter().rev().find(|neuron| is_beat(neuron)) {
        Some(before) => quarter_later(before, forward_quarter(node, axis), random),
        None => random_beat(random),
    };
    node.neurons.push(beat);
    let mut wave = first;
    if let Some(sense) = reflex(settings, random) {
        node.neurons.push(NeuronGene::new(Function::Sum, [InputGene::constant(1.0), sense]));
        node.neurons.push(NeuronGene::new(Function::Product, [local(first, 1.0), local(first + 1, 1.0)]));
        wave = first + 2;
    }
    let amplitude = random.between(AMPLITUDE[0], AMPLITUDE[1]);
    let sense = reflex(settings, random).unwrap_or(InputGene::SILENT);
    let target = [local(wave, amplitude), InputGene::constant(random.normal(BIAS)), sense];
    node.effectors[axis] = local(node.neurons.len(), 1.0);
    node.neurons.push(NeuronGene::new(Function::Sum, target));
}

fn is_beat(neuron: &NeuronGene) -> bool {
    matches!(neuron.function, Function::Beat | Function::DoubleBeat)
}

fn random_beat(random: &mut Random) -> NeuronGene {
    let function = if random.chance(DOUBLE_PROBABILITY) { Function::DoubleBeat } else { Function::Beat };
    // Half of all mirrored limbs alternate, the others move at the same time.
    let side = if random.chance(0.5) { 0.25 } else { 0.0 };
    let lag = if random.chance(LAG_PROBABILITY) { random.between(LAG[0], LAG[1]) } else { 0.0 };
    let phase = InputGene::constant(random.between(0.0, 1.0));
    NeuronGene::new(function, [phase, InputGene::new(Place::Side, 0, side), InputGene::new(Place::Depth, 0, lag)])
}

/// Returns the phase of an axis relative to the one before with which a leg at a side steps forward, in periods. About
/// x it goes up, about y forward, and it goes forward while it is up.
fn forward_quarter(node: &Node, axis: usize) -> f64 {
    let first = axis.checked_sub(1).map_or(DVec3::X, |before| node.joint.axes[before]);
    if first.y.abs() > first.x.abs() { 0.25 } else { -0.25 }
}

/// Returns a beat about a quarter of a period before or after that of another axis of the joint, so that the part goes
/// round. Most go the same way, so that the limbs of a creature work together.
fn quarter_later(before: &NeuronGene, forward: f64, random: &mut Random) -> NeuronGene {
    let mut beat = *before;
    let quarter = if random.chance(FORWARD_PROBABILITY) { forward } else { -forward };
    beat.inputs[0].weight += quarter + random.normal(0.05);
    beat
}

/// Returns a weighted sense, with the probabilities of the settings: the lateral direction to the target, or any sense
/// of the part or of the root.
fn reflex(settings: &GraphSettings, random: &mut Random) -> Option<InputGene> {
    // Without steering no number is drawn for it, so that other runs stay as they are.
    if settings.steering > 0.0 && random.chance(settings.steering) {
        let sense = ROOT_SENSES.iter().position(|sense| *sense == Sense::TargetY)?;
        return Some(InputGene::new(Place::RootSensor, sense as u16, random.normal(STEERING_WEIGHT)));
    }
    if !random.chance(settings.reflexes) {
        return None;
    }
    let weight = random.normal(REFLEX);
    Some(if random.chance(0.5) {
        InputGene::new(Place::RootSensor, random.below(ROOT_SENSES.len()) as u16, weight)
    } else {
        InputGene::new(Place::LocalSensor, random.below(Sense::COUNT) as u16, weight)
    })
}
