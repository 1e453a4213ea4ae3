//! Distance of two convex cores by the method of Gilbert, Johnson and Keerthi, in double precision.
//!
//! The Minkowski difference W = a - b contains the origin if and only if the cores overlap. A simplex in W gives an
//! upper bound on the distance, |v| for its point v nearest to the origin; the support of W along -v gives a lower
//! bound, `v.w / |v|`. The search stops when they are equal, or when rounding prevents further progress.

use burgess_geometry::RelativePose;
use glam::DVec3;

use super::Proximity;
use super::core::RoundedCore;
use super::simplex::{Simplex, SimplexPoint};

/// Difference of the bounds at which the search stops, relative to the distance.
const RELATIVE_BOUND_DIFFERENCE: f64 = 1e-13;
/// Distance below which cores count as touching, relative to their size: directions are dominated by rounding there.
const TOUCHING_TOLERANCE: f64 = 1e-13;
/// Maximum number of steps. Polyhedra need about ten, smooth shapes some dozens.
const MAX_STEPS: usize = 256;

/// Result of the search.
#[derive(Debug, Clone, Copy)]
pub(super) enum GjkOutcome {
    /// The cores are separated; radii are not included yet.
    Separated {
        /// Points of the cores, and their distance, which is never below the true one.
        proximity: Proximity,
        /// Lower bound on the true distance, in metres.
        lower_bound: f64,
    },
    /// The cores overlap or nearly touch.
    Touching,
}

/// Returns the support of the Minkowski difference along a direction of a's frame.
pub(super) fn difference_support(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: DVec3,
) -> (DVec3, DVec3) {
    let on_a = a.support(direction);
    let on_b = b_in_a.b_to_a(b.support(b_in_a.rotation_inverse * -direction));
    (on_a, on_b)
}

/// Returns the distance between two cores. `direction` is a guess of the direction from a to b, replaced by the one
/// found.
pub(super) fn gjk(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
) -> GjkOutcome {
    gjk_until(a, b, b_in_a, f64::INFINITY, direction)
}

/// Like [`gjk`], but stops when the distance is proved to exceed `enough` metres and at least half of the excess is
/// proved.
pub(super) fn gjk_until(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    enough: f64,
    direction: &mut DVec3,
) -> GjkOutcome {
    let mut support = |towards: DVec3| {
        let (on_a, on_b) = difference_support(a, b, b_in_a, towards);
        SimplexPoint { difference: on_a - on_b, on_a }
    };
    let guess = if direction.length_squared() > 0.0 { *direction } else { b_in_a.translation };
    let mut simplex = Simplex::new(support(if guess.length_squared() > 0.0 { guess } else { DVec3::Z }));
    let mut nearest = simplex.points()[0].difference;
    // The rounding errors of the difference are those of its points.
    let mut size = b_in_a.translation.abs().max_element();
    let mut lower = f64::NEG_INFINITY;

    for _ in 0..MAX_STEPS {
        let upper = nearest.length();
        size = size.max(simplex.points()[0].on_a.abs().max_element());
        if upper <= TOUCHING_TOLERANCE * size {
            return GjkOutcome::Touching;
        }
        let point = support(-nearest);
        lower = lower.max(nearest.dot(point.difference) / upper);
        if upper - lower <= RELATIVE_BOUND_DIFFERENCE * upper
            || simplex.points().iter().any(|p| p.difference == point.difference)
        {
            break;
        }
        if lower > enough && lower - enough >= upper - lower {
            break;
        }
        simplex.push(point);
        let Some(foot) = simplex.foot(lower > TOUCHING_TOLERANCE * size) else {
            return GjkOutcome::Touching;
        };
        // Rounding prevents further progress.
        if foot.nearest.length_squared() >= nearest.length_squared() {
            simplex.pop();
            break;
        }
        simplex.reduce_to(&foot);
        nearest = foot.nearest;
    }
    let distance = nearest.length();
    let normal = -nearest / distance;
    *direction = normal;
    GjkOutcome::Separated {
        proximity: Proximity::from_point_a(simplex.point_on_a(), normal, distance),
        lower_bound: lower,
    }
}
