//! Mutation (Fontijne (2000) section 4.7.1): every member of every gene changes with its own rate. Numbers change by
//! normally distributed amounts, indices and kinds are chosen at random, and genes are added and removed.

use super::bounds;
use super::connection::Connection;
use super::genome::{GraphGenome, Replication};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::Node;
use super::random;
use super::settings::GraphSettings;
use crate::dice::Dice;

/// Maximum number of attempts to get a genome that differs.
const ATTEMPTS: usize = 16;

/// Probability that a weight is negated instead of displaced.
const NEGATION: f64 = 0.1;

/// Returns a valid mutated copy, with at least one change if the rates allow it.
pub(super) fn mutated(genome: &GraphGenome, settings: &GraphSettings, dice: &mut Dice) -> GraphGenome {
    let before = genome.clone().repaired();
    for _ in 0..ATTEMPTS {
        let mut mutation = Mutation { genome: before.clone(), settings, dice };
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
    dice: &'a mut Dice,
}

impl Mutation<'_> {
    /// Changes members of some nodes, connections and neurons.
    fn change_genes(&mut self) {
        let (settings, dice) = (self.settings, &mut *self.dice);
        let rates = &settings.rates;
        let GraphGenome { nodes, connections, global_neurons, .. } = &mut self.genome;
        let count = nodes.len();
        let neurons = global_neurons.len() + nodes.iter().map(|node| node.neurons.len()).sum::<usize>();
        for neuron in nodes.iter_mut().flat_map(|node| &mut node.neurons).chain(global_neurons) {
            if dice.chance(share(rates.touched_neurons, neurons)) {
                change_neuron(neuron, settings, dice);
            }
        }
        for node in nodes {
            if dice.chance(share(rates.touched_nodes, count)) {
                change_node(node, settings, dice);
            }
        }
        let links = connections.len();
        for connection in connections {
            if dice.chance(share(rates.touched_connections, links)) {
                change_connection(connection, count, settings, dice);
            }
        }
    }

    /// Adds and removes genes.
    fn change_graph(&mut self) {
        let (settings, rates) = (self.settings, &self.settings.rates.graph);
        let genome = &mut self.genome;
        let dice = &mut *self.dice;
        if dice.chance(rates.root) {
            genome.root = dice.below(genome.nodes.len());
        }
        if dice.chance(rates.replication) {
            genome.replication = match genome.replication {
                Replication::PerPath => Replication::PerCreature,
                Replication::PerCreature => Replication::PerPath,
            };
        }
        if dice.chance(rates.remove_connection) && !genome.connections.is_empty() {
            genome.connections.remove(dice.below(genome.connections.len()));
        }
        if dice.chance(rates.remove_node) && genome.nodes.len() > 1 {
            let removed = dice.below(genome.nodes.len());
            let keep: Vec<bool> = (0..genome.nodes.len()).map(|index| index != removed).collect();
            genome.keep_nodes(&keep);
        }
        if dice.chance(rates.add_connection) {
            let (parent, child) = (growing_node(genome, dice), dice.below(genome.nodes.len()));
            random::connect(genome, parent, child, settings, dice);
        }
        if dice.chance(rates.add_node) && genome.nodes.len() < bounds::MAX_NODES {
            add_node(genome, settings, dice);
        }
        if dice.chance(rates.remove_global_neuron) && !genome.global_neurons.is_empty() {
            genome.global_neurons.remove(dice.below(genome.global_neurons.len()));
        }
        if dice.chance(rates.add_global_neuron) {
            genome.global_neurons.push(random::neuron(settings, dice));
        }
    }
}

/// Returns the probability for each of `count` genes, so that `touched` genes are touched on average.
fn share(touched: f64, count: usize) -> f64 {
    touched / count.max(1) as f64
}

/// Returns a random node that growth may reach.
pub(super) fn growing_node(genome: &GraphGenome, dice: &mut Dice) -> usize {
    let reached = genome.reachable();
    let growing: Vec<usize> = (0..genome.nodes.len()).filter(|&index| reached[index]).collect();
    dice.choice(&growing).copied().unwrap_or(genome.root)
}

/// Adds a random node, or a copy of another one, to a node that growth may reach.
fn add_node(genome: &mut GraphGenome, settings: &GraphSettings, dice: &mut Dice) {
    let like = genome.nodes[dice.below(genome.nodes.len())].clone();
    let mut node = if dice.chance(0.5) { like.clone() } else { random::node(settings, dice) };
    node.keep_frozen(&like, &settings.rates);
    let parent = growing_node(genome, dice);
    genome.nodes.push(node);
    random::connect(genome, parent, genome.nodes.len() - 1, settings, dice);
}

fn change_node(node: &mut Node, settings: &GraphSettings, dice: &mut Dice) {
    let (rates, magnitudes) = (&settings.rates.node, &settings.magnitudes);
    if dice.chance(rates.shape) {
        node.shape = random::shape(settings, dice);
    }
    for axis in 0..3 {
        if dice.chance(rates.size) {
            node.size[axis] *= libm::exp(dice.normal(magnitudes.size));
        }
        if dice.chance(rates.axis) {
            node.joint.axes[axis] = dice.turn(magnitudes.axis) * node.joint.axes[axis];
        }
        for limit in &mut node.joint.limits[axis] {
            if dice.chance(rates.limit) {
                *limit += dice.normal(magnitudes.limit);
            }
        }
        change_input(&mut node.effectors[axis], [rates.effector_source, rates.effector_weight], settings, dice);
    }
    if dice.chance(rates.joint) {
        node.joint.kind = random::joint_type(settings, dice);
    }
    if dice.chance(rates.recursion_limit) {
        let limit = node.recursion_limit;
        node.recursion_limit = if dice.chance(0.5) { limit.saturating_add(1) } else { limit.saturating_sub(1) };
    }
    if dice.chance(rates.remove_neuron) && !node.neurons.is_empty() {
        node.neurons.remove(dice.below(node.neurons.len()));
    }
    if dice.chance(rates.add_neuron) {
        node.neurons.push(random::neuron(settings, dice));
    }
}

fn change_connection(connection: &mut Connection, nodes: usize, settings: &GraphSettings, dice: &mut Dice) {
    let (rates, magnitudes) = (&settings.rates.connection, &settings.magnitudes);
    if dice.chance(rates.parent) {
        connection.parent = dice.below(nodes);
    }
    if dice.chance(rates.child) {
        connection.child = dice.below(nodes);
    }
    if dice.chance(rates.position) {
        connection.position = dice.turn(magnitudes.position) * connection.position;
    }
    if dice.chance(rates.orientation) {
        connection.orientation = dice.turn(magnitudes.orientation) * connection.orientation;
    }
    if dice.chance(rates.scale) {
        connection.scale *= libm::exp(dice.normal(magnitudes.scale));
    }
    if dice.chance(rates.reflect) {
        connection.reflect = !connection.reflect;
    }
    if dice.chance(rates.terminal_only) {
        connection.terminal_only = !connection.terminal_only;
    }
}

fn change_neuron(neuron: &mut NeuronGene, settings: &GraphSettings, dice: &mut Dice) {
    let rates = &settings.rates.neuron;
    if dice.chance(rates.function) {
        neuron.function = random::function(settings, dice);
    }
    for input in &mut neuron.inputs {
        change_input(input, [rates.source, rates.weight], settings, dice);
    }
}

fn change_input(input: &mut InputGene, [source, weight]: [f64; 2], settings: &GraphSettings, dice: &mut Dice) {
    if dice.chance(source) {
        input.source = random::address(dice);
    }
    if dice.chance(weight) {
        if dice.chance(NEGATION) {
            input.weight = -input.weight;
        } else {
            input.weight += dice.normal(settings.magnitudes.weight);
        }
    }
}
