//! Every shape except terrain as a tree of convex parts. A convex shape is a tree with one node.

use std::ops::Range;

use burgess_geometry::shape::Compound;
use burgess_geometry::{Aabb, Polyhedron, Pose, Shape};

/// A tree of convex parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum PartTree<'a> {
    One(&'a Shape),
    Many(&'a Compound),
}

/// The volume of a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeVolume<'a> {
    /// A bounding hull or box, in the frame of the tree.
    Enclosing(&'a Polyhedron),
    /// A convex part at its pose in the tree, and its index.
    Part(&'a Shape, Pose, u32),
}

impl<'a> PartTree<'a> {
    /// Returns the tree of a shape; `None` for terrain.
    pub fn of_shape(shape: &'a Shape) -> Option<Self> {
        match shape {
            Shape::Compound(compound) => Some(Self::Many(compound)),
            Shape::Mesh(mesh) => Some(Self::Many(mesh.parts())),
            Shape::HeightField(_) => None,
            convex => Some(Self::One(convex)),
        }
    }

    /// Returns the box around all parts at a pose.
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
                        // An inner node always has a volume.
                        let index = part.unwrap_or(0);
                        let part = &compound.parts()[index as usize];
                        NodeVolume::Part(part.shape(), *part.pose(), index)
                    }
                }
            }
        }
    }

    /// Returns a box around the subtree of a node, at a pose.
    pub fn node_bounds(&self, node: u32, pose: &Pose) -> Aabb {
        match self {
            Self::One(shape) => shape.aabb(pose),
            Self::Many(compound) => {
                compound.nodes()[node as usize].bounds().transformed(&pose.matrix(), pose.translation)
            }
        }
    }

    /// Returns the shape of a part.
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

    /// Returns the length of the diagonal of the box around a node, in metres; 0 for a node without children.
    pub fn expandable_size(&self, node: u32) -> f64 {
        match self {
            Self::Many(compound) if !self.children(node).is_empty() => {
                compound.nodes()[node as usize].bounds().extents().length()
            }
            _ => f64::NEG_INFINITY,
        }
    }
}
