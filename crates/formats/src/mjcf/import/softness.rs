//! Softness of constraints. MuJoCo sets it by pairs of attributes (`solref`, `solimp`), which are not supported. The
//! defaults are close to rigid constraints, so only other values cause a warning.

use crate::import::{ImportError, Warnings};
use crate::xml::Element;

const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];
const DEFAULT_SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Warns if the attributes of an element (such as solref and solimp) differ from their defaults.
pub(super) fn check(
    element: &Element,
    [solref, solimp]: [&'static str; 2],
    what: &str,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    let reference = element.numbers(solref, 1..=2)?.unwrap_or_default();
    let impedance = element.numbers(solimp, 1..=5)?.unwrap_or_default();
    let differs = |values: &[f64], defaults: &[f64]| values.iter().zip(defaults).any(|(a, b)| a != b);
    if differs(&reference, &DEFAULT_SOLREF) || differs(&impedance, &DEFAULT_SOLIMP) {
        warnings.add(what, element);
    }
    Ok(())
}
