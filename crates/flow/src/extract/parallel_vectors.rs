//! Used where the pressure has no minimum: the line on which the vorticity is parallel to the gradient of its magnitude, and strongest across itself.
//!
//! This is a line of parallel vectors (Peikert and Roth 1999). Like the minimum of pressure it does not depend on the
//! velocity of the observer, but it needs the flow nearby only, so that a stronger vortex next to it does not hide it.

use glam::DVec3;

use super::corrector::MAX_DRIFT;
use crate::spline::FieldSpline;

/// Most iterations.
const MAX_ITERATIONS: usize = 12;
/// Distance of the samples from which derivatives are computed, in cells.
const PROBE: f64 = 0.5;
/// Length of a step, in cells, below which the maximum is found.
const CONVERGED_STEP: f64 = 1e-4;

/// The maximum of vorticity near a place in the plane across an axis, or none within reach.
pub(super) fn vorticity_maximum(spline: &FieldSpline, start: DVec3, axis: DVec3) -> Option<DVec3> {
    let cell = spline.grid().cell();
    let probe = PROBE * cell;
    let (first, second) = axis.any_orthonormal_pair();
    let mut place = start;
    for _ in 0..MAX_ITERATIONS {
        let value =
            |a: f64, b: f64| spline.sample(place + probe * (a * first + b * second)).vorticity().length_squared();
        let (centre, east, west, north, south) =
            (value(0.0, 0.0), value(1.0, 0.0), value(-1.0, 0.0), value(0.0, 1.0), value(0.0, -1.0));
        let cross = 0.25 * (value(1.0, 1.0) - value(1.0, -1.0) - value(-1.0, 1.0) + value(-1.0, -1.0));
        let (g1, g2) = (0.5 * (east - west), 0.5 * (north - south));
        let (b11, b22) = (east - 2.0 * centre + west, north - 2.0 * centre + south);
        let determinant = b11 * b22 - cross * cross;
        if !(b11 < 0.0 && determinant > 0.0) {
            return None;
        }
        let step = probe
            * (((cross * g2 - b22 * g1) / determinant) * first + ((cross * g1 - b11 * g2) / determinant) * second);
        let step = step.clamp_length_max(0.5 * cell);
        place += step;
        if !place.is_finite() || (place - start).length() > MAX_DRIFT * cell {
            return None;
        }
        if step.length() < CONVERGED_STEP * cell {
            return Some(place);
        }
    }
    None
}
