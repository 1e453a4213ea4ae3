//! Any convex shape and a half-space: its lowest point decides, whether it is above the plane or below.

use burgess_geometry::{Convex, Polyhedron, RelativePose};
use glam::DVec3;

use super::Proximity;

/// A convex shape (a) and a half-space (b, all points with z <= 0 in its frame). Exact, also in penetration.
pub fn closest_convex_half_space(a: &impl Convex, b_in_a: &RelativePose) -> Proximity {
    let up = b_in_a.rotation.z_axis;
    lowest_point_proximity(a.support(-up), up, b_in_a)
}

/// A polyhedron (a) and a half-space (b): walks downhill from `start`, and returns the lowest vertex to start from
/// next time.
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
