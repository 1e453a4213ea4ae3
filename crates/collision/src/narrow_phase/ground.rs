//! The ground of a height field near a convex shape, in the frame of the field.

use burgess_geometry::shape::{HeightField, Prism};
use burgess_geometry::{Aabb, Pose, RelativePose, Shape};
use glam::{DVec2, DVec3};

use super::Proximity;
use super::core::RoundedCore;
use super::part_tree::{NodeVolume, PartTree};

/// Height above a plane that the corners of a triangle may have if the plane is still to support it, relative to the
/// size of the triangle.
const SUPPORT_TOLERANCE: f64 = 1e-6;
/// Slope of the directions used to find all lowest points of a nearly horizontal face.
const TILT: f64 = 1e-3;
/// Eight evenly spaced directions.
const TILT_DIRECTIONS: [[f64; 2]; 8] =
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0], [-1.0, 0.0], [-1.0, -1.0], [0.0, -1.0], [1.0, -1.0]];

/// Returns a prism that is only as deep as a shape within `bounds` requires: a tall one would reduce precision.
pub(super) fn cut_off(prism: &Prism, bounds: &Aabb) -> Prism {
    let lowest = prism.corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.z));
    let depth = lowest.min(bounds.min.z) - bounds.extents().length();
    Prism { bottom: prism.bottom.max(depth), ..*prism }
}

/// Returns the height of a convex body over the plane of the top triangle, along its normal.
pub(super) fn straight_up(prism: &Prism, core: &mut RoundedCore, b_in_a: &RelativePose) -> Proximity {
    tilted_height(prism, DVec3::ZERO, core, b_in_a)
}

/// Returns the vertical push at a point of the body that is below the triangle; `None` when none of its lowest points
/// is.
pub(super) fn straight_up_over(prism: &Prism, core: &mut RoundedCore, b_in_a: &RelativePose) -> Option<Proximity> {
    let lowest = straight_up(prism, core, b_in_a);
    if is_over(prism, lowest.point_a) {
        return Some(lowest);
    }
    // A flat face has many lowest points. Tilting the direction to eight sides finds each corner of a rectangle.
    let (u, v) = lowest.normal.any_orthonormal_pair();
    TILT_DIRECTIONS.iter().find_map(|&[x, y]| {
        let low = tilted_height(prism, TILT * (x * u + y * v), core, b_in_a);
        (low.distance <= 0.0 && is_over(prism, low.point_a)).then_some(low)
    })
}

/// Returns the height along the normal of a lowest point or, with a non-zero `tilt`, of a point that is low and far
/// along it.
fn tilted_height(prism: &Prism, tilt: DVec3, core: &mut RoundedCore, b_in_a: &RelativePose) -> Proximity {
    let up = prism.normal();
    let deepest = b_in_a.b_to_a(core.support(b_in_a.rotation_inverse * (tilt - up)));
    let height = up.dot(deepest - prism.corners[0]);
    Proximity::from_point_a(deepest - height * up, up, height - core.radius)
}

/// Returns whether a point is over the top triangle, seen from above.
pub(super) fn is_over(prism: &Prism, point: DVec3) -> bool {
    (0..3).all(|i| {
        let (from, to) = (prism.corners[i], prism.corners[(i + 1) % 3]);
        (to - from).truncate().perp_dot((point - from).truncate()) >= 0.0
    })
}

/// Returns whether the plane perpendicular to `normal` supports all triangles that meet at a point of the surface.
pub(super) fn supports_surface(field: &HeightField, normal: DVec3, point: DVec3) -> bool {
    let tolerance = SUPPORT_TOLERANCE * cell_size(field);
    let here = Aabb::from_center(point, DVec3::splat(tolerance));
    let column = Aabb::new(here.min.with_z(f64::NEG_INFINITY), here.max.with_z(f64::INFINITY));
    let mut prisms = field.prisms_in(&column);
    prisms.all(|prism| prism.corners.iter().all(|&corner| normal.dot(corner - point) <= tolerance))
}

/// Returns the longer side of a cell, in metres.
pub(super) fn cell_size(field: &HeightField) -> f64 {
    (field.size() / (DVec2::new(field.columns() as f64, field.rows() as f64) - 1.0)).max_element()
}

/// Returns the distance between two boxes.
pub(super) fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
}

/// Descends a tree, and visits all parts whose boxes are within `reach` metres of the box of a prism, with shape, pose
/// in the field and index. The visitor returns the new reach. `nodes` is scratch.
pub(super) fn visit_parts_near_ground(
    field: &HeightField,
    tree: PartTree,
    tree_in_field: &Pose,
    mut reach: f64,
    nodes: &mut Vec<u32>,
    mut visit: impl FnMut(&Shape, &Pose, u32) -> f64,
) {
    nodes.clear();
    nodes.push(0);
    while let Some(node) = nodes.pop() {
        let region = tree.node_bounds(node, tree_in_field).inflated(reach);
        if !field.bounds().overlaps(&region) || field.prisms_in(&region).next().is_none() {
            continue;
        }
        match tree.volume(node) {
            NodeVolume::Part(shape, pose, part) => reach = visit(shape, &tree_in_field.compose(&pose), part),
            NodeVolume::Enclosing(_) => nodes.extend(tree.children(node).rev()),
        }
    }
}
