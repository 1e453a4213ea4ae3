//! Numbers from files and settings, which may be anything.

/// Refuses a number that is out of its bounds, with a sentence.
pub(crate) fn require(what: &str, value: f64, [low, high]: [f64; 2]) -> Result<(), String> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(format!("{what} is {value}, not between {low} and {high}")) }
}
