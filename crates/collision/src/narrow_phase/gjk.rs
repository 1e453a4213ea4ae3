//! The distance of two convex cores by the method of Gilbert, Johnson and Keerthi, in double precision.
//!
//! The Minkowski difference W = a - b holds the origin if and only if the cores meet. A simplex in W gives an upper bound of
//! the distance, |v| for its point v nearest to the origin; the support of W along -v gives a lower bound, `v.w / |v|`.
//! The search stops when they meet, or when rounding lets v come no nearer.

use burgess_geometry::RelativePose;
use glam::DVec3;

use super::Proximity;
use super::core::RoundedCore;
use super::simplex::{Simplex, SimplexPoint};

/// The gap between the bounds, as a share of the distance, at which the search stops.
const RELATIVE_GAP: f64 = 1e-13;
/// Cores nearer than this share of their size count as touching: rounding has the say about directions there.
const TOUCHING: f64 = 1e-13;
/// Polyhedra need about ten steps, smooth shapes some dozens.
const MAX_STEPS: usize = 256;

/// How the search ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum GjkOutcome {
    /// The cores are apart; radii are not counted yet.
    Separated {
        /// Points of the cores, and their distance: never below the true one.
        proximity: Proximity,
        /// The true distance is not below this.
        lower_bound: f64,
    },
    /// The cores meet, or nearly.
    Touching,
}

/// The support of the Minkowski difference along a direction of a's frame.
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

/// The distance between two cores. `direction` is a guess of the direction from a to b, replaced by the one found.
pub(super) fn gjk(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
) -> GjkOutcome {
    gjk_until(a, b, b_in_a, f64::INFINITY, direction)
}

/// The same, but cores that are proved farther apart than `enough` metres are left when at least half of what is beyond
/// that is proved.
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
    // Rounding errors of the difference are those of the points it is made of.
    let mut size = b_in_a.translation.abs().max_element();
    let mut lower = f64::NEG_INFINITY;

    for _ in 0..MAX_STEPS {
        let upper = nearest.length();
        size = size.max(simplex.points()[0].on_a.abs().max_element());
        if upper <= TOUCHING * size {
            return GjkOutcome::Touching;
        }
        let point = support(-nearest);
        lower = lower.max(nearest.dot(point.difference) / upper);
        if upper - lower <= RELATIVE_GAP * upper || simplex.points().iter().any(|p| p.difference == point.difference) {
            break;
        }
        if lower > enough && lower - enough >= upper - lower {
            break;
        }
        simplex.push(point);
        let Some(foot) = simplex.foot(lower > TOUCHING * size) else {
            return GjkOutcome::Touching;
        };
        // Rounding has taken over.
        if foot.nearest.length_squared() >= nearest.length_squared() {
            simplex.pop();
            break;
        }
        simplex.keep(&foot);
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
