//! Volume of a domain, by one formula for all curvatures.
//!
//! The domain is divided into cones from the origin over its faces, and each face into triangles from the foot of the
//! perpendicular. In the projective model, a ray at the angle `t` to the perpendicular meets the plane at `|x| = tan r`
//! (generalised), and `cos t = tan h / tan r` with the distance `h` of the plane. Integration over `t` is elementary:
//! the solid between the perpendicular and the angle `t` has the volume `(h - r cos t) / (2 k)` for each radian about
//! the perpendicular, and `h^3 (1 / cos^2 t - 1) / 6` in flat space. The integral along an edge is computed by Gauss
//! and Legendre's rule.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec3, DVec4};

use super::Domain;
use crate::space::Space;

/// Number of nodes of the rule on each interval.
const NODES: usize = 16;

/// Maximum length of an interval in the variable of integration, whose integrand has its nearest pole at a distance of
/// about 1: the error is below rounding.
const MAX_INTERVAL: f64 = 0.5;

/// A coordinate `w` below this is 0: the point is a quarter of a great circle from the origin.
const AT_INFINITY: f64 = 1e-12;

impl Domain {
    /// Returns the volume, in units of the radius of curvature (or of length, in flat space) to the third power.
    pub fn volume(&self) -> f64 {
        if self.faces.is_empty() {
            return 2.0 * PI * PI;
        }
        let rule = gauss_legendre();
        let mut volume = 0.0;
        for face in &self.faces {
            for (i, &a) in face.corners.iter().enumerate() {
                let b = face.corners[(i + 1) % face.corners.len()];
                volume += cone(self.space, face.plane, self.vertices[a], self.vertices[b], &rule);
            }
        }
        volume
    }
}

/// Returns the signed volume of the cone from the origin over the triangle of an edge and the foot of the perpendicular
/// to its plane.
fn cone(space: Space, plane: DVec4, a: DVec4, b: DVec4, rule: &[(f64, f64)]) -> f64 {
    let length = plane.truncate().length();
    if length == 0.0 {
        // The plane is a quarter of a great circle away: the origin sees half the sphere, and h - r cos t is h.
        let angle = libm::atan2(a.truncate().cross(b.truncate()).length(), a.truncate().dot(b.truncate()));
        return angle * FRAC_PI_2 * 0.5;
    }
    let normal = plane.truncate() / length;
    let height = -plane.w / length;
    let distance = space.arc_tangent(height, 1.0);
    if a.w.abs() < AT_INFINITY || b.w.abs() < AT_INFINITY {
        // Edge of a lens: the angle t is a right angle.
        let angle = libm::atan2(a.truncate().cross(b.truncate()).dot(normal), a.truncate().dot(b.truncate()));
        return 0.5 * distance * angle;
    }
    // The edge in the plane, about the foot: its distance `near` and the positions of its ends along it.
    let flat = |p: DVec4| p.truncate() / p.w - normal * height;
    let (a, b) = (flat(a), flat(b));
    let along = (b - a).normalize_or_zero();
    let outward = along.cross(normal);
    let near = a.dot(outward);
    if along == DVec3::ZERO || near.abs() < 1e-300 {
        return 0.0;
    }
    // With s = near sinh u, the angle about the perpendicular has the differential du / cosh u.
    let from = libm::asinh(a.dot(along) / near.abs());
    let to = libm::asinh(b.dot(along) / near.abs());
    let intervals = libm::ceil((to - from) / MAX_INTERVAL).clamp(1.0, 1e4);
    let width = (to - from) / intervals;
    let mut sum = 0.0;
    for interval in 0..intervals as usize {
        let middle = from + (interval as f64 + 0.5) * width;
        for &(node, weight) in rule {
            let stretch = libm::cosh(middle + 0.5 * width * node);
            let across = near * stretch;
            let tangent = libm::sqrt(height * height + across * across);
            let cosine = height / tangent;
            let solid = match space {
                Space::Flat => height * across * across / 6.0,
                _ => (distance - space.arc_tangent(tangent, 1.0) * cosine) / (2.0 * space.curvature()),
            };
            sum += 0.5 * width * weight * solid / stretch;
        }
    }
    sum * near.signum()
}

/// Returns nodes and weights on the interval from -1 to 1.
fn gauss_legendre() -> Vec<(f64, f64)> {
    (0..NODES)
        .map(|i| {
            // Newton's iteration for the roots of the Legendre polynomial.
            let mut x = libm::cos(PI * (i as f64 + 0.75) / (NODES as f64 + 0.5));
            let mut slope = 1.0;
            for _ in 0..8 {
                let (mut last, mut value) = (1.0, x);
                for n in 2..=NODES {
                    let n = n as f64;
                    (last, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * last) / n);
                }
                slope = NODES as f64 * (x * value - last) / (x * x - 1.0);
                x -= value / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}
