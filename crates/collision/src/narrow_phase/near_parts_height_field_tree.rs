//! The prisms of a height field near the parts of a tree.

use burgess_geometry::shape::HeightField;
use burgess_geometry::{Aabb, Pose, RelativePose, Shape};

use super::closest_convex_pair::closest_convex_pair;
use super::core::RoundedCore;
use super::ground::{
    box_gap, cell_size, cut_off, straight_up, straight_up_over, supports_surface, visit_parts_near_ground,
};
use super::node_pairs::PlacedTree;
use super::{NarrowScratch, NearParts, NodePairCache, PairCache, Proximity};

/// Difference below which distances count as equal, relative to a cell.
const EQUAL_TOLERANCE: f64 = 1e-9;

/// Adds all pairs of prisms and parts within the margin. Shape a is the field.
pub(super) fn near_parts_height_field_tree(
    field: &Shape,
    pose_field: &Pose,
    tree: PlacedTree,
    margin: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
    found: &mut Vec<NearParts>,
) {
    let Shape::HeightField(field) = field else { return };
    let tree_in_field = pose_field.inverse().compose(tree.pose);
    scratch.tree.visited.clear();
    let mut nodes = std::mem::take(&mut scratch.tree.nodes);
    visit_parts_near_ground(field, tree.tree, &tree_in_field, margin, &mut nodes, |shape, pose, part| {
        near_prisms(field, pose_field, shape, pose, part, cache, (margin, scratch, found));
        margin
    });
    scratch.tree.nodes = nodes;
    cache.replace_nodes(&mut scratch.tree.visited);
}

/// Adds all prisms near one convex part at `pose` in the field.
fn near_prisms(
    field: &HeightField,
    pose_field: &Pose,
    shape: &Shape,
    pose: &Pose,
    part: u32,
    cache: &PairCache,
    (margin, scratch, found): (f64, &mut NarrowScratch, &mut Vec<NearParts>),
) {
    let Some(mut core) = RoundedCore::of_shape(shape) else { return };
    let bounds = shape.aabb(pose);
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose);
    let pose_b = pose_field.compose(pose);
    let first = found.len();
    let mut fallback: Option<NearParts> = None;
    let mut ground = std::mem::take(&mut scratch.prism);
    for prism in field.prisms_in(&bounds.inflated(margin)) {
        let prism = cut_off(&prism, &bounds);
        if box_gap(&Aabb::from_points(prism.vertices()), &bounds) > margin {
            continue;
        }
        let mut convex = cache.of_nodes(prism.index, part);
        let Some(closest) = ground
            .set(&prism)
            .and_then(|prism| closest_convex_pair(prism, shape, &b_in_a, &mut convex, scratch))
            .filter(|closest| closest.distance <= margin)
        else {
            continue;
        };
        scratch.tree.visited.push(NodePairCache { node_a: prism.index, node_b: part, convex });
        let near = |proximity: Proximity| NearParts {
            part_a: prism.index,
            part_b: part,
            pose_a: *pose_field,
            pose_b,
            proximity,
            features: convex.known_features(),
            prism: Some(prism),
        };
        let up = straight_up(&prism, &mut core, &b_in_a);
        let penetrating = closest.distance <= 0.0;
        let over = if penetrating { straight_up_over(&prism, &mut core, &b_in_a) } else { None };
        if let Some(over) = over {
            found.push(near(over));
        } else if up.distance >= closest.distance - EQUAL_TOLERANCE * cell_size(field) {
            // The top is a nearest face: its normal is exact even where the closest points nearly coincide.
            found.push(near(Proximity::from_point_a(closest.point_a, up.normal, up.distance)));
        } else if (closest.normal.z > 0.0 || !penetrating) && supports_surface(field, closest.normal, closest.point_a) {
            found.push(near(closest));
        } else if penetrating && fallback.is_none_or(|other| up.distance > other.proximity.distance) {
            fallback = Some(near(up));
        }
    }
    scratch.prism = ground;
    // Inside the ground, but no prism has a valid direction out: use the shallowest vertical push.
    if found.len() == first {
        found.extend(fallback);
    }
}
