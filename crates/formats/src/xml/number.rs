//! Parses numbers in attributes: finite, separated by white space.

/// Parses a finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    // Rust parses "infinity" and "nan", but they are not valid in a model.
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Parses all numbers of a text; the error is the first word that is not a number.
pub(super) fn numbers(text: &str) -> Result<Vec<f64>, &str> {
    text.split_ascii_whitespace().map(|word| number(word).ok_or(word)).collect()
}
