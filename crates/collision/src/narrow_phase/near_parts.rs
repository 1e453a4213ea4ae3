//! All pairs of convex parts of two shapes that are near each other, from which contacts are made.
//!
//! The descent is the same as for the nearest pair, but it visits everything within a margin.

use burgess_geometry::shape::{Prism, PrismShape};
use burgess_geometry::{Pose, RelativePose, Shape};

use super::closest_convex_pair::closest_convex_pair;
use super::near_parts_height_field_tree::near_parts_height_field_tree;
use super::node_pairs::{NodePairs, PlacedTree, Visited};
use super::part_tree::PartTree;
use super::{FeaturePair, NarrowScratch, PairCache, Proximity, WorldProximity};

/// Two convex parts that are near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearParts {
    /// The part of a: an index into the parts of a compound or mesh, or the triangles of a height field; 0 for a convex
    /// shape.
    pub part_a: u32,
    /// The part of b, likewise.
    pub part_b: u32,
    /// Pose of part a in the world.
    pub pose_a: Pose,
    /// Pose of part b in the world.
    pub pose_b: Pose,
    /// Closest or deepest points, in the frame of part a.
    pub proximity: Proximity,
    /// Closest features, if both parts are polyhedra.
    pub features: Option<FeaturePair>,
    /// The prism below the triangle, cut to the depth that matters, if one of the shapes is a height field.
    pub prism: Option<Prism>,
}

impl NearParts {
    /// Returns the pair with the shapes exchanged.
    pub fn swapped(&self) -> Self {
        let b_in_a = RelativePose::new(&self.pose_a, &self.pose_b);
        Self {
            part_a: self.part_b,
            part_b: self.part_a,
            pose_a: self.pose_b,
            pose_b: self.pose_a,
            proximity: self.proximity.swapped().transformed(&b_in_a.rotation_inverse, b_in_a.translation_inverse),
            features: self.features.map(|features| FeaturePair { a: features.b, b: features.a }),
            prism: self.prism,
        }
    }

    /// Returns the pair as an exact result in world coordinates.
    pub fn in_world(&self) -> WorldProximity {
        let proximity = self.proximity.transformed(&self.pose_a.matrix(), self.pose_a.translation);
        WorldProximity { proximity, exact: true, part_a: Some(self.part_a), part_b: Some(self.part_b) }
    }

    /// Returns the convex shapes of the two parts, given the shapes `a` and `b` of the query; `None` for other shapes.
    /// `ground` holds the part of a height field.
    pub fn shapes<'a>(&self, a: &'a Shape, b: &'a Shape, ground: &'a mut PrismShape) -> Option<(&'a Shape, &'a Shape)> {
        match (PartTree::of_shape(a), PartTree::of_shape(b)) {
            (Some(a), Some(b)) => Some((a.part(self.part_a)?, b.part(self.part_b)?)),
            (None, Some(b)) => Some((ground.set(self.prism.as_ref()?)?, b.part(self.part_b)?)),
            (Some(a), None) => Some((a.part(self.part_a)?, ground.set(self.prism.as_ref()?)?)),
            (None, None) => None,
        }
    }
}

/// Replaces `found` by all pairs of convex parts that are at most `margin` metres apart or penetrate, by ascending part
/// of a, then of b. A convex shape is its own part 0.
///
/// The parts of a height field are the prisms below its triangles. Only those are included that the shape touches at
/// the surface: the walls between prisms and concave edges are not part of it. No parts are found when both shapes are
/// always fixed (half-spaces and height fields).
#[expect(clippy::too_many_arguments, reason = "two shapes with poses, a margin, and reused memory")]
pub fn near_parts(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
    found: &mut Vec<NearParts>,
) {
    found.clear();
    match (PartTree::of_shape(a), PartTree::of_shape(b)) {
        (Some(PartTree::One(a)), Some(PartTree::One(b))) => {
            let b_in_a = RelativePose::new(pose_a, pose_b);
            let proximity = closest_convex_pair(a, b, &b_in_a, &mut cache.convex, scratch);
            if let Some(proximity) = proximity.filter(|proximity| proximity.distance <= margin) {
                let (pose_a, pose_b, features) = (*pose_a, *pose_b, cache.convex.known_features());
                found.push(NearParts { part_a: 0, part_b: 0, pose_a, pose_b, proximity, features, prism: None });
            }
        }
        (Some(a), Some(b)) => {
            let (a, b) = (PlacedTree { tree: a, pose: pose_a }, PlacedTree { tree: b, pose: pose_b });
            near_parts_tree_tree(NodePairs::new(a, b, cache, scratch), margin, found);
        }
        (None, Some(tree)) => {
            let tree = PlacedTree { tree, pose: pose_b };
            near_parts_height_field_tree(a, pose_a, tree, margin, cache, scratch, found);
        }
        (Some(tree), None) => {
            let tree = PlacedTree { tree, pose: pose_a };
            near_parts_height_field_tree(b, pose_b, tree, margin, cache, scratch, found);
            found.iter_mut().for_each(|near| *near = near.swapped());
        }
        (None, None) => {}
    }
    found.sort_unstable_by_key(|near| (near.part_a, near.part_b));
}

/// Visits all volumes within the margin.
fn near_parts_tree_tree(mut pairs: NodePairs, margin: f64, found: &mut Vec<NearParts>) {
    let mut waiting = std::mem::take(&mut pairs.scratch.tree.pairs);
    waiting.clear();
    waiting.push((0, 0));
    while let Some((node_a, node_b)) = waiting.pop() {
        match pairs.visit(node_a, node_b) {
            Some(Visited::Parts(near)) if near.proximity.distance <= margin => found.push(near),
            Some(Visited::Volumes(apart)) if apart.is_none_or(|p| p.distance <= margin) => {
                waiting.extend(pairs.expanded(node_a, node_b));
            }
            _ => {}
        }
    }
    pairs.scratch.tree.pairs = waiting;
    pairs.finish();
}
