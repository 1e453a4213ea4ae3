//! Recombination (Fontijne (2000) sections 4.7.1 and 4.9). Members frozen by a rate of zero stay those of the first
//! parent.

use super::bounds;
use super::connection::Connection;
use super::genome::GraphGenome;
use super::intermediate::intermediate;
use super::mutate::growing_node;
use super::random_genes;
use super::settings::GraphSettings;
use crate::genome::Recombination;
use crate::random::Random;

/// Returns a valid child of two parents.
pub(super) fn recombined(
    first: &GraphGenome,
    second: &GraphGenome,
    how: Recombination,
    settings: &GraphSettings,
    random: &mut Random,
) -> GraphGenome {
    let (first, second) = (first.clone().repaired(), second.clone().repaired());
    let child = match how {
        Recombination::Crossover => crossover(first, &second, settings, random),
        Recombination::Grafting if settings.rates.graph_may_change() => graft(first, &second, settings, random),
        Recombination::Intermediate => intermediate(first, &second, settings),
        // If the graph is frozen, there are no new nodes, and only genes within nodes can be exchanged.
        Recombination::Grafting | Recombination::Exchange => exchange(first, &second, settings, random),
    };
    child.repaired()
}

/// Aligns the nodes of both parents by index and takes a run of them from the second, with the connections among them.
fn crossover(
    mut child: GraphGenome,
    other: &GraphGenome,
    settings: &GraphSettings,
    random: &mut Random,
) -> GraphGenome {
    let common = child.nodes.len().min(other.nodes.len());
    let start = random.below(common);
    let free = settings.rates.graph_may_change();
    let last = if free { other.nodes.len() } else { common };
    let end = start + 1 + random.below(last - start);
    for index in start..end {
        let mut node = other.nodes[index].clone();
        match child.nodes.get_mut(index) {
            Some(old) => {
                node.keep_frozen(old, &settings.rates);
                *old = node;
            }
            None => {
                node.keep_frozen(&child.nodes[index % common], &settings.rates);
                child.nodes.push(node);
            }
        }
    }
    if free {
        let inside = |connection: &Connection| {
            (start..end).contains(&connection.parent) && (start..end).contains(&connection.child)
        };
        child.connections.retain(|connection| !inside(connection));
        child.connections.extend(other.connections.iter().filter(|connection| inside(connection)).cloned());
    }
    if settings.rates.graph.rhythm > 0.0 && random.chance(0.5) {
        child.rhythm = other.rhythm;
    }
    if settings.rates.global_neurons_may_change() {
        let common = child.global_neurons.len().min(other.global_neurons.len());
        let start = random.below(common + 1);
        let end = start + random.below(common - start + 1);
        child.global_neurons[start..end].copy_from_slice(&other.global_neurons[start..end]);
    }
    child
}

/// Attaches a node of the second parent with everything that grows from it to the first, by its own connections or a
/// new one.
fn graft(mut child: GraphGenome, other: &GraphGenome, settings: &GraphSettings, random: &mut Random) -> GraphGenome {
    let room = bounds::MAX_NODES - child.nodes.len();
    let stock = growing_node(&child, random);
    let scion = random.below(other.nodes.len());
    let taken = with_descendants(other, scion, room);
    if taken.is_empty() {
        return child;
    }
    let own = child.nodes.len();
    let renumbered = |node: usize| taken.iter().position(|&taken| taken == node).map(|place| own + place);
    for (place, &index) in taken.iter().enumerate() {
        let mut node = other.nodes[index].clone();
        node.keep_frozen(&child.nodes[place % own], &settings.rates);
        child.nodes.push(node);
    }
    // The connections from the first node that carried the scion are used, so that pairs stay pairs.
    let carrier = other.connections.iter().find(|on| on.child == scion && on.parent != scion).map(|on| on.parent);
    for connection in &other.connections {
        if let (Some(parent), Some(child_node)) = (renumbered(connection.parent), renumbered(connection.child)) {
            child.connections.push(Connection { parent, child: child_node, ..connection.clone() });
        }
        if connection.child == scion && Some(connection.parent) == carrier {
            child.connections.push(Connection { parent: stock, child: own, ..connection.clone() });
        }
    }
    if carrier.is_none() {
        random_genes::connect(&mut child, stock, own, settings, random);
    }
    child
}

/// Returns a node and its descendants, breadth first, at most `room` of them.
fn with_descendants(genome: &GraphGenome, node: usize, room: usize) -> Vec<usize> {
    let mut taken = vec![node];
    let mut next = 0;
    while next < taken.len() {
        for connection in &genome.connections {
            if connection.parent == taken[next] && !taken.contains(&connection.child) {
                taken.push(connection.child);
            }
        }
        next += 1;
    }
    taken.truncate(room);
    taken
}

/// Genes below the level of a node that can be exchanged.
#[derive(Debug, Clone, Copy)]
enum Aspect {
    Controller,
    Joint,
    Shape,
    CentralBrain,
}

/// Copies the local controller, the joint or the shape of a node to a random node of the first parent, or the neurons
/// of the central brain.
fn exchange(mut child: GraphGenome, other: &GraphGenome, settings: &GraphSettings, random: &mut Random) -> GraphGenome {
    let rates = &settings.rates;
    let mut aspects = Vec::new();
    if rates.local_neurons_may_change() || rates.effectors_may_change() {
        aspects.push(Aspect::Controller);
    }
    if rates.node.joint > 0.0 || rates.node.axis > 0.0 || rates.node.limit > 0.0 {
        aspects.push(Aspect::Joint);
    }
    if rates.node.shape > 0.0 || rates.node.size > 0.0 {
        aspects.push(Aspect::Shape);
    }
    if rates.global_neurons_may_change() && !other.global_neurons.is_empty() {
        aspects.push(Aspect::CentralBrain);
    }
    let Some(&aspect) = random.choice(&aspects) else { return child };
    let to = random.below(child.nodes.len());
    let from = &other.nodes[random.below(other.nodes.len())];
    let old = child.nodes[to].clone();
    let new = &mut child.nodes[to];
    match aspect {
        Aspect::Controller => {
            new.neurons.clone_from(&from.neurons);
            new.effectors = from.effectors;
        }
        Aspect::Joint => new.joint = from.joint.clone(),
        Aspect::Shape => (new.shape, new.size) = (from.shape, from.size),
        Aspect::CentralBrain => child.global_neurons.clone_from(&other.global_neurons),
    }
    child.nodes[to].keep_frozen(&old, rates);
    child
}
