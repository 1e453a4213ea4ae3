//! The genome: a graph of nodes and connections, and the central brain (Fontijne (2000) sections 4.2 and 4.4.1, figure
//! 4.4).
//!
//! The graph may have cycles, and nodes that growth does not reach. A few unreachable nodes are kept, because they may
//! be connected again; the operators remove the others.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::bounds;
use super::connection::Connection;
use super::joint_gene::{JointGene, JointType};
use super::neuron_gene::{InputGene, NeuronGene};
use super::node::{Node, ShapeKind};
use crate::bounds::require;

/// A directed graph of nodes and connections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphGenome {
    /// Index of the node where growth starts.
    pub root: usize,
    /// How passages through a node are counted.
    pub replication: Replication,
    /// Nodes, which parts are made from.
    pub nodes: Vec<Node>,
    /// Connections, which attach parts to each other.
    pub connections: Vec<Connection>,
    /// Neurons of the central brain.
    pub global_neurons: Vec<NeuronGene>,
    /// Frequency of all beats of the brain, in Hz.
    #[serde(default = "default_rhythm")]
    pub rhythm: f64,
}

/// Rhythm of genomes that say nothing about it, in Hz.
fn default_rhythm() -> f64 {
    1.0
}

/// How passages of growth through a node are counted against its recursion limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replication {
    /// On the path from the root to the part (Sims 1994): each of two arms has as many segments as a single arm.
    #[default]
    PerPath,
    /// In the whole creature (Fontijne (2000) section 4.2): two arms share the segments.
    PerCreature,
}

/// Number of unreachable nodes that are kept, because they may be connected again.
const SPARE_NODES: usize = 4;

impl GraphGenome {
    /// Checks that all references are in range and all numbers within their bounds. The error is the reason.
    pub(super) fn check(&self) -> Result<(), String> {
        bounds::check_count("nodes", self.nodes.len(), [1, bounds::MAX_NODES])?;
        bounds::check_count("connections", self.connections.len(), [0, bounds::MAX_CONNECTIONS])?;
        bounds::check_count("global neurons", self.global_neurons.len(), [0, bounds::MAX_GLOBAL_NEURONS])?;
        if self.root >= self.nodes.len() {
            return Err(format!("its root is node {}, but there are {} nodes", self.root, self.nodes.len()));
        }
        for (index, node) in self.nodes.iter().enumerate() {
            node.validate().map_err(|reason| format!("node {index}: {reason}"))?;
        }
        for (index, connection) in self.connections.iter().enumerate() {
            connection.validate(self.nodes.len()).map_err(|reason| format!("connection {index}: {reason}"))?;
        }
        require("the rhythm", self.rhythm, bounds::RHYTHM)?;
        let mut inputs = self.global_neurons.iter().flat_map(|neuron| &neuron.inputs);
        inputs.try_for_each(InputGene::validate).map_err(|reason| format!("a global neuron: {reason}"))
    }

    /// Returns the nearest valid genome. A valid genome without excess unreachable nodes is returned unchanged.
    pub(super) fn repaired(mut self) -> Self {
        if self.nodes.is_empty() {
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let joint = JointGene::new(JointType::Revolute, axes, std::f64::consts::FRAC_PI_4);
            self.nodes.push(Node::new(ShapeKind::Box, DVec3::splat(0.1), joint));
        }
        // Bounds the work for any file. It is far more than two parents have together.
        self.nodes.truncate(4 * bounds::MAX_NODES);
        if self.root >= self.nodes.len() {
            self.root = 0;
        }
        self.connections.truncate(4 * bounds::MAX_CONNECTIONS);
        let count = self.nodes.len();
        self.connections.retain(|connection| connection.parent < count && connection.child < count);
        self.remove_unreachable();
        self.connections.truncate(bounds::MAX_CONNECTIONS);
        self.nodes.iter_mut().for_each(Node::repair);
        self.connections.iter_mut().for_each(Connection::repair);
        self.rhythm = bounds::within(self.rhythm, bounds::RHYTHM, default_rhythm());
        self.global_neurons.truncate(bounds::MAX_GLOBAL_NEURONS);
        self.global_neurons.iter_mut().flat_map(|neuron| &mut neuron.inputs).for_each(InputGene::repair);
        self
    }

    /// Returns which nodes growth may reach.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![self.root];
        while let Some(node) = open.pop() {
            if reached.get(node) == Some(&false) {
                reached[node] = true;
                open.extend(self.connections.iter().filter(|next| next.parent == node).map(|next| next.child));
            }
        }
        reached
    }

    /// Removes the oldest unreachable nodes beyond a reserve, and all nodes beyond the maximum.
    fn remove_unreachable(&mut self) {
        let reached = self.reachable();
        let lost = reached.iter().filter(|reached| !**reached).count();
        let live = self.nodes.len() - lost;
        let spare = SPARE_NODES.min(bounds::MAX_NODES.saturating_sub(live));
        let mut excess = lost.saturating_sub(spare);
        let mut room = bounds::MAX_NODES;
        let mut keep = vec![true; self.nodes.len()];
        for index in 0..self.nodes.len() {
            if index == self.root {
                continue; // The root stays, and space for it is reserved.
            }
            if !reached[index] && excess > 0 {
                (keep[index], excess) = (false, excess - 1);
            } else if room > 1 {
                room -= 1;
            } else {
                keep[index] = false;
            }
        }
        self.keep_nodes(&keep);
    }

    /// Keeps the marked nodes and the connections between them. The root must be marked.
    pub(super) fn keep_nodes(&mut self, keep: &[bool]) {
        if keep.iter().all(|keep| *keep) {
            return;
        }
        let mut next = 0;
        let renumbered: Vec<Option<usize>> = keep
            .iter()
            .map(|&keep| {
                next += usize::from(keep);
                keep.then(|| next - 1)
            })
            .collect();
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            keep[index - 1]
        });
        self.root = renumbered[self.root].unwrap_or(0);
        self.connections.retain_mut(|connection| match (renumbered[connection.parent], renumbered[connection.child]) {
            (Some(parent), Some(child)) => {
                (connection.parent, connection.child) = (parent, child);
                true
            }
            _ => false,
        });
    }
}
