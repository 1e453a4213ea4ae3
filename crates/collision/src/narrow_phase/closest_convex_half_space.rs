//! Closest points of a convex shape and a half-space: the lowest point of the shape decides, above the plane or below
//! it.

use burgess_geometry::{Convex, Polyhedron, RelativePose};
use glam::DVec3;

use super::Proximity;

/// Returns the closest points of a convex shape (a) and a half-space (b, all points with z <= 0 in its frame). The
/// result is exact, also in penetration.
pub fn closest_convex_half_space(a: &impl Convex, b_in_a: &RelativePose) -> Proximity {
    let up = b_in_a.rotation.z_axis;
    lowest_point_proximity(a.support(-up), up, b_in_a)
}

/// Returns the closest points of a polyhedron (a) and a half-space (b), and the lowest vertex, at which the next query
/// can start. The search walks downhill from `start`.
pub fn closest_polyhedron_half_space(a: &Polyhedron, b_in_a: &RelativePose, start: u32) -> (Proximity, u32) {
    let up = b_in_a.rotation.z_axis;
    let start = if (start as usize) < a.vertices().len() { start } else { 0 };
    let lowest = a.support_from(-up, start);
    (lowest_point_proximity(a.vertices()[lowest as usize], up, b_in_a), lowest)
}

fn lowest_point_proximity(lowest: DVec3, up: DVec3, b_in_a: &RelativePose) -> Proximity {
    let height = up.dot(lowest - b_in_a.translation);
    Proximity::from_point_a(lowest, -up, height)
}
