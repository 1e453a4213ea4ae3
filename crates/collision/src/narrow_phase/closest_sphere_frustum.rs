//! Closest points of a sphere and the solids of revolution with a straight side: cylinder, cone, frustum.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::{Cone, Cylinder, Frustum, Sphere};
use glam::{DVec2, DVec3};

use super::{Proximity, SurfacePoint};

/// Returns the closest points of a sphere and a cylinder.
pub fn closest_sphere_cylinder(a: &Sphere, b: &Cylinder, b_in_a: &RelativePose) -> Proximity {
    closest_sphere_frustum(a, &frustum_of_cylinder(b), b_in_a)
}

/// Returns the closest points of a sphere and a cone.
pub fn closest_sphere_cone(a: &Sphere, b: &Cone, b_in_a: &RelativePose) -> Proximity {
    closest_sphere_frustum(a, &frustum_of_cone(b), b_in_a)
}

/// Returns the closest points of a sphere and a frustum.
pub fn closest_sphere_frustum(a: &Sphere, b: &Frustum, b_in_a: &RelativePose) -> Proximity {
    nearest_on_frustum(b, b_in_a.translation_inverse).ball_proximity(a.radius, b_in_a)
}

/// Returns a cylinder as a frustum with equal radii.
pub(super) fn frustum_of_cylinder(cylinder: &Cylinder) -> Frustum {
    Frustum { bottom_radius: cylinder.radius, top_radius: cylinder.radius, half_length: cylinder.half_length }
}

/// Returns a cone as a frustum with top radius 0.
pub(super) fn frustum_of_cone(cone: &Cone) -> Frustum {
    Frustum { bottom_radius: cone.radius, top_radius: 0.0, half_length: cone.half_length }
}

/// Returns the point of a frustum's surface nearest to `point`. Radii may be zero. For a point on the axis the radial
/// direction is x.
///
/// By symmetry the result lies in the half plane through the axis and the point, so only the profile matters: a polygon
/// with the corners (0, -h), (bottom, -h), (top, h), (0, h).
pub fn nearest_on_frustum(frustum: &Frustum, point: DVec3) -> SurfacePoint {
    let (bottom, top, h) = (frustum.bottom_radius, frustum.top_radius, frustum.half_length);
    let rho = libm::hypot(point.x, point.y);
    let radial = if rho > 0.0 { DVec3::new(point.x / rho, point.y / rho, 0.0) } else { DVec3::X };
    let to_space = |profile: DVec2| profile.x * radial + DVec3::new(0.0, 0.0, profile.y);

    let query = DVec2::new(rho, point.z);
    let (bottom_corner, top_corner) = (DVec2::new(bottom, -h), DVec2::new(top, h));
    let slope = top_corner - bottom_corner;
    let slope_length = slope.length();
    let side_normal = DVec2::new(slope.y, -slope.x) / slope_length;
    let from_bottom = query - bottom_corner;
    let (above_side, above_top, above_bottom) = (from_bottom.dot(side_normal), point.z - h, -h - point.z);

    let on_side = SurfacePoint::below(point, to_space(side_normal), above_side);
    let on_top = SurfacePoint::below(point, DVec3::Z, above_top);
    let on_bottom = SurfacePoint::below(point, DVec3::NEG_Z, above_bottom);

    // Inside: the nearest of the three surfaces.
    if above_side <= 0.0 && above_top <= 0.0 && above_bottom <= 0.0 {
        if above_side >= above_top && above_side >= above_bottom {
            return on_side;
        }
        return if above_top >= above_bottom { on_top } else { on_bottom };
    }

    // Outside: directly above one of them, or nearest to one of the two rims.
    if above_top > 0.0 && rho <= top {
        return on_top;
    }
    if above_bottom > 0.0 && rho <= bottom {
        return on_bottom;
    }
    let along = from_bottom.dot(slope) / (slope_length * slope_length);
    if above_side > 0.0 && (0.0..=1.0).contains(&along) {
        return on_side;
    }
    let from_top = query - top_corner;
    let (offset, rim) = if from_bottom.length_squared() < from_top.length_squared() {
        (from_bottom, bottom_corner)
    } else {
        (from_top, top_corner)
    };
    let normal = offset.try_normalize().unwrap_or(side_normal);
    SurfacePoint { distance: offset.length(), normal: to_space(normal), point: to_space(rim) }
}
