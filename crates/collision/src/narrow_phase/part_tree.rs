//! Every shape that is not terrain as a tree of convex parts: a convex shape is a tree of one.

use std::ops::Range;

use burgess_geometry::shape::Compound;
use burgess_geometry::{Aabb, Polyhedron, Pose, Shape};

/// A tree of convex parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum PartTree<'a> {
    One(&'a Shape),
    Many(&'a Compound),
}

/// What a node of the tree shows to the outside.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeVolume<'a> {
    /// An enclosing hull or box, in the frame of the tree.
    Enclosing(&'a Polyhedron),
    /// A convex part at its pose in the tree, and its index.
    Part(&'a Shape, Pose, u32),
}

impl<'a> PartTree<'a> {
    /// Nothing for terrain.
    pub fn of_shape(shape: &'a Shape) -> Option<Self> {
        match shape {
            Shape::Compound(compound) => Some(Self::Many(compound)),
            Shape::Mesh(mesh) => Some(Self::Many(mesh.parts())),
            Shape::HeightField(_) => None,
            convex => Some(Self::One(convex)),
        }
    }

    /// The box around all parts at a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::One(shape) => shape.aabb(pose),
            Self::Many(compound) => compound.aabb(pose),
        }
    }

    pub fn volume(&self, node: u32) -> NodeVolume<'a> {
        match self {
            Self::One(shape) => NodeVolume::Part(shape, Pose::IDENTITY, 0),
            Self::Many(compound) => {
                let node = &compound.nodes()[node as usize];
                match (node.part(), node.volume()) {
                    (None, Some(volume)) => NodeVolume::Enclosing(volume),
                    (part, _) => {
                        // An inner node always has its volume.
                        let index = part.unwrap_or(0);
                        let part = &compound.parts()[index as usize];
                        NodeVolume::Part(part.shape(), *part.pose(), index)
                    }
                }
            }
        }
    }

    /// A box around all that is below a node, at a pose.
    pub fn node_bounds(&self, node: u32, pose: &Pose) -> Aabb {
        match self {
            Self::One(shape) => shape.aabb(pose),
            Self::Many(compound) => {
                compound.nodes()[node as usize].bounds().transformed(&pose.matrix(), pose.translation)
            }
        }
    }

    /// The shape of a part.
    pub fn part(&self, index: u32) -> Option<&'a Shape> {
        match self {
            Self::One(shape) => (index == 0).then_some(shape),
            Self::Many(compound) => compound.parts().get(index as usize).map(|part| part.shape()),
        }
    }

    pub fn children(&self, node: u32) -> Range<u32> {
        match self {
            Self::One(_) => 0..0,
            Self::Many(compound) => compound.nodes()[node as usize].children(),
        }
    }

    /// The length of the diagonal of the box around a node, in metres; nothing to open counts as nothing.
    pub fn openable_size(&self, node: u32) -> f64 {
        match self {
            Self::Many(compound) if !self.children(node).is_empty() => {
                compound.nodes()[node as usize].bounds().extents().length()
            }
            _ => f64::NEG_INFINITY,
        }
    }
}
