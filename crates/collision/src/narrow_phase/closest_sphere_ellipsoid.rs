//! Closest points of a sphere and an ellipsoid.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::{Ellipsoid, Sphere};
use glam::DVec3;

use super::{Proximity, SurfacePoint};

/// Maximum number of Newton steps, far above the few that are needed.
const MAX_STEPS: usize = 100;

/// Returns the closest points of a sphere and an ellipsoid.
pub fn closest_sphere_ellipsoid(a: &Sphere, b: &Ellipsoid, b_in_a: &RelativePose) -> Proximity {
    nearest_on_ellipsoid(b.semi_axes, b_in_a.translation_inverse).ball_proximity(a.radius, b_in_a)
}

/// Returns the point of an ellipsoid's surface nearest to `point`, from outside or inside.
///
/// With semi-axes `e`, the nearest point `x` of `y` satisfies `y - x = s x / e^2`, so `x = e^2 y / (e^2 + s)`, and `x`
/// is on the surface. In units of the shortest axis squared, `r = (e / e_min)^2` and `u = 1 + s / e_min^2 >= 0`, this
/// is `|p(u)| = 1` with `p = r (y / e) / (u + (r - 1))`. `1 / |p(u)|` is concave and increasing, so Newton's method on
/// it, started on the left, approaches the root monotonically. Using `u` instead of `s` keeps full precision where the
/// point is near the plane perpendicular to the shortest axis.
pub fn nearest_on_ellipsoid(semi_axes: DVec3, point: DVec3) -> SurfacePoint {
    let shortest = semi_axes.min_element();
    let ratio = semi_axes / shortest;
    let r = ratio * ratio;
    // (e^2 - m^2) / m^2 without cancellation.
    let r_minus_1 = (semi_axes - shortest) / shortest * (ratio + 1.0);
    let z = point / semi_axes;
    let g = r * z;

    let p = |u: f64| {
        let component = |i: usize| if g[i] == 0.0 { 0.0 } else { g[i] / (u + r_minus_1[i]) };
        DVec3::new(component(0), component(1), component(2))
    };

    // Start left of the root: a shortest axis alone reaches |p| = 1 there.
    let mut u = (0..3).filter(|&i| r_minus_1[i] == 0.0).map(|i| z[i].abs()).fold(0.0, f64::max);
    let on_unit_sphere;
    if u == 0.0 && p(0.0).length_squared() <= 1.0 {
        // The point is near the centre, in the plane perpendicular to the shortest axis. The surface is nearest along
        // that axis, on either side; take the positive one.
        let mut across = p(0.0);
        let axis = (0..3).find(|&i| r_minus_1[i] == 0.0).unwrap_or(0);
        across[axis] = (1.0 - across.length_squared()).sqrt();
        on_unit_sphere = across;
    } else {
        for _ in 0..MAX_STEPS {
            let p = p(u);
            let length = p.length();
            // h = 1 / |p|, h' = (sum p_i^2 / (u + r_i - 1)) / |p|^3; the step is (1 - h) / h'.
            let slope: f64 = (0..3).filter(|&i| p[i] != 0.0).map(|i| p[i] * p[i] / (u + r_minus_1[i])).sum();
            let next = u + length * length * (length - 1.0) / slope;
            if next <= u || !next.is_finite() {
                break;
            }
            u = next;
        }
        on_unit_sphere = p(u).normalize_or(DVec3::Z);
    }
    let on_surface = on_unit_sphere * semi_axes;
    let normal = (on_unit_sphere / ratio).normalize_or(DVec3::Z);
    SurfacePoint { distance: normal.dot(point - on_surface), normal, point: on_surface }
}
