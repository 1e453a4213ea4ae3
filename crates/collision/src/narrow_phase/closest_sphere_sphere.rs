//! Closest points of two spheres.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::Sphere;
use glam::DVec3;

use super::Proximity;

/// Returns the closest points of two spheres. Concentric ones are separated along a's z axis.
pub fn closest_sphere_sphere(a: &Sphere, b: &Sphere, b_in_a: &RelativePose) -> Proximity {
    let between = b_in_a.translation.length();
    let normal = b_in_a.translation.try_normalize().unwrap_or(DVec3::Z);
    Proximity::from_point_a(a.radius * normal, normal, between - a.radius - b.radius)
}
