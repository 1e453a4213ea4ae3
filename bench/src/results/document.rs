//! Elements of a page: tables, numbers, files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Formats a Markdown table with right-aligned numbers.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let numeric = |column: usize| rows.iter().all(|row| row[column].starts_with(|c: char| c.is_ascii_digit()));
    let rule: Vec<&str> = (0..head.len()).map(|column| if numeric(column) { "---:" } else { "---" }).collect();
    format!("{}|{}|\n{}", line(&head), rule.join("|"), rows.iter().map(|row| line(row)).collect::<String>())
}

/// Formats a number with three significant digits and groups of thousands: 65,536; 12.3; 0.0123; 1.2e-9.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32;
    if !(-5..9).contains(&magnitude) {
        return format!("{value:.1e}");
    }
    let decimals = (2 - magnitude).clamp(0, 9) as usize;
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    let whole = text.find('.').unwrap_or(text.len());
    let first = usize::from(value < 0.0) + 1;
    for place in (first..whole).rev().filter(|place| (whole - place).is_multiple_of(3)) {
        text.insert(place, ',');
    }
    text
}

/// Formats whether a number is within an upper bound.
pub fn at_most(value: f64, limit: f64) -> &'static str {
    if value <= limit { "yes" } else { "**no**" }
}

/// Formats whether a number is within a lower bound.
pub fn at_least(value: f64, limit: f64) -> &'static str {
    at_most(limit, value)
}

/// Writes a file atomically.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| format!("could not write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.1, 1.0, 1.255, 12.34, 99.97, 123.4, 1234.5, 65536.0, 1_234_567.0, 0.01234].map(number);
        let expected = ["0", "0.1", "1", "1.25", "12.3", "100", "123", "1,234", "65,536", "1,234,567", "0.0123"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn negative_and_tiny_numbers_are_short_too() {
        assert_eq!([-123.0, -1234.0, 1.3e-9, 7.5e12].map(number), ["-123", "-1,234", "1.3e-9", "7.5e12"]);
    }

    #[test]
    fn tables_align_numbers_to_the_right() {
        let text = table(&["a", "b"], &[vec!["x".into(), "1".into()]]);
        assert_eq!(text, "| a | b |\n|---|---:|\n| x | 1 |\n");
    }
}
