//! Connection of the neurons after growth (Fontijne (2000) section 4.4.2). Every part has its own copies of its node's
//! neurons, and addresses are resolved modulo the number of candidates.
//!
//! The network lists the global neurons first, then those of the parts in the order of growth.

use super::address::{Address, Place};
use super::genome::GraphGenome;
use super::neuron_gene::{InputGene, NeuronGene};
use crate::brain::{Input, Network, Neuron, Source};
use crate::phenotype::Body;
use crate::senses::{Sense, sense_index};

/// Senses of the root about the world.
pub const WORLD_SENSES: [Sense; 8] = [
    Sense::TargetX,
    Sense::TargetY,
    Sense::TargetZ,
    Sense::TargetDistance,
    Sense::UpX,
    Sense::UpY,
    Sense::UpZ,
    Sense::Height,
];

/// Senses of the root that its parts feel.
pub const ROOT_SENSES: [Sense; 12] = [
    Sense::Contact,
    Sense::UpX,
    Sense::UpY,
    Sense::UpZ,
    Sense::TurnX,
    Sense::TurnY,
    Sense::TurnZ,
    Sense::TargetX,
    Sense::TargetY,
    Sense::TargetZ,
    Sense::TargetDistance,
    Sense::Height,
];

/// Returns the network of a body that has grown from a genome.
pub(super) fn wire(genome: &GraphGenome, body: &Body) -> Network {
    let wiring = Wiring::new(genome, body);
    let neuron = |part, gene: &NeuronGene| Neuron {
        function: gene.function,
        inputs: gene.inputs.map(|input| wiring.input(part, &input)),
    };
    let mut neurons: Vec<Neuron> = genome.global_neurons.iter().map(|gene| neuron(None, gene)).collect();
    let mut effectors = Vec::with_capacity(body.axes());
    for (index, part) in body.parts.iter().enumerate() {
        let node = &genome.nodes[part.origin];
        neurons.extend(node.neurons.iter().map(|gene| neuron(Some(index), gene)));
        effectors.extend(node.effectors[..part.axes()].iter().map(|input| wiring.input(Some(index), input)));
    }
    Network { neurons, effectors, rhythm: genome.rhythm }
}

/// Indices of neurons in the network.
struct Wiring<'a> {
    body: &'a Body,
    globals: Group,
    /// Neurons of each part.
    locals: Vec<Group>,
    /// Children of each part.
    children: Vec<Vec<usize>>,
    /// Number of joints between each part and the root.
    depths: Vec<usize>,
}

/// A contiguous range of neurons.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: usize,
    count: usize,
}

impl Group {
    /// Returns a neuron, with the index modulo the size of the group.
    fn pick(self, index: u16) -> Source {
        match usize::from(index).checked_rem(self.count) {
            Some(index) => Source::Neuron(self.first + index),
            None => Source::Nothing,
        }
    }
}

impl<'a> Wiring<'a> {
    fn new(genome: &GraphGenome, body: &'a Body) -> Self {
        let globals = Group { first: 0, count: genome.global_neurons.len() };
        let mut first = globals.count;
        let mut locals = Vec::with_capacity(body.parts.len());
        let mut children = vec![Vec::new(); body.parts.len()];
        let mut depths = vec![0; body.parts.len()];
        for (index, part) in body.parts.iter().enumerate() {
            let count = genome.nodes[part.origin].neurons.len();
            locals.push(Group { first, count });
            first += count;
            if let Some(on) = &part.attachment {
                children[on.parent].push(index);
                depths[index] = depths[on.parent] + 1;
            }
        }
        Self { body, globals, locals, children, depths }
    }

    fn input(&self, part: Option<usize>, gene: &InputGene) -> Input {
        Input { source: self.source(part, gene.source), weight: gene.weight * self.factor(part, gene.source) }
    }

    /// Returns what the weight of an input is multiplied by in a part.
    fn factor(&self, part: Option<usize>, address: Address) -> f64 {
        let Some(part) = part else { return 1.0 };
        let side = if self.body.parts[part].mirrored { -1.0 } else { 1.0 };
        let root_sense = ROOT_SENSES[usize::from(address.index) % ROOT_SENSES.len()];
        match address.place {
            Place::Side => side,
            Place::Depth => self.depths[part] as f64,
            Place::RootSensor if root_sense.is_lateral() => side,
            _ => 1.0,
        }
    }

    /// Resolves an address for a neuron of a part. Global neurons belong to no part: their local neurons are those of
    /// the central brain, all parts are their children, and their senses are those of the root.
    fn source(&self, part: Option<usize>, address: Address) -> Source {
        match (address.place, part) {
            (Place::One | Place::Side | Place::Depth, _) => Source::One,
            (Place::Local, None) | (Place::Global, _) => self.globals.pick(address.index),
            (Place::Local, Some(part)) => self.locals[part].pick(address.index),
            (Place::Parent, None) => Source::Nothing,
            (Place::Parent, Some(part)) => match &self.body.parts[part].attachment {
                Some(on) => self.locals[on.parent].pick(address.index),
                None => Source::Nothing,
            },
            (Place::Child(child), None) => self.locals[usize::from(child) % self.locals.len()].pick(address.index),
            (Place::Child(child), Some(part)) => {
                let children = &self.children[part];
                match usize::from(child).checked_rem(children.len()) {
                    Some(child) => self.locals[children[child]].pick(address.index),
                    None => Source::Nothing,
                }
            }
            (Place::LocalSensor, part) => self.local_sense(part.unwrap_or(0), address.index),
            (Place::RootSensor, _) => {
                Source::Sense(sense_index(0, ROOT_SENSES[usize::from(address.index) % ROOT_SENSES.len()]))
            }
            (Place::WorldSensor, _) => {
                Source::Sense(sense_index(0, WORLD_SENSES[usize::from(address.index) % WORLD_SENSES.len()]))
            }
        }
    }

    /// Returns a sense of a part. Axes that its joint does not have map to those that it has.
    fn local_sense(&self, part: usize, index: u16) -> Source {
        let channel = usize::from(index) % Sense::COUNT;
        let first = match channel {
            0..3 => Some(Sense::Angle0),
            3..6 => Some(Sense::Rate0),
            _ => None,
        };
        match first.map(Sense::channel) {
            None => Source::Sense(sense_index(part, Sense::ALL[channel])),
            Some(first) => match (channel - first).checked_rem(self.body.parts[part].axes()) {
                Some(axis) => Source::Sense(sense_index(part, Sense::ALL[first + axis])),
                None => Source::Nothing,
            },
        }
    }
}
