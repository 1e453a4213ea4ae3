//! Range checks for numbers from files and settings.

/// Returns an error message unless `value` is within its bounds.
pub(crate) fn require(what: &str, value: f64, [low, high]: [f64; 2]) -> Result<(), String> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(format!("{what} is {value}, expected {low} to {high}")) }
}
