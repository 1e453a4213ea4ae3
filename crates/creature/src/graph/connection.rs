//! Connections: how the part of one node hangs on the part of another (000 section 4.2, figure 4.2).

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::bounds;
use super::joint_gene::unit;
use crate::bounds::require;

/// An edge of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// Index of the node whose parts carry.
    pub parent: usize,
    /// Index of the node whose parts are carried.
    pub child: usize,
    /// Direction from the middle of the parent to where the child is attached on its surface; a unit vector.
    pub position: DVec3,
    /// Orientation of the joint's frame on the surface, where z is the outward normal. With the normal along x, y is the
    /// parent's y; else x is the parent's x along the surface.
    pub orientation: DQuat,
    /// Size of the child as a multiple of its node's, on top of what the parent is scaled by.
    pub scale: f64,
    /// Is the child with all that it carries the mirror image (y to -y) of what it would be?
    pub reflect: bool,
    /// Is it followed only from parts at which the parent's recursion limit is reached?
    pub terminal_only: bool,
}

impl Connection {
    /// Straight out of the surface.
    pub fn new(parent: usize, child: usize, position: DVec3) -> Self {
        let position = unit(position, DVec3::Z);
        let orientation = DQuat::IDENTITY;
        Self { parent, child, position, orientation, scale: 1.0, reflect: false, terminal_only: false }
    }

    /// Turned on the surface.
    pub fn turned(self, orientation: DQuat) -> Self {
        Self { orientation, ..self }
    }

    /// Scaled.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// The other side's.
    pub fn reflected(self) -> Self {
        Self { reflect: !self.reflect, ..self }
    }

    /// Only at the end of a chain.
    pub fn terminal(self) -> Self {
        Self { terminal_only: true, ..self }
    }

    pub(super) fn validate(&self, nodes: usize) -> Result<(), String> {
        for node in [self.parent, self.child] {
            if node >= nodes {
                return Err(format!("it refers to node {node}, but there are {nodes}"));
            }
        }
        let length = [1.0 - 1e-6, 1.0 + 1e-6];
        require("the length of the position", self.position.length(), length)?;
        require("the length of the orientation", self.orientation.length(), length)?;
        require("the scale", self.scale, bounds::SCALE)
    }

    /// Brings all numbers within their bounds; the nodes are up to the caller.
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
