//! Any two bounded convex shapes by their support functions: GJK apart, an expanding polytope in each other.

use burgess_geometry::{RelativePose, Shape};
use glam::DVec3;

use super::Proximity;
use super::core::RoundedCore;
use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};
use super::gjk::{GjkOutcome, difference_support, gjk};

/// How far the bounds of the depth may stay apart, as a share of the size.
const DEPTH_TOLERANCE: f64 = 1e-12;
/// Bounds the work on smooth shapes.
const MOST_CORNERS: usize = 512;

/// Two bounded convex shapes; nothing when one of them is not. `direction` is a guess of the normal (zero: none), and is
/// replaced by the normal found.
pub fn closest_convex_convex(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
    scratch: &mut PolytopeScratch,
) -> Option<Proximity> {
    let (mut a, mut b) = (RoundedCore::of_shape(a)?, RoundedCore::of_shape(b)?);
    Some(closest_core_core(&mut a, &mut b, b_in_a, direction, scratch))
}

/// The same for two rounded cores.
pub(super) fn closest_core_core(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
    scratch: &mut PolytopeScratch,
) -> Proximity {
    let radius_a = a.radius;
    let radii = a.radius + b.radius;
    let cores = match gjk(a, b, b_in_a, direction) {
        GjkOutcome::Separated(cores) => cores,
        GjkOutcome::Touching => core_penetration(a, b, b_in_a, scratch),
    };
    *direction = cores.normal;
    Proximity::from_point_a(cores.point_a + radius_a * cores.normal, cores.normal, cores.distance - radii)
}

/// The depth of two cores that meet, or nearly.
fn core_penetration(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    scratch: &mut PolytopeScratch,
) -> Proximity {
    let tolerance = DEPTH_TOLERANCE * a.size().max(b.size());
    let mut support = |normal: DVec3| difference_support(a, b, b_in_a, normal);
    let outcome = expanding_polytope(&mut support, tolerance, MOST_CORNERS, scratch);
    proximity_of_outcome(outcome, |normal| support(normal).0)
}

/// Shapes that were told to meet but that the polytope finds apart, by rounding: they touch along its direction.
pub(super) fn proximity_of_outcome(outcome: PolytopeOutcome, support_a: impl FnOnce(DVec3) -> DVec3) -> Proximity {
    match outcome {
        PolytopeOutcome::Penetrating(proximity) => proximity,
        PolytopeOutcome::Separated { normal, gap } => Proximity::from_point_a(support_a(normal), normal, gap),
    }
}
