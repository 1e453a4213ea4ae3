//! A behaviour net: nodes and links, the two phases of a step, and the energy of a place.
//!
//! In a step every node first loads its inputs, which are the weighted outputs of the step before; then all emit. The
//! result therefore does not depend on the order of the nodes, and links may form loops: feedback has a delay of one
//! step. The energy of a place is computed by the feed-forward part alone: perceptual nodes perceive from the place,
//! and
//! control nodes react to them at once. Inhibition acts with the outputs of the last step.

use thiserror::Error;

use super::node::{Node, NodeKind, Output};
use super::sense::{Pose2, Surroundings};

/// What a link does to the node that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkKind {
    /// It adds the outputs of one node to the inputs of another.
    #[default]
    Carry,
    /// It scales the outputs of a control node by `max(0, 1 - weight |distance|)`.
    Inhibit,
}

/// A link between two nodes, by their indices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The node that emits.
    pub from: usize,
    /// The node that loads.
    pub to: usize,
    /// Factor of what it carries. A weight of 0 unbinds the link.
    pub weight: f64,
    /// What it does.
    pub kind: LinkKind,
}

/// The reason why a net was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetError {
    /// A link names a node that does not exist.
    #[error("link {link} names node {node}, but there are {nodes}")]
    Node {
        /// Index of the link.
        link: usize,
        /// The index that it has.
        node: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// A link joins nodes that cannot be joined.
    #[error("link {link} leads from a {from} node to a {to} node; {rule}")]
    Kind {
        /// Index of the link.
        link: usize,
        /// Kind of the first node.
        from: &'static str,
        /// Kind of the second node.
        to: &'static str,
        /// What is allowed.
        rule: &'static str,
    },
}

/// A net that many walkers share. What differs between them is in numbers: the outputs of the nodes, two each, and the
/// weights of the links.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BehaviourNet {
    nodes: Vec<Node>,
    links: Vec<Link>,
}

impl BehaviourNet {
    /// Creates a net.
    pub fn new(nodes: Vec<Node>, links: Vec<Link>) -> Result<Self, NetError> {
        for (index, link) in links.iter().enumerate() {
            if let Some(&node) = [link.from, link.to].iter().find(|&&node| node >= nodes.len()) {
                return Err(NetError::Node { link: index, node, nodes: nodes.len() });
            }
            let (from, to) = (&nodes[link.from].kind, &nodes[link.to].kind);
            if let Some(rule) = broken_rule(link.kind, from, to) {
                return Err(NetError::Kind { link: index, from: from.name(), to: to.name(), rule });
            }
        }
        Ok(Self { nodes, links })
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The links, with the weights that they start with.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Number of numbers that hold the state of one walker's net.
    pub fn numbers(&self) -> usize {
        2 * self.nodes.len() + self.links.len()
    }

    /// Sets the numbers of a net at its start: no outputs, the weights of the links.
    pub fn start(&self, numbers: &mut [f64]) {
        let (outputs, weights) = numbers.split_at_mut(2 * self.nodes.len());
        outputs.fill(0.0);
        weights.iter_mut().zip(&self.links).for_each(|(weight, link)| *weight = link.weight);
    }

    /// Makes one step. `inputs` is scratch memory.
    pub fn step(&self, numbers: &mut [f64], pose: &Pose2, surroundings: &Surroundings, inputs: &mut Vec<Output>) {
        let (outputs, weights) = numbers.split_at_mut(2 * self.nodes.len());
        inputs.clear();
        inputs.resize(self.nodes.len(), Output::default());
        for (link, &weight) in self.links.iter().zip(&*weights) {
            if link.kind == LinkKind::Carry && weight != 0.0 {
                inputs[link.to].distance += weight * outputs[2 * link.from];
                inputs[link.to].angle += weight * outputs[2 * link.from + 1];
            }
        }
        // The scale is taken before anything is emitted.
        for (index, node) in self.nodes.iter().enumerate() {
            let scale = self.scale(index, outputs, weights);
            inputs[index] = match &node.kind {
                NodeKind::Perceptual(sensor) => sensor.perceive(pose, surroundings),
                NodeKind::Control(control) => scaled(control.emit(inputs[index]), scale),
                NodeKind::Walk => inputs[index],
            };
        }
        for (output, emitted) in outputs.chunks_exact_mut(2).zip(inputs.iter()) {
            output.copy_from_slice(&[emitted.distance, emitted.angle]);
        }
    }

    /// Returns the energy of a pose: the sum over the control nodes that lead to a motor node.
    pub fn energy(&self, numbers: &[f64], pose: &Pose2, surroundings: &Surroundings) -> f64 {
        self.reactions(numbers, pose, surroundings).map(|(energy, _)| energy).sum()
    }

    /// Returns the changes that the control nodes together ask for at a pose. A walker that follows them directly,
    /// without comparing places, walks in a zigzag along thresholds.
    pub fn blend(&self, numbers: &[f64], pose: &Pose2, surroundings: &Surroundings) -> Output {
        let add = |sum: Output, (_, asked): (f64, Output)| Output {
            distance: sum.distance + asked.distance,
            angle: sum.angle + asked.angle,
        };
        self.reactions(numbers, pose, surroundings).fold(Output::default(), add)
    }

    /// Energy and changes of every control node that leads to a motor node.
    fn reactions<'a>(
        &'a self,
        numbers: &'a [f64],
        pose: &'a Pose2,
        surroundings: &'a Surroundings,
    ) -> impl Iterator<Item = (f64, Output)> + 'a {
        let (outputs, weights) = numbers.split_at(2 * self.nodes.len());
        let to_motor = move |(link, &weight): (&'a Link, &'a f64)| {
            let NodeKind::Control(control) = &self.nodes[link.from].kind else { return None };
            if weight == 0.0 || link.kind != LinkKind::Carry || self.nodes[link.to].kind != NodeKind::Walk {
                return None;
            }
            let input = self.perceived_by(link.from, outputs, weights, pose, surroundings)?;
            let scale = weight * self.scale(link.from, outputs, weights);
            Some((scale * control.energy(input), scaled(control.emit(input), scale)))
        };
        self.links.iter().zip(weights).filter_map(to_motor)
    }

    /// The input of a control node at a pose: what its sensors perceive there, and the last outputs of other nodes.
    fn perceived_by(
        &self,
        node: usize,
        outputs: &[f64],
        weights: &[f64],
        pose: &Pose2,
        surroundings: &Surroundings,
    ) -> Option<Output> {
        let mut sum = None;
        for (link, &weight) in self.links.iter().zip(weights) {
            if link.to != node || link.kind != LinkKind::Carry || weight == 0.0 {
                continue;
            }
            let carried = match &self.nodes[link.from].kind {
                NodeKind::Perceptual(sensor) => sensor.perceive(pose, surroundings),
                _ => Output { distance: outputs[2 * link.from], angle: outputs[2 * link.from + 1] },
            };
            let sum = sum.get_or_insert(Output::default());
            sum.distance += weight * carried.distance;
            sum.angle += weight * carried.angle;
        }
        sum
    }

    /// The factor that inhibition leaves of a node's outputs.
    fn scale(&self, node: usize, outputs: &[f64], weights: &[f64]) -> f64 {
        let inhibits = |(link, _): &(&Link, &f64)| link.to == node && link.kind == LinkKind::Inhibit;
        let links = self.links.iter().zip(weights).filter(inhibits);
        links.map(|(link, weight)| (1.0 - weight * finite(outputs[2 * link.from]).abs()).max(0.0)).product()
    }
}

/// What is infinitely far does not inhibit.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn scaled(output: Output, scale: f64) -> Output {
    Output { distance: scale * output.distance, angle: scale * output.angle }
}

/// The rule that a link breaks, if it does.
fn broken_rule(kind: LinkKind, from: &NodeKind, to: &NodeKind) -> Option<&'static str> {
    match (kind, from, to) {
        (_, NodeKind::Walk, _) => Some("motor nodes emit nothing"),
        (_, _, NodeKind::Perceptual(_)) => Some("perceptual nodes have no inputs"),
        (LinkKind::Carry, NodeKind::Perceptual(_), NodeKind::Walk) => Some("put a control node between them"),
        (LinkKind::Inhibit, _, NodeKind::Walk) => Some("only control nodes can be inhibited"),
        _ => None,
    }
}
