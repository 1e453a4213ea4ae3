//! Closest points of two capsules.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::Capsule;
use glam::DVec3;

use super::Proximity;
use super::segment::Segment;

/// Two capsules are their inner segments, grown by the radii. The normal is perpendicular to both segments where they
/// cross, and perpendicular to their common axis where they overlap in parallel.
pub fn closest_capsule_capsule(a: &Capsule, b: &Capsule, b_in_a: &RelativePose) -> Proximity {
    let segment_a = Segment { middle: DVec3::ZERO, direction: DVec3::Z, half_length: a.half_length };
    let segment_b = Segment {
        middle: b_in_a.translation,
        direction: b_in_a.rotation.z_axis.normalize(),
        half_length: b.half_length,
    };
    let pair = segment_a.closest(&segment_b);
    let point_a = pair.on_a + a.radius * pair.normal;
    Proximity::from_point_a(point_a, pair.normal, pair.distance - a.radius - b.radius)
}
