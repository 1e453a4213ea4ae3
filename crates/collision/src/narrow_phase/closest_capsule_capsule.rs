//! Capsule and capsule.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::Capsule;
use glam::DVec3;

use super::Proximity;
use super::segment::Segment;

/// Two capsules: their inner segments, grown by the radii. Crossing segments separate across both, parallel ones that
/// lie in each other across their axis.
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
