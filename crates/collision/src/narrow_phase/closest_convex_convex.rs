//! Any two bounded convex shapes by their support functions: GJK apart, an expanding polytope in each other.

use burgess_geometry::{RelativePose, Shape};
use glam::DVec3;

use super::Proximity;
use super::core::RoundedCore;
use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};
use super::gjk::{GjkOutcome, difference_support, gjk, gjk_until};

/// How far the bounds of the depth may stay apart, as a share of the size.
const DEPTH_TOLERANCE: f64 = 1e-12;
/// Bounds of the distance farther apart than this share of the size mean that GJK has not found it.
const UNCERTAIN: f64 = 1e-11;
/// How far apart shapes are moved to find where they touch, as a share of the size.
const CLEARANCE: f64 = 1e-4;
/// A gain of less than this share of the size is not worth another refinement.
const REFINED: f64 = 1e-15;
/// Bounds the refinements of a direction; polyhedra need one.
const MOST_REFINEMENTS: usize = 32;
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
    let cores = closest_bare_cores(a, b, b_in_a, direction, scratch);
    *direction = cores.normal;
    Proximity::from_point_a(cores.point_a + radius_a * cores.normal, cores.normal, cores.distance - radii)
}

/// A core and a shape, radii counted, when the cores are apart; nothing when they meet, or when the shape has no core.
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

/// A gap between two bounded convex shapes that is greater than `margin` metres and no greater than their distance, if
/// there is one that is found faster than the distance. `direction` is a unit vector that may part them, and is replaced by
/// a better one if it does not.
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

/// The cores without their radii.
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
        && proximity.distance - lower_bound <= UNCERTAIN * size.max(proximity.distance)
    {
        return proximity;
    }
    // They meet, or are so near that rounding stopped GJK early: the polytope decides.
    let mut slab = Slab { normal: DVec3::Z, width: f64::NEG_INFINITY };
    let support = |normal: DVec3| {
        let (on_a, on_b) = difference_support(a, b, b_in_a, normal);
        // The polytope knows when it is done; when it runs out of corners, the best direction is one that it tried.
        let width = normal.dot(on_b - on_a);
        if width > slab.width {
            slab = Slab { normal, width };
        }
        (on_a, on_b)
    };
    match expanding_polytope(support, DEPTH_TOLERANCE * size, MOST_CORNERS, scratch) {
        // Round shapes never finish; the refinement below does.
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
        // Both bounds are below the true distance, and GJK's points above it: the slab counts where it knows more.
        GjkOutcome::Separated { proximity, lower_bound }
            if refined.distance <= lower_bound || proximity.distance - refined.distance <= UNCERTAIN * size =>
        {
            proximity
        }
        _ => refined,
    }
}

/// The room between two shapes across a unit vector from a to b: never more than their signed distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    pub normal: DVec3,
    pub width: f64,
}

impl Slab {
    /// The widest slab near this one, and the points where the shapes touch it.
    ///
    /// Moved out along the normal until they are a little apart, the shapes have closest points, which GJK finds with
    /// the normal there. If that is the normal of the move, the slab is as wide as it gets, and these are the points;
    /// if not, the new normal is nearer to the best.
    pub fn refined(mut self, a: &mut RoundedCore, b: &mut RoundedCore, b_in_a: &RelativePose) -> Proximity {
        let size = a.size().max(b.size());
        let clearance = CLEARANCE * size;
        let mut point_a = None;
        for _ in 0..MOST_REFINEMENTS {
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
            if gain <= REFINED * size {
                break;
            }
        }
        let point_a = point_a.unwrap_or_else(|| difference_support(a, b, b_in_a, self.normal).0);
        Proximity::from_point_a(point_a, self.normal, self.width)
    }
}
