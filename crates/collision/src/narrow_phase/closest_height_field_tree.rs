//! Closest points of a height field and any shape of convex parts.

use burgess_geometry::{Aabb, Pose, Shape};

use super::closest_tree_tree::TreeScratch;
use super::ground::visit_parts_near_ground;
use super::part_tree::PartTree;
use super::{NarrowScratch, Proximity, WorldProximity, closest_height_field_convex};

/// Returns the closest points of a height field and all parts of a tree, in world coordinates; `None` when the tree is
/// unbounded. If their bounding boxes are farther apart than `open_hull_threshold` metres, returns the closest points
/// of the boxes, which are a lower bound and not exact.
pub(super) fn closest_height_field_tree(
    field: &Shape,
    pose_field: &Pose,
    tree: PartTree,
    pose_tree: &Pose,
    open_hull_threshold: f64,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    let Shape::HeightField(field) = field else { return None };
    let tree_in_field = pose_field.inverse().compose(pose_tree);
    let (rotation, translation) = (pose_field.matrix(), pose_field.translation);
    if let Some(boxes) = box_separation(field.bounds(), &tree.aabb(&tree_in_field))
        && boxes.distance > open_hull_threshold
    {
        let proximity = boxes.transformed(&rotation, translation);
        return Some(WorldProximity { proximity, exact: false, part_a: None, part_b: None });
    }
    let mut best: Option<WorldProximity> = None;
    let NarrowScratch { polytope, tree: TreeScratch { nodes, .. }, .. } = scratch;
    visit_parts_near_ground(field, tree, &tree_in_field, f64::INFINITY, nodes, |shape, pose, part| {
        let limit = best.map_or(f64::INFINITY, |best| best.proximity.distance.max(0.0));
        if let Some((found, triangle)) = closest_height_field_convex(field, shape, pose, limit, polytope) {
            let rank = |p: &WorldProximity| (p.proximity.distance, p.part_b);
            let found = WorldProximity { proximity: found, exact: true, part_a: Some(triangle), part_b: Some(part) };
            if best.is_none_or(|best| rank(&found) < rank(&best)) {
                best = Some(found);
            }
        }
        best.map_or(f64::INFINITY, |best| best.proximity.distance.max(0.0))
    });
    let best = best?;
    Some(WorldProximity { proximity: best.proximity.transformed(&rotation, translation), ..best })
}

/// Returns the closest points of two boxes; `None` when they overlap.
fn box_separation(a: &Aabb, b: &Aabb) -> Option<Proximity> {
    // Where they overlap along an axis, the midpoint of the overlap.
    let shared = 0.5 * (a.min.max(b.min) + a.max.min(b.max));
    let (point_a, point_b) = (shared.clamp(a.min, a.max), shared.clamp(b.min, b.max));
    let offset = point_b - point_a;
    Some(Proximity { distance: offset.length(), normal: offset.try_normalize()?, point_a, point_b })
}
