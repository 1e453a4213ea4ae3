//! Closest points of a sphere and a box.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::{Cuboid, Sphere};
use glam::DVec3;

use super::{Proximity, SurfacePoint};

/// Returns the closest points of a sphere and a box. A sphere with its centre inside is pushed out through the nearest
/// face.
pub fn closest_sphere_cuboid(a: &Sphere, b: &Cuboid, b_in_a: &RelativePose) -> Proximity {
    nearest_on_cuboid(b.half_extents, b_in_a.translation_inverse).ball_proximity(a.radius, b_in_a)
}

/// Returns the point of a box's surface nearest to `point`. Among equally near faces, the first axis is preferred, then
/// the positive side.
pub fn nearest_on_cuboid(half_extents: DVec3, point: DVec3) -> SurfacePoint {
    let clamped = point.clamp(-half_extents, half_extents);
    let offset = point - clamped;
    if let Some(normal) = offset.try_normalize() {
        return SurfacePoint { distance: offset.length(), normal, point: clamped };
    }
    let heights = point.abs() - half_extents;
    let axis = (1..3).fold(0, |best, i| if heights[i] > heights[best] { i } else { best });
    let side = if point[axis] < 0.0 { -1.0 } else { 1.0 };
    let mut normal = DVec3::ZERO;
    normal[axis] = side;
    let mut on_face = clamped;
    on_face[axis] = side * half_extents[axis];
    SurfacePoint { distance: heights[axis], normal, point: on_face }
}
