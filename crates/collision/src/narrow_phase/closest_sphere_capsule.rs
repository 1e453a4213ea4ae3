//! Closest points of a sphere and a capsule.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::{Capsule, Sphere};
use glam::DVec3;

use super::{Proximity, SurfacePoint};

/// Returns the closest points of a sphere and a capsule.
pub fn closest_sphere_capsule(a: &Sphere, b: &Capsule, b_in_a: &RelativePose) -> Proximity {
    nearest_on_capsule(b, b_in_a.translation_inverse).ball_proximity(a.radius, b_in_a)
}

/// Returns the point of a capsule nearest to `point`. For a point on the inner segment the normal is along x.
pub fn nearest_on_capsule(capsule: &Capsule, point: DVec3) -> SurfacePoint {
    let on_segment = DVec3::new(0.0, 0.0, point.z.clamp(-capsule.half_length, capsule.half_length));
    let offset = point - on_segment;
    let normal = offset.try_normalize().unwrap_or(DVec3::X);
    SurfacePoint { distance: offset.length() - capsule.radius, normal, point: on_segment + capsule.radius * normal }
}
