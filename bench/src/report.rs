//! Output of one comparison.

use anyhow::Result;
use serde::Serialize;

use crate::duel::Measured;

/// A comparison as printed. The ratio is above 1 if Burgess is faster.
#[derive(Serialize)]
struct Line<'a, M: Serialize> {
    bench: &'a str,
    ours: f64,
    unit: &'a str,
    peer: &'a str,
    theirs: f64,
    ratio: f64,
    ratio_q1: f64,
    ratio_q3: f64,
    #[serde(flatten)]
    more: &'a M,
}

/// No additional fields.
#[derive(Serialize)]
struct Nothing {}

/// Prints one comparison as a JSON object on one line.
pub fn print(bench: &str, unit: &str, peer: &str, measured: &Measured) -> Result<()> {
    print_with(bench, unit, peer, measured, &Nothing {})
}

/// Prints one comparison with additional fields.
pub fn print_with(bench: &str, unit: &str, peer: &str, measured: &Measured, more: &impl Serialize) -> Result<()> {
    let line = Line {
        bench,
        ours: rounded(measured.ours),
        unit,
        peer,
        theirs: rounded(measured.theirs),
        ratio: rounded(measured.ratio),
        ratio_q1: rounded(measured.ratio_quartiles.0),
        ratio_q3: rounded(measured.ratio_quartiles.1),
        more,
    };
    println!("{}", serde_json::to_string(&line)?);
    Ok(())
}

/// Rounds to three decimals, which is less than the noise.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
