//! Any two bounded convex shapes by their support functions: GJK when separated, an expanding polytope when
//! penetrating.

use burgess_geometry::{RelativePose, Shape};
use glam::DVec3;

use super::Proximity;
use super::core::RoundedCore;
use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};
use super::gjk::{GjkOutcome, difference_support, gjk, gjk_until};

/// Allowed difference of the bounds on the depth, relative to the size.
const DEPTH_TOLERANCE: f64 = 1e-12;
/// Difference of the bounds on the distance above which the result of GJK is rejected, relative to the size.
const MAX_BOUND_DIFFERENCE: f64 = 1e-11;
/// Separation to which shapes are moved to find where they touch, relative to the size.
const TOUCH_CLEARANCE: f64 = 1e-4;
/// Gain below which refinement stops, relative to the size.
const MIN_REFINEMENT_GAIN: f64 = 1e-15;
/// Maximum number of refinements of a direction; polyhedra need one.
const MAX_REFINEMENTS: usize = 32;
/// Maximum number of polytope corners, which bounds the work on smooth shapes.
const MAX_CORNERS: usize = 512;

/// Returns the closest points of two bounded convex shapes; `None` if one is not. `direction` is a guess of the normal
/// (zero if unknown), and is replaced by the normal found.
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

/// Like [`closest_convex_convex`], for two rounded cores.
pub(super) fn closest_core_core(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
    scratch: &mut PolytopeScratch,
) -> Proximity {
    let radius_a = a.radius;
    let radii = a.radius + b.radius;
    let cores = closest_bare_cores(a, b, b_in_a, direction, scratch);
    *direction = cores.normal;
    Proximity::from_point_a(cores.point_a + radius_a * cores.normal, cores.normal, cores.distance - radii)
}

/// Returns the separation of a core and a shape, including radii, if the cores are separated; `None` if they overlap,
/// or if the shape has no core.
pub(super) fn separation_core_core(
    a: &mut RoundedCore,
    b: &Shape,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
) -> Option<Proximity> {
    let mut b = RoundedCore::of_shape(b)?;
    match gjk(a, &mut b, b_in_a, direction) {
        GjkOutcome::Separated { proximity, lower_bound } => {
            let point_a = proximity.point_a + a.radius * proximity.normal;
            Some(Proximity::from_point_a(point_a, proximity.normal, lower_bound - a.radius - b.radius))
        }
        GjkOutcome::Touching => None,
    }
}

/// Returns a lower bound on the distance of two bounded convex shapes that is greater than `margin` metres, if one is
/// found faster than the distance. `direction` is a unit vector that may separate them, and is replaced by a better one
/// if it does not.
pub(super) fn gap_convex_convex(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    margin: f64,
    direction: &mut DVec3,
) -> Option<f64> {
    let (mut a, mut b) = (RoundedCore::of_shape(a)?, RoundedCore::of_shape(b)?);
    let radii = a.radius + b.radius;
    let (on_a, on_b) = difference_support(&mut a, &mut b, b_in_a, *direction);
    let gap = direction.dot(on_b - on_a) - radii;
    if gap > margin {
        return Some(gap);
    }
    match gjk_until(&mut a, &mut b, b_in_a, margin + radii, direction) {
        GjkOutcome::Separated { lower_bound, .. } => Some(lower_bound - radii).filter(|&gap| gap > margin),
        GjkOutcome::Touching => None,
    }
}

/// Returns the closest points of the cores without their radii.
fn closest_bare_cores(
    a: &mut RoundedCore,
    b: &mut RoundedCore,
    b_in_a: &RelativePose,
    direction: &mut DVec3,
    scratch: &mut PolytopeScratch,
) -> Proximity {
    let size = a.size().max(b.size());
    let first = gjk(a, b, b_in_a, direction);
    if let GjkOutcome::Separated { proximity, lower_bound } = first
        && proximity.distance - lower_bound <= MAX_BOUND_DIFFERENCE * size.max(proximity.distance)
    {
        return proximity;
    }
    // They overlap, or are so near that rounding stopped GJK early: the polytope decides.
    let mut slab = Slab { normal: DVec3::Z, width: f64::NEG_INFINITY };
    let support = |normal: DVec3| {
        let (on_a, on_b) = difference_support(a, b, b_in_a, normal);
        // A finished polytope has the exact direction; when it runs out of corners, the best direction tried is used.
        let width = normal.dot(on_b - on_a);
        if width > slab.width {
            slab = Slab { normal, width };
        }
        (on_a, on_b)
    };
    match expanding_polytope(support, DEPTH_TOLERANCE * size, MAX_CORNERS, scratch) {
        // The polytope of round shapes never finishes; the refinement below does.
        PolytopeOutcome::Penetrating(deepest) | PolytopeOutcome::Unfinished(deepest)
            if deepest.distance >= slab.width =>
        {
            slab = Slab { normal: deepest.normal, width: deepest.distance };
        }
        PolytopeOutcome::Separated { normal, gap } if gap >= slab.width => slab = Slab { normal, width: gap },
        _ => {}
    }
    let refined = slab.refined(a, b, b_in_a);
    match first {
        // Both bounds are below the true distance, and GJK's points are above it. The slab is used where its bound is
        // better.
        GjkOutcome::Separated { proximity, lower_bound }
            if refined.distance <= lower_bound
                || proximity.distance - refined.distance <= MAX_BOUND_DIFFERENCE * size =>
        {
            proximity
        }
        _ => refined,
    }
}

/// The space between two shapes along a unit vector from a to b. Its width never exceeds their signed distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    pub normal: DVec3,
    pub width: f64,
}

impl Slab {
    /// Returns the widest slab near this one, and the points where the shapes touch it.
    ///
    /// The shapes are moved apart along the normal until they are slightly separated. Then GJK finds their closest
    /// points and the normal there. If that is the normal of the movement, the slab has its maximum width, and these
    /// are the points. If not, the new normal is a better approximation.
    pub fn refined(mut self, a: &mut RoundedCore, b: &mut RoundedCore, b_in_a: &RelativePose) -> Proximity {
        let size = a.size().max(b.size());
        let clearance = TOUCH_CLEARANCE * size;
        let mut point_a = None;
        for _ in 0..MAX_REFINEMENTS {
            let shift = clearance - self.width;
            let translation = b_in_a.translation + shift * self.normal;
            let moved =
                RelativePose { translation, translation_inverse: -(b_in_a.rotation_inverse * translation), ..*b_in_a };
            let mut direction = self.normal;
            let GjkOutcome::Separated { proximity, lower_bound } = gjk(a, b, &moved, &mut direction) else { break };
            let width = lower_bound - shift * direction.dot(self.normal);
            if point_a.is_none() || width > self.width {
                point_a = Some(proximity.point_a);
            }
            let gain = width - self.width;
            if gain > 0.0 {
                self = Self { normal: direction, width };
            }
            if gain <= MIN_REFINEMENT_GAIN * size {
                break;
            }
        }
        let point_a = point_a.unwrap_or_else(|| difference_support(a, b, b_in_a, self.normal).0);
        Proximity::from_point_a(point_a, self.normal, self.width)
    }
}
