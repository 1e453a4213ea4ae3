//! One line of output.

use anyhow::Result;
use serde::Serialize;

use crate::duel::Measured;

/// A comparison, as printed. The ratio is above 1 where ours is ahead.
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

/// Nothing to add to a line.
#[derive(Serialize)]
struct Nothing {}

/// Prints one comparison as a JSON object on one line.
pub fn print(bench: &str, unit: &str, peer: &str, measured: &Measured) -> Result<()> {
    print_with(bench, unit, peer, measured, &Nothing {})
}

/// The same with more fields at its end.
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

/// Three decimals: the noise is larger than what is cut off.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
