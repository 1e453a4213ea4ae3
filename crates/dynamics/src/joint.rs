//! Joints as used by the passes.

use glam::DVec3;

use crate::spec::AxisKind;

/// The freedom of a link relative to its parent. One-axis joints have their axis along z of the link's inner frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// No freedom.
    Weld,
    /// Rotation about z through the anchor.
    Revolute,
    /// Translation along z.
    Prismatic,
    /// Rotation about the anchor. Positions are a unit quaternion (x, y, z, w), velocities are along the link's inner
    /// axes.
    Spherical,
    /// Free motion; only for roots. Positions are the centre of mass and a unit quaternion, velocities are angular,
    /// then linear, along the axes of the world.
    Free,
    /// Motion prescribed by the caller; only for roots. It has no positions and velocities in the state.
    Scripted {
        /// Index of its motion in the workspace.
        slot: u32,
    },
    /// Two to six hinges and slides in order, stored from this index on.
    Stack {
        /// Index of the first axis in the model's list.
        first: u32,
    },
}

impl Joint {
    /// Returns the number of positions of a joint with this many degrees of freedom.
    pub(crate) fn positions(self, dofs: usize) -> usize {
        match self {
            Self::Spherical => 4,
            Self::Free => 7,
            _ => dofs,
        }
    }
}

/// An axis of a stack in the joint's frame, at zero position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackAxis {
    /// Hinge or slide.
    pub kind: AxisKind,
    /// Unit vector.
    pub direction: DVec3,
    /// A point of a hinge's axis.
    pub anchor: DVec3,
}
