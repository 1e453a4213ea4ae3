//! MuJoCo's constraints are soft; how soft is in pairs of attributes that have no counterpart here. Its own defaults are
//! close to hard ones, so they are not worth a word.

use crate::import::{ImportError, Warnings};
use crate::xml::Element;

const SOLREF: [f64; 2] = [0.02, 1.0];
const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Notes the attributes of an element (like solref and solimp) that are not at their defaults.
pub(super) fn check(
    element: &Element,
    [solref, solimp]: [&'static str; 2],
    what: &str,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    let reference = element.numbers(solref, 1..=2)?.unwrap_or_default();
    let impedance = element.numbers(solimp, 1..=5)?.unwrap_or_default();
    let differs = |own: &[f64], usual: &[f64]| own.iter().zip(usual).any(|(a, b)| a != b);
    if differs(&reference, &SOLREF) || differs(&impedance, &SOLIMP) {
        warnings.add(what, element);
    }
    Ok(())
}
