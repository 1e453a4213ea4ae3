//! The corrector: the minimum of pressure in a plane.

use glam::DVec3;

use crate::spline::FieldSpline;

/// Most iterations of Newton's method. It doubles the digits in each.
const MAX_ITERATIONS: usize = 12;
/// Length of a step, in cells, below which the minimum is found: the next step would be far shorter. In wide vortices the
/// rounding of single precision prevents much shorter steps.
const CONVERGED_STEP: f64 = 1e-3;
/// Longest step, in cells.
const MAX_STEP: f64 = 0.5;
/// Longest way from the start, in cells. Beyond it the start was not near a core.
pub(super) const MAX_DRIFT: f64 = 1.5;

/// The minimum of pressure near a place in the plane across an axis, or none within reach.
pub(super) fn pressure_minimum(spline: &FieldSpline, start: DVec3, axis: DVec3) -> Option<DVec3> {
    let cell = spline.grid().cell();
    let (first, second) = axis.any_orthonormal_pair();
    let mut place = start;
    for _ in 0..MAX_ITERATIONS {
        let (gradient, bends) = spline.pressure_derivatives(place);
        let (g1, g2) = (gradient.dot(first), gradient.dot(second));
        let (bent_first, bent_second) = (bends * first, bends * second);
        let (b11, b12, b22) = (bent_first.dot(first), bent_first.dot(second), bent_second.dot(second));
        let determinant = b11 * b22 - b12 * b12;
        let convex = b11 > 0.0 && determinant > 0.0;
        let mut step = if convex {
            ((b12 * g2 - b22 * g1) / determinant) * first + ((b12 * g1 - b11 * g2) / determinant) * second
        } else {
            // Downhill, where Newton's method would lead to a saddle or a maximum.
            -(g1 * first + g2 * second).normalize_or_zero() * (0.5 * MAX_STEP * cell)
        };
        step = step.clamp_length_max(MAX_STEP * cell);
        place += step;
        if !(place - start).is_finite() || (place - start).length() > MAX_DRIFT * cell {
            return None;
        }
        if convex && step.length() < CONVERGED_STEP * cell {
            return Some(place);
        }
    }
    None
}
