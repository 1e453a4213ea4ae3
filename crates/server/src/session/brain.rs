//! The brain of a creature as a graph (`docs/protocol.md`). Senses, neurons and joint axes are nodes; weighted inputs
//! are links. A brain by spectral synthesis has a curve for each joint axis instead. The values of the frame section
//! `activations` are the outputs of the nodes, in order.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use burgess_creature::brain::{Brain, Function, Input, Network, Pace, Source, SpectralBrain};
use burgess_creature::evaluation::TrialPreview;
use burgess_creature::senses::Sense;
use burgess_creature::{Part, Phenotype};
use serde::Serialize;

/// Maximum number of sines of a curve.
const MAX_SINES: usize = 16;
/// Sines with an amplitude below this fraction of the largest are omitted.
const MIN_RELATIVE_AMPLITUDE: f64 = 1e-3;

/// A brain as a graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Brain"))]
pub struct BrainGraph {
    /// Family of the genome.
    pub family: String,
    /// Sensors, then neurons, then effectors.
    pub neurons: Vec<Node>,
    /// Weighted connections between nodes.
    pub links: Vec<Link>,
    /// Curves of a brain by spectral synthesis, one for each joint axis.
    pub spectra: Vec<Spectrum>,
}

/// The kind of a node of a brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "BrainNodeKind"))]
pub enum NodeKind {
    /// A sense of a part.
    Sensor,
    /// A neuron.
    Neuron,
    /// The input of a joint axis.
    Effector,
}

/// A node of a brain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "BrainNode"))]
pub struct Node {
    /// Name for display.
    pub name: String,
    /// Kind of the node.
    pub kind: NodeKind,
    /// Function that a neuron computes.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
    /// Index of the part of the body that the node belongs to or is nearest to.
    pub part: usize,
    #[serde(skip)]
    place: Place,
}

/// Where the output of a node is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Sense(usize),
    Neuron(usize),
    Axis(usize),
}

/// A weighted connection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "BrainLink"))]
pub struct Link {
    /// Index of the source node.
    pub from: usize,
    /// Index of the target node.
    pub to: usize,
    /// Weight of the connection.
    pub weight: f64,
}

/// A periodic curve: offset plus the sum of `amplitude sin(2 pi n t / period + phase)` for n = 1, 2, ...
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spectrum {
    /// Name of the joint axis.
    pub name: String,
    /// Period, in s.
    pub period: f64,
    /// Amplitudes of the sines, in rad.
    pub amplitudes: Vec<f64>,
    /// Phases of the sines, in rad.
    pub phases: Vec<f64>,
    /// Mean angle, in rad.
    pub offset: f64,
}

/// Converts the brain of a creature to a graph.
pub fn graph_of(phenotype: &Phenotype, family: &str) -> BrainGraph {
    let axes = axes_of(phenotype);
    let (neurons, links) = match &phenotype.brain {
        Brain::Network(network) => of_network(network, &axes),
        Brain::Spectral(spectral) => of_spectral(spectral, &axes),
    };
    let spectra = match &phenotype.brain {
        Brain::Network(_) => Vec::new(),
        Brain::Spectral(spectral) => spectra(spectral, &axes),
    };
    BrainGraph { family: family.to_string(), neurons, links, spectra }
}

/// Part and index of each joint axis of a body.
fn axes_of(phenotype: &Phenotype) -> Vec<(usize, usize)> {
    let parts = phenotype.body.parts.iter().enumerate();
    let axes = |(part, own): (usize, &Part)| {
        let count = own.attachment.as_ref().map_or(0, |on| on.axes.len());
        (0..count).map(move |axis| (part, axis))
    };
    parts.flat_map(axes).collect()
}

fn sensor(sense: usize) -> Node {
    let (part, channel) = (sense / Sense::COUNT, Sense::ALL[sense % Sense::COUNT]);
    let word = serde_json::to_value(channel).ok().and_then(|value| value.as_str().map(str::to_string));
    let name = format!("{} of part {part}", word.unwrap_or_default().replace('_', " "));
    Node { name, kind: NodeKind::Sensor, function: None, part, place: Place::Sense(sense) }
}

fn effector(index: usize, axes: &[(usize, usize)]) -> Node {
    let (part, axis) = axes.get(index).copied().unwrap_or((0, index));
    let name = format!("axis {axis} of part {part}");
    Node { name, kind: NodeKind::Effector, function: None, part, place: Place::Axis(index) }
}

fn of_network(network: &Network, axes: &[(usize, usize)]) -> (Vec<Node>, Vec<Link>) {
    let used = |neuron: &burgess_creature::brain::Neuron| neuron.inputs[..neuron.function.inputs()].to_vec();
    let senses: BTreeSet<usize> = (network.neurons.iter().flat_map(used))
        .chain(network.effectors.iter().copied())
        .filter_map(|input| match input.source {
            Source::Sense(sense) => Some(sense),
            _ => None,
        })
        .collect();
    let senses: Vec<usize> = senses.into_iter().collect();
    let (first_neuron, first_effector) = (senses.len(), senses.len() + network.neurons.len());
    let from = |input: &Input| match input.source {
        Source::Sense(sense) => senses.binary_search(&sense).ok(),
        Source::Neuron(neuron) if neuron < network.neurons.len() => Some(first_neuron + neuron),
        _ => None,
    };
    let mut links = Vec::new();
    let mut connect = |inputs: &[Input], to: usize| {
        links.extend(inputs.iter().filter_map(|input| Some(Link { from: from(input)?, to, weight: input.weight })));
    };
    for (index, neuron) in network.neurons.iter().enumerate() {
        connect(&used(neuron), first_neuron + index);
    }
    for (index, input) in network.effectors.iter().enumerate() {
        connect(std::slice::from_ref(input), first_effector + index);
    }
    let mut nodes: Vec<Node> = senses.iter().map(|&sense| sensor(sense)).collect();
    for (index, neuron) in network.neurons.iter().enumerate() {
        let place = Place::Neuron(index);
        let function = Some(neuron.function);
        nodes.push(Node { name: format!("neuron {index}"), kind: NodeKind::Neuron, function, part: 0, place });
    }
    nodes.extend((0..network.effectors.len()).map(|index| effector(index, axes)));
    place_neurons(&mut nodes, &links);
    (nodes, links)
}

/// Assigns neurons to parts: to the part that a neuron drives, otherwise to the part that it senses, directly or
/// through other neurons.
fn place_neurons(nodes: &mut [Node], links: &[Link]) {
    let mut known: Vec<bool> = nodes.iter().map(|node| node.kind != NodeKind::Neuron).collect();
    loop {
        let found = links.iter().find_map(|link| match (known[link.from], known[link.to]) {
            (false, true) => Some((link.from, link.to)),
            (true, false) => Some((link.to, link.from)),
            _ => None,
        });
        let Some((unknown, neighbour)) = found else { return };
        nodes[unknown].part = nodes[neighbour].part;
        known[unknown] = true;
    }
}

fn of_spectral(spectral: &SpectralBrain, axes: &[(usize, usize)]) -> (Vec<Node>, Vec<Link>) {
    let sensed = spectral.oscillators.iter().flat_map(|oscillator| oscillator.feedback.iter().map(|own| own.sense));
    let senses: Vec<usize> = sensed.collect::<BTreeSet<usize>>().into_iter().collect();
    let mut nodes: Vec<Node> = senses.iter().map(|&sense| sensor(sense)).collect();
    nodes.extend((0..spectral.oscillators.len()).map(|index| effector(index, axes)));
    let mut links = Vec::new();
    for (index, oscillator) in spectral.oscillators.iter().enumerate() {
        for feedback in &oscillator.feedback {
            if let Ok(from) = senses.binary_search(&feedback.sense) {
                let weight = if feedback.to_gain != 0.0 { feedback.to_gain } else { feedback.to_rate };
                links.push(Link { from, to: senses.len() + index, weight });
            }
        }
    }
    (nodes, links)
}

fn spectra(spectral: &SpectralBrain, axes: &[(usize, usize)]) -> Vec<Spectrum> {
    let curve = |(index, oscillator): (usize, &burgess_creature::brain::Oscillator)| {
        let frequency = match oscillator.pace {
            Pace::Own(frequency) => frequency,
            Pace::Shared(periods) => f64::from(periods) * spectral.clock,
        };
        let count = oscillator.samples.len().max(1) as f64;
        let offset = oscillator.samples.iter().sum::<f64>() / count;
        let most = MAX_SINES.min(oscillator.samples.len() / 2);
        let (mut amplitudes, mut phases) = (Vec::new(), Vec::new());
        for wave in 1..=most {
            let (mut sine, mut cosine) = (0.0, 0.0);
            for (place, sample) in oscillator.samples.iter().enumerate() {
                let (sin, cos) = libm::sincos(TAU * wave as f64 * (place as f64 / count - oscillator.phase));
                sine += sample * sin * 2.0 / count;
                cosine += sample * cos * 2.0 / count;
            }
            amplitudes.push(libm::hypot(sine, cosine));
            phases.push(libm::atan2(cosine, sine));
        }
        let largest = amplitudes.iter().copied().fold(0.0, f64::max);
        let state =
            amplitudes.iter().rposition(|&own| own > MIN_RELATIVE_AMPLITUDE * largest).map_or(0, |last| last + 1);
        amplitudes.truncate(state);
        phases.truncate(state);
        let period = if frequency > 0.0 { 1.0 / frequency } else { 1.0 };
        Spectrum { name: effector(index, axes).name, period, amplitudes, phases, offset }
    };
    spectral.oscillators.iter().enumerate().map(curve).collect()
}

/// Where the outputs of the nodes of a brain are in the memory of a simulation. The controllers of creatures are the last
/// ones; in a contest there are two.
#[derive(Debug, Clone)]
pub struct NodeOutputs {
    places: Vec<Place>,
    axes: usize,
    senses: usize,
    brain: usize,
    /// Length of the memory of the controllers after that of the creature.
    after: usize,
}

impl NodeOutputs {
    /// Finds the outputs of a creature.
    pub fn of(preview: &TrialPreview) -> Self {
        let phenotype = preview.phenotype();
        let graph = graph_of(phenotype, "");
        Self {
            places: graph.neurons.iter().map(|node| node.place).collect(),
            axes: axes_of(phenotype).len(),
            senses: phenotype.body.parts.len() * Sense::COUNT,
            brain: phenotype.brain.memory(),
            after: preview.memory_after_own(),
        }
    }

    /// Number of nodes.
    pub fn neurons(&self) -> usize {
        self.places.len()
    }

    /// Appends the outputs of all nodes, from the memory of all timers.
    pub fn activations(&self, memory: &[f64], numbers: &mut Vec<f32>) {
        // The memory of the controller: the target, the outputs, the senses, the brain.
        let own = memory.len().checked_sub(1 + self.axes + self.senses + self.brain + self.after);
        let own = own.map_or(&[][..], |start| &memory[start..]);
        let number = |place: &Place| {
            let index = match *place {
                Place::Axis(axis) => 1 + axis,
                Place::Sense(sense) => 1 + self.axes + sense,
                Place::Neuron(neuron) => 1 + self.axes + self.senses + neuron,
            };
            own.get(index).map_or(0.0, |&number| number as f32)
        };
        numbers.extend(self.places.iter().map(number));
    }
}
