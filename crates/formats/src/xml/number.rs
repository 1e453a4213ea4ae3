//! Numbers in attributes: finite ones, separated by blanks.

/// A finite number, or nothing.
pub(super) fn number(text: &str) -> Option<f64> {
    // "infinity" and "nan" are numbers to Rust, but not in a model.
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// All numbers of a text, or the first word that is none.
pub(super) fn numbers(text: &str) -> Result<Vec<f64>, &str> {
    text.split_ascii_whitespace().map(|word| number(word).ok_or(word)).collect()
}
