//! How often each member of each gene changes, and how far.
//!
//! A mutation touches some nodes, connections and neurons, and in each of those every member changes with its own rate. How
//! many are touched does not grow with the genome (Sims scales his rates by the size of the graph to the same end). A member
//! whose rate is zero is frozen: recombination leaves it as it is, too.

use serde::{Deserialize, Serialize};

/// How often. Rates are probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    /// How many nodes a mutation touches on average, if there are as many.
    pub touched_nodes: f64,
    /// How many connections it touches.
    pub touched_connections: f64,
    /// How many neurons it touches, local and global ones together.
    pub touched_neurons: f64,
    /// Of the graph, for each mutation.
    pub graph: GraphRates,
    /// Of members of a node that is touched.
    pub node: NodeRates,
    /// Of members of a connection that is touched.
    pub connection: ConnectionRates,
    /// Of members of a neuron that is touched.
    pub neuron: NeuronRates,
}

/// Changes of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphRates {
    /// Another node is the root.
    pub root: f64,
    /// The other way of counting passages.
    pub replication: f64,
    /// A new node, connected to one that grows.
    pub add_node: f64,
    /// A node goes, and all its connections.
    pub remove_node: f64,
    /// A new connection, often with its mirrored twin.
    pub add_connection: f64,
    /// A connection goes.
    pub remove_connection: f64,
    /// A new neuron of the central brain.
    pub add_global_neuron: f64,
    /// One less.
    pub remove_global_neuron: f64,
}

/// Changes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodeRates {
    /// Another shape.
    pub shape: f64,
    /// Of each side.
    pub size: f64,
    /// Another type of joint.
    pub joint: f64,
    /// Of each axis.
    pub axis: f64,
    /// Of each limit.
    pub limit: f64,
    /// One more or less.
    pub recursion_limit: f64,
    /// Another source for an effector, for each.
    pub effector_source: f64,
    /// Of each effector.
    pub effector_weight: f64,
    /// A new neuron.
    pub add_neuron: f64,
    /// One less.
    pub remove_neuron: f64,
}

/// Changes of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConnectionRates {
    /// Another node carries.
    pub parent: f64,
    /// Another node is carried.
    pub child: f64,
    /// Where on the surface.
    pub position: f64,
    /// How turned.
    pub orientation: f64,
    /// How large.
    pub scale: f64,
    /// The other side.
    pub reflect: f64,
    /// At the end only, or everywhere.
    pub terminal_only: f64,
}

/// Changes of a neuron.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NeuronRates {
    /// Another function.
    pub function: f64,
    /// Another source, for each input.
    pub source: f64,
    /// Of each input.
    pub weight: f64,
}

/// How far numbers change: deviations of normal distributions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Magnitudes {
    /// Of a side, as a share of it.
    pub size: f64,
    /// Of an axis, in rad.
    pub axis: f64,
    /// Of a limit, in rad.
    pub limit: f64,
    /// Of where on the surface, in rad seen from the middle.
    pub position: f64,
    /// Of how turned, in rad.
    pub orientation: f64,
    /// Of a scale, as a share of it.
    pub scale: f64,
    /// Of a weight.
    pub weight: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            touched_nodes: 1.0,
            touched_connections: 1.0,
            touched_neurons: 1.5,
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
            joint: 0.06,
            axis: 0.06,
            limit: 0.06,
            recursion_limit: 0.06,
            effector_source: 0.06,
            effector_weight: 0.1,
            add_neuron: 0.06,
            remove_neuron: 0.05,
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
        Self { function: 0.12, source: 0.12, weight: 0.25 }
    }
}

impl Default for Magnitudes {
    fn default() -> Self {
        Self { size: 0.2, axis: 0.3, limit: 0.25, position: 0.25, orientation: 0.25, scale: 0.15, weight: 0.6 }
    }
}

impl NodeRates {
    /// Nothing about shapes changes.
    pub(super) fn freeze_shape(&mut self) {
        (self.shape, self.size) = (0.0, 0.0);
    }

    /// Nothing about joints changes.
    fn freeze_joint(&mut self) {
        (self.joint, self.axis, self.limit) = (0.0, 0.0, 0.0);
    }

    /// Nothing about neurons and effectors changes.
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
        (self.graph.add_global_neuron, self.graph.remove_global_neuron) = (0.0, 0.0);
        self.node.freeze_brain();
        self.neuron = NeuronRates { function: 0.0, source: 0.0, weight: 0.0 };
    }

    /// May nodes and connections come, go and move?
    pub(super) fn graph_may_change(&self) -> bool {
        let ConnectionRates { parent, child, .. } = self.connection;
        let GraphRates { root, add_node, remove_node, add_connection, remove_connection, .. } = self.graph;
        [parent, child, root, add_node, remove_node, add_connection, remove_connection].iter().any(|rate| *rate > 0.0)
    }

    /// May neurons of nodes change?
    pub(super) fn local_neurons_may_change(&self) -> bool {
        self.neurons_may_change() || self.node.add_neuron > 0.0 || self.node.remove_neuron > 0.0
    }

    /// May what drives the joints change?
    pub(super) fn effectors_may_change(&self) -> bool {
        self.node.effector_source > 0.0 || self.node.effector_weight > 0.0
    }

    /// May neurons of the central brain change?
    pub(super) fn global_neurons_may_change(&self) -> bool {
        self.neurons_may_change() || self.graph.add_global_neuron > 0.0 || self.graph.remove_global_neuron > 0.0
    }

    fn neurons_may_change(&self) -> bool {
        let NeuronRates { function, source, weight } = self.neuron;
        [function, source, weight].iter().any(|rate| *rate > 0.0)
    }
}

impl Magnitudes {
    /// All changes larger or smaller by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let Self { size, axis, limit, position, orientation, scale, weight } = *self;
        Self {
            size: factor * size,
            axis: factor * axis,
            limit: factor * limit,
            position: factor * position,
            orientation: factor * orientation,
            scale: factor * scale,
            weight: factor * weight,
        }
    }
}
