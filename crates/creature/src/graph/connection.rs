//! Connections: how the part of one node is attached to the part of another (Fontijne (2000) section 4.2, figure 4.2).

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::bounds;
use super::joint_gene::unit;
use crate::bounds::require;

/// An edge of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// Index of the parent node.
    pub parent: usize,
    /// Index of the child node.
    pub child: usize,
    /// Direction from the middle of the parent to the attachment point on its surface; a unit vector.
    pub position: DVec3,
    /// Orientation of the joint's frame on the surface, where z is the outward normal. If the normal is along x, y is
    /// the parent's y; otherwise x is the parent's x projected onto the surface.
    pub orientation: DQuat,
    /// Size of the child as a multiple of its node's size, in addition to the scale of the parent.
    pub scale: f64,
    /// Whether the child and everything attached to it is mirrored (y to -y).
    pub reflect: bool,
    /// Whether the connection is followed only from parts that have reached the parent's recursion limit.
    pub terminal_only: bool,
}

impl Connection {
    /// Creates a connection along the normal of the surface.
    pub fn new(parent: usize, child: usize, position: DVec3) -> Self {
        let position = unit(position, DVec3::Z);
        let orientation = DQuat::IDENTITY;
        Self { parent, child, position, orientation, scale: 1.0, reflect: false, terminal_only: false }
    }

    /// Returns the connection with another orientation on the surface.
    pub fn turned(self, orientation: DQuat) -> Self {
        Self { orientation, ..self }
    }

    /// Returns the connection with another scale.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Returns the mirrored connection.
    pub fn reflected(self) -> Self {
        Self { reflect: !self.reflect, ..self }
    }

    /// Returns the connection for the end of a chain only.
    pub fn terminal(self) -> Self {
        Self { terminal_only: true, ..self }
    }

    pub(super) fn validate(&self, nodes: usize) -> Result<(), String> {
        for node in [self.parent, self.child] {
            if node >= nodes {
                return Err(format!("it refers to node {node}, but there are {nodes} nodes"));
            }
        }
        let length = [1.0 - 1e-6, 1.0 + 1e-6];
        require("the length of the position", self.position.length(), length)?;
        require("the length of the orientation", self.orientation.length(), length)?;
        require("the scale", self.scale, bounds::SCALE)
    }

    /// Brings all numbers within their bounds. The caller ensures that the nodes exist.
    pub(super) fn repair(&mut self) {
        self.position = unit(self.position, DVec3::Z);
        let length = self.orientation.length();
        if !(length > 1e-9 && length.is_finite()) {
            self.orientation = DQuat::IDENTITY;
        } else if (length - 1.0).abs() > 1e-12 {
            self.orientation = self.orientation.normalize();
        }
        self.scale = bounds::within(self.scale, bounds::SCALE, 1.0);
    }
}
