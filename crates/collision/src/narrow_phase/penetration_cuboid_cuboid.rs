//! The shortest translation that separates two boxes.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::Cuboid;
use glam::DVec3;

use super::Proximity;
use super::closest_convex_convex::Slab;
use super::core::Core;

/// Returns the exact minimal translation of two penetrating boxes. For separated boxes, returns the widest slab between
/// them, a lower bound on the distance.
///
/// The face normals of the difference of two boxes are the axes of either, or perpendicular to an axis of each: fifteen
/// directions. The one with the widest slab is used, the first of equal ones.
pub fn penetration_cuboid_cuboid(a: &Cuboid, b: &Cuboid, b_in_a: &RelativePose) -> Proximity {
    let axes_b = [b_in_a.rotation.x_axis, b_in_a.rotation.y_axis, b_in_a.rotation.z_axis];
    let mut best = Slab { normal: DVec3::X, width: f64::NEG_INFINITY };
    let mut try_direction = |normal: DVec3| {
        let along = normal.dot(b_in_a.translation);
        let outward = if along < 0.0 { -normal } else { normal };
        let reach_a = a.half_extents.dot(normal.abs());
        let reach_b = b.half_extents.dot((b_in_a.rotation_inverse * normal).abs());
        let width = along.abs() - reach_a - reach_b;
        if width > best.width {
            best = Slab { normal: outward, width };
        }
    };
    DVec3::AXES.into_iter().chain(axes_b).for_each(&mut try_direction);
    for axis_a in DVec3::AXES {
        for axis_b in axes_b {
            // Parallel edges span no face.
            if let Some(normal) = axis_a.cross(axis_b).try_normalize() {
                try_direction(normal);
            }
        }
    }
    best.refined(&mut Core::Cuboid(a.half_extents).into(), &mut Core::Cuboid(b.half_extents).into(), b_in_a)
}
