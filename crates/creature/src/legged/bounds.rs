//! Numbers within bounds: where they come from settings or files, they may be absurd.

use crate::dice::Dice;

/// From a range that settings give; finite in any case.
pub(super) fn drawn(range: [f64; 2], dice: &mut Dice) -> f64 {
    const LARGE: f64 = 1e9;
    dice.between(bounded(range[0], [-LARGE, LARGE]), bounded(range[1], [-LARGE, LARGE]))
}

/// Within bounds; the lower one for what is no number.
pub(super) fn bounded(value: f64, bounds: [f64; 2]) -> f64 {
    if value.is_nan() { bounds[0] } else { value.clamp(bounds[0], bounds[1]) }
}
