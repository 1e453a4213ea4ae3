//! Rates and sizes of mutations of graph genomes.
//!
//! A mutation touches some nodes, connections and neurons, and in each of those every member changes with its own rate.
//! The number of touched genes does not grow with the genome (Sims scales his rates by the size of the graph for the
//! same purpose). A member with a rate of zero is frozen: recombination does not change it, either.

use serde::{Deserialize, Serialize};

/// Rates of mutations. Rates are probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    /// Mean number of nodes that a mutation touches, if there are as many.
    pub touched_nodes: f64,
    /// Mean number of connections that a mutation touches.
    pub touched_connections: f64,
    /// Mean number of neurons that a mutation touches, local and global ones together.
    pub touched_neurons: f64,
    /// Rates for the graph, per mutation.
    pub graph: GraphRates,
    /// Rates for the members of a touched node.
    pub node: NodeRates,
    /// Rates for the members of a touched connection.
    pub connection: ConnectionRates,
    /// Rates for the members of a touched neuron.
    pub neuron: NeuronRates,
}

/// Rates of changes of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphRates {
    /// Make another node the root.
    pub root: f64,
    /// Switch how passages are counted.
    pub replication: f64,
    /// Change the rhythm.
    pub rhythm: f64,
    /// Add a node, connected to one that growth may reach.
    pub add_node: f64,
    /// Remove a node and all its connections.
    pub remove_node: f64,
    /// Add a connection, often with its mirrored twin.
    pub add_connection: f64,
    /// Remove a connection.
    pub remove_connection: f64,
    /// Add a neuron to the central brain.
    pub add_global_neuron: f64,
    /// Remove a neuron from the central brain.
    pub remove_global_neuron: f64,
}

/// Rates of changes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodeRates {
    /// Choose another shape.
    pub shape: f64,
    /// Change a side, for each.
    pub size: f64,
    /// Choose another type of joint.
    pub joint: f64,
    /// Change an axis, for each.
    pub axis: f64,
    /// Change a limit, for each.
    pub limit: f64,
    /// Increment or decrement the recursion limit.
    pub recursion_limit: f64,
    /// Choose another source for an effector, for each.
    pub effector_source: f64,
    /// Change the weight of an effector, for each.
    pub effector_weight: f64,
    /// Add a neuron.
    pub add_neuron: f64,
    /// Remove a neuron.
    pub remove_neuron: f64,
}

/// Rates of changes of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConnectionRates {
    /// Choose another parent node.
    pub parent: f64,
    /// Choose another child node.
    pub child: f64,
    /// Change the position on the surface.
    pub position: f64,
    /// Change the orientation.
    pub orientation: f64,
    /// Change the scale.
    pub scale: f64,
    /// Toggle the reflection.
    pub reflect: f64,
    /// Toggle between all parts and the end of a chain only.
    pub terminal_only: f64,
}

/// Rates of changes of a neuron.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NeuronRates {
    /// Choose another function.
    pub function: f64,
    /// Choose another source, for each input.
    pub source: f64,
    /// Change the weight, for each input.
    pub weight: f64,
}

/// Sizes of mutations: standard deviations of normal distributions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Magnitudes {
    /// Change of a side, as a fraction of it.
    pub size: f64,
    /// Change of an axis, in rad.
    pub axis: f64,
    /// Change of a limit, in rad.
    pub limit: f64,
    /// Change of a position on the surface, in rad seen from the middle.
    pub position: f64,
    /// Change of an orientation, in rad.
    pub orientation: f64,
    /// Change of a scale, as a fraction of it.
    pub scale: f64,
    /// Change of a weight.
    pub weight: f64,
    /// Change of the rhythm, as a fraction of it.
    pub rhythm: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            touched_nodes: 1.5,
            touched_connections: 1.0,
            touched_neurons: 3.0,
            graph: GraphRates::default(),
            node: NodeRates::default(),
            connection: ConnectionRates::default(),
            neuron: NeuronRates::default(),
        }
    }
}

impl Default for GraphRates {
    fn default() -> Self {
        Self {
            root: 0.01,
            replication: 0.0,
            rhythm: 0.2,
            add_node: 0.05,
            remove_node: 0.05,
            add_connection: 0.05,
            remove_connection: 0.06,
            add_global_neuron: 0.03,
            remove_global_neuron: 0.03,
        }
    }
}

impl Default for NodeRates {
    fn default() -> Self {
        Self {
            shape: 0.04,
            size: 0.15,
            joint: 0.04,
            axis: 0.1,
            limit: 0.12,
            recursion_limit: 0.06,
            effector_source: 0.02,
            effector_weight: 0.1,
            add_neuron: 0.04,
            remove_neuron: 0.03,
        }
    }
}

impl Default for ConnectionRates {
    fn default() -> Self {
        Self {
            parent: 0.03,
            child: 0.04,
            position: 0.2,
            orientation: 0.2,
            scale: 0.15,
            reflect: 0.04,
            terminal_only: 0.03,
        }
    }
}

impl Default for NeuronRates {
    fn default() -> Self {
        Self { function: 0.04, source: 0.05, weight: 0.4 }
    }
}

impl Default for Magnitudes {
    fn default() -> Self {
        Self {
            size: 0.2,
            axis: 0.3,
            limit: 0.25,
            position: 0.25,
            orientation: 0.25,
            scale: 0.15,
            weight: 0.2,
            rhythm: 0.15,
        }
    }
}

impl NodeRates {
    /// Freezes shapes and sizes.
    pub(super) fn freeze_shape(&mut self) {
        (self.shape, self.size) = (0.0, 0.0);
    }

    /// Freezes joints.
    fn freeze_joint(&mut self) {
        (self.joint, self.axis, self.limit) = (0.0, 0.0, 0.0);
    }

    /// Freezes neurons and effectors.
    fn freeze_brain(&mut self) {
        (self.effector_source, self.effector_weight, self.add_neuron, self.remove_neuron) = (0.0, 0.0, 0.0, 0.0);
    }
}

impl Rates {
    pub(super) fn freeze_body(&mut self) {
        let graph = &mut self.graph;
        (graph.root, graph.replication) = (0.0, 0.0);
        (graph.add_node, graph.remove_node, graph.add_connection, graph.remove_connection) = (0.0, 0.0, 0.0, 0.0);
        self.node.freeze_shape();
        self.node.freeze_joint();
        self.node.recursion_limit = 0.0;
        self.connection = ConnectionRates {
            parent: 0.0,
            child: 0.0,
            position: 0.0,
            orientation: 0.0,
            scale: 0.0,
            reflect: 0.0,
            terminal_only: 0.0,
        };
    }

    pub(super) fn freeze_brain(&mut self) {
        let graph = &mut self.graph;
        (graph.add_global_neuron, graph.remove_global_neuron, graph.rhythm) = (0.0, 0.0, 0.0);
        self.node.freeze_brain();
        self.neuron = NeuronRates { function: 0.0, source: 0.0, weight: 0.0 };
    }

    /// Returns whether nodes and connections may be added, removed or moved.
    pub(super) fn graph_may_change(&self) -> bool {
        let ConnectionRates { parent, child, .. } = self.connection;
        let GraphRates { root, add_node, remove_node, add_connection, remove_connection, .. } = self.graph;
        [parent, child, root, add_node, remove_node, add_connection, remove_connection].iter().any(|rate| *rate > 0.0)
    }

    /// Returns whether neurons of nodes may change.
    pub(super) fn local_neurons_may_change(&self) -> bool {
        self.neurons_may_change() || self.node.add_neuron > 0.0 || self.node.remove_neuron > 0.0
    }

    /// Returns whether the inputs of the joints' axes may change.
    pub(super) fn effectors_may_change(&self) -> bool {
        self.node.effector_source > 0.0 || self.node.effector_weight > 0.0
    }

    /// Returns whether neurons of the central brain may change.
    pub(super) fn global_neurons_may_change(&self) -> bool {
        self.neurons_may_change() || self.graph.add_global_neuron > 0.0 || self.graph.remove_global_neuron > 0.0
    }

    fn neurons_may_change(&self) -> bool {
        let NeuronRates { function, source, weight } = self.neuron;
        [function, source, weight].iter().any(|rate| *rate > 0.0)
    }
}

impl Magnitudes {
    /// Returns a copy with all changes scaled by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let Self { size, axis, limit, position, orientation, scale, weight, rhythm } = *self;
        Self {
            size: factor * size,
            axis: factor * axis,
            limit: factor * limit,
            position: factor * position,
            orientation: factor * orientation,
            scale: factor * scale,
            weight: factor * weight,
            rhythm: factor * rhythm,
        }
    }
}
