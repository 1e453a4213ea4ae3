//! Mutation (Fontijne (2000) section 4.7.1): every member of every gene changes with its own rate. Numbers change by
//! normally distributed amounts, indices and kinds are chosen at random, and genes are added and removed.

use super::beat::add_beat;
use super::bounds;
use super::connection::Connection;
use super::genome::{GraphGenome, Replication};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::Node;
use super::random_genes;
use super::settings::GraphSettings;
use crate::random::Random;

/// Maximum number of attempts to get a genome that differs.
const MAX_ATTEMPTS: usize = 16;

/// Probability that a weight is negated instead of displaced.
const NEGATION_PROBABILITY: f64 = 0.1;

/// Probability that mirrored twins change together.
const TWIN_PROBABILITY: f64 = 0.85;

/// Returns a valid mutated copy, with at least one change if the rates allow it.
pub(super) fn mutated(genome: &GraphGenome, settings: &GraphSettings, random: &mut Random) -> GraphGenome {
    let before = genome.clone().repaired();
    for _ in 0..MAX_ATTEMPTS {
        let mut mutation = Mutation { genome: before.clone(), settings, random };
        mutation.change_genes();
        mutation.change_graph();
        let after = mutation.genome.repaired();
        if after != before {
            return after;
        }
    }
    before
}

struct Mutation<'a> {
    genome: GraphGenome,
    settings: &'a GraphSettings,
    random: &'a mut Random,
}

impl Mutation<'_> {
    /// Changes members of some nodes, connections and neurons.
    fn change_genes(&mut self) {
        let (settings, random) = (self.settings, &mut *self.random);
        let rates = &settings.rates;
        let GraphGenome { nodes, connections, global_neurons, .. } = &mut self.genome;
        let count = nodes.len();
        let neurons = global_neurons.len() + nodes.iter().map(|node| node.neurons.len()).sum::<usize>();
        for neuron in nodes.iter_mut().flat_map(|node| &mut node.neurons).chain(global_neurons) {
            if random.chance(touch_probability(rates.touched_neurons, neurons)) {
                change_neuron(neuron, settings, random);
            }
        }
        for node in nodes {
            if random.chance(touch_probability(rates.touched_nodes, count)) {
                change_node(node, settings, random);
            }
        }
        let links = connections.len();
        for index in 0..links {
            if random.chance(touch_probability(rates.touched_connections, links)) {
                let twin = twin_of(index, connections).filter(|_| random.chance(TWIN_PROBABILITY));
                change_connection(&mut connections[index], count, settings, random);
                if let Some(twin) = twin {
                    connections[twin] = connections[index].clone().reflected();
                }
            }
        }
    }

    /// Adds and removes genes.
    fn change_graph(&mut self) {
        let (settings, rates) = (self.settings, &self.settings.rates.graph);
        let genome = &mut self.genome;
        let random = &mut *self.random;
        if random.chance(rates.root) {
            genome.root = random.below(genome.nodes.len());
        }
        if random.chance(rates.replication) {
            genome.replication = match genome.replication {
                Replication::PerPath => Replication::PerCreature,
                Replication::PerCreature => Replication::PerPath,
            };
        }
        if random.chance(rates.rhythm) {
            genome.rhythm *= libm::exp(random.normal(settings.magnitudes.rhythm));
        }
        if random.chance(rates.remove_connection) && !genome.connections.is_empty() {
            let removed = random.below(genome.connections.len());
            let twin = twin_of(removed, &genome.connections).filter(|_| random.chance(TWIN_PROBABILITY));
            let mut index = 0;
            genome.connections.retain(|_| {
                index += 1;
                index - 1 != removed && Some(index - 1) != twin
            });
        }
        if random.chance(rates.remove_node) && genome.nodes.len() > 1 {
            let removed = random.below(genome.nodes.len());
            let keep: Vec<bool> = (0..genome.nodes.len()).map(|index| index != removed).collect();
            genome.keep_nodes(&keep);
        }
        if random.chance(rates.add_connection) {
            let (parent, child) = (growing_node(genome, random), random.below(genome.nodes.len()));
            random_genes::connect(genome, parent, child, settings, random);
        }
        if random.chance(rates.add_node) && genome.nodes.len() < bounds::MAX_NODES {
            add_node(genome, settings, random);
        }
        if random.chance(rates.remove_global_neuron) && !genome.global_neurons.is_empty() {
            genome.global_neurons.remove(random.below(genome.global_neurons.len()));
        }
        if random.chance(rates.add_global_neuron) {
            genome.global_neurons.push(random_genes::neuron(settings, random));
        }
    }
}

/// Returns the connection that is the mirror image of another.
fn twin_of(index: usize, connections: &[Connection]) -> Option<usize> {
    let image = connections[index].clone().reflected();
    connections.iter().position(|connection| *connection == image)
}

/// Returns the probability for each of `count` genes, so that `touched` genes are touched on average.
fn touch_probability(touched: f64, count: usize) -> f64 {
    touched / count.max(1) as f64
}

/// Returns a random node that growth may reach.
pub(super) fn growing_node(genome: &GraphGenome, random: &mut Random) -> usize {
    let reached = genome.reachable();
    let growing: Vec<usize> = (0..genome.nodes.len()).filter(|&index| reached[index]).collect();
    random.choice(&growing).copied().unwrap_or(genome.root)
}

/// Adds a random node, or a copy of another one, to a node that growth may reach.
fn add_node(genome: &mut GraphGenome, settings: &GraphSettings, random: &mut Random) {
    let like = genome.nodes[random.below(genome.nodes.len())].clone();
    let mut node = if random.chance(0.5) { like.clone() } else { random_genes::node(settings, random) };
    node.keep_frozen(&like, &settings.rates);
    let parent = growing_node(genome, random);
    genome.nodes.push(node);
    random_genes::connect(genome, parent, genome.nodes.len() - 1, settings, random);
}

fn change_node(node: &mut Node, settings: &GraphSettings, random: &mut Random) {
    let (rates, magnitudes) = (&settings.rates.node, &settings.magnitudes);
    if random.chance(rates.shape) {
        node.shape = random_genes::shape(settings, random);
    }
    for axis in 0..3 {
        if random.chance(rates.size) {
            node.size[axis] *= libm::exp(random.normal(magnitudes.size));
        }
        if random.chance(rates.axis) {
            node.joint.axes[axis] = random.turn(magnitudes.axis) * node.joint.axes[axis];
        }
        for limit in &mut node.joint.limits[axis] {
            if random.chance(rates.limit) {
                *limit += random.normal(magnitudes.limit);
            }
        }
        change_input(&mut node.effectors[axis], [rates.effector_source, rates.effector_weight], settings, random);
    }
    if random.chance(rates.joint) {
        let before = node.joint.kind.axes();
        node.joint.kind = random_genes::joint_type(settings, random);
        // New axes start with a beat of their own.
        for axis in before..node.joint.kind.axes() {
            if settings.rates.effectors_may_change() && random.chance(settings.beats) {
                add_beat(node, axis, settings, random);
            }
        }
        node.joint.drive = random_genes::joint_drive(settings, random);
    }
    if random.chance(rates.recursion_limit) {
        let limit = node.recursion_limit;
        node.recursion_limit = if random.chance(0.5) { limit.saturating_add(1) } else { limit.saturating_sub(1) };
    }
    if random.chance(rates.remove_neuron) && !node.neurons.is_empty() {
        node.neurons.remove(random.below(node.neurons.len()));
    }
    if random.chance(rates.add_neuron) {
        node.neurons.push(random_genes::neuron(settings, random));
    }
}

fn change_connection(connection: &mut Connection, nodes: usize, settings: &GraphSettings, random: &mut Random) {
    let (rates, magnitudes) = (&settings.rates.connection, &settings.magnitudes);
    if random.chance(rates.parent) {
        connection.parent = random.below(nodes);
    }
    if random.chance(rates.child) {
        connection.child = random.below(nodes);
    }
    if random.chance(rates.position) {
        connection.position = random.turn(magnitudes.position) * connection.position;
    }
    if random.chance(rates.orientation) {
        connection.orientation = random.turn(magnitudes.orientation) * connection.orientation;
    }
    if random.chance(rates.scale) {
        connection.scale *= libm::exp(random.normal(magnitudes.scale));
    }
    if random.chance(rates.reflect) {
        connection.reflect = !connection.reflect;
    }
    if random.chance(rates.terminal_only) {
        connection.terminal_only = !connection.terminal_only;
    }
}

fn change_neuron(neuron: &mut NeuronGene, settings: &GraphSettings, random: &mut Random) {
    let rates = &settings.rates.neuron;
    if random.chance(rates.function) {
        neuron.function = random_genes::function(settings, random);
    }
    for input in &mut neuron.inputs {
        change_input(input, [rates.source, rates.weight], settings, random);
    }
}

fn change_input(input: &mut InputGene, [source, weight]: [f64; 2], settings: &GraphSettings, random: &mut Random) {
    if random.chance(source) {
        input.source = random_genes::address(random);
    }
    if random.chance(weight) {
        if random.chance(NEGATION_PROBABILITY) {
            input.weight = -input.weight;
        } else {
            input.weight += random.normal(settings.magnitudes.weight);
        }
    }
}
