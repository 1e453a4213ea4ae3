//! The root of a continuous function between two points with different signs.

/// Maximum number of evaluations, far more than needed: each one gains about half again as many digits.
const MAX_EVALUATIONS: usize = 100;

/// Finds the root by false position, halving the weight of an end that stays twice (the Illinois method). It never
/// leaves the bracket.
pub(super) fn root_between(
    (mut low, mut at_low): (f64, f64),
    (mut high, mut at_high): (f64, f64),
    tolerance: f64,
    mut function: impl FnMut(f64) -> f64,
) -> f64 {
    let mut middle = high;
    // Which end moved last: above zero for the high one.
    let mut moved = 0;
    for _ in 0..MAX_EVALUATIONS {
        let next = (low * at_high - high * at_low) / (at_high - at_low);
        // An infinite value at an end gives no information about the root.
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if next == middle {
            break;
        }
        middle = next;
        let value = function(middle);
        if value.abs() <= tolerance {
            break;
        }
        if (value > 0.0) == (at_high > 0.0) {
            (high, at_high) = (middle, value);
            at_low *= if moved > 0 { 0.5 } else { 1.0 };
            moved = 1;
        } else {
            (low, at_low) = (middle, value);
            at_high *= if moved < 0 { 0.5 } else { 1.0 };
            moved = -1;
        }
    }
    middle
}
