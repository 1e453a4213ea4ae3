//! Height field and any shape of convex parts.

use burgess_geometry::{Pose, Shape};

use super::part_tree::PartTree;
use super::{NarrowScratch, WorldProximity, closest_height_field_convex};

/// A height field against all parts of a tree, in world coordinates; nothing when the tree is unbounded.
pub(super) fn closest_height_field_tree(
    field: &Shape,
    pose_field: &Pose,
    tree: PartTree,
    pose_tree: &Pose,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    let Shape::HeightField(field) = field else { return None };
    let tree_in_field = pose_field.inverse().compose(pose_tree);
    let mut best: Option<WorldProximity> = None;
    let mut consider = |shape: &Shape, pose: &Pose, part: u32| {
        let limit = best.map_or(f64::INFINITY, |best| best.proximity.distance.max(0.0));
        let pose = tree_in_field.compose(pose);
        let Some((found, triangle)) = closest_height_field_convex(field, shape, &pose, limit, &mut scratch.polytope)
        else {
            return;
        };
        if best.is_none_or(|best| found.distance < best.proximity.distance) {
            best = Some(WorldProximity { proximity: found, exact: true, part_a: Some(triangle), part_b: Some(part) });
        }
    };
    match tree {
        PartTree::One(shape) => consider(shape, &Pose::IDENTITY, 0),
        PartTree::Many(compound) => {
            for (index, part) in compound.parts().iter().enumerate() {
                consider(part.shape(), part.pose(), index as u32);
            }
        }
    }
    let best = best?;
    let proximity = best.proximity.transformed(&pose_field.matrix(), pose_field.translation);
    Some(WorldProximity { proximity, ..best })
}
