//! Numbers within bounds. Numbers from settings may be anything.

use crate::random::Random;

/// Returns a random number from a range given by settings. The result is always finite.
pub(super) fn random_in(range: [f64; 2], random: &mut Random) -> f64 {
    const LARGE: f64 = 1e9;
    random.between(bounded(range[0], [-LARGE, LARGE]), bounded(range[1], [-LARGE, LARGE]))
}

/// Clamps a number to bounds. NaN becomes the lower bound.
pub(super) fn bounded(value: f64, bounds: [f64; 2]) -> f64 {
    if value.is_nan() { bounds[0] } else { value.clamp(bounds[0], bounds[1]) }
}
