//! Runs the physics checks and prints JSON lines:
//! `check, paradigm, step, error, unit, bound, passed, seconds, failure`.

use anyhow::Result;
use burgess_bench::checks::{CHECKS, Check};
use burgess_bench::duel::processor_seconds;
use burgess_paradigms::Paradigm;
use clap::Parser;
use serde::Serialize;

/// Run the physics checks.
#[derive(Parser)]
#[command(name = "checks")]
struct Options {
    /// Run only checks whose name contains this text.
    name: Option<String>,
    /// Simulation paradigm; all paradigms by default.
    #[arg(long)]
    paradigm: Option<String>,
    /// Time step, in s.
    #[arg(long, default_value_t = 1e-3)]
    step: f64,
}

#[derive(Serialize)]
struct Line<'a> {
    check: &'a str,
    paradigm: &'a str,
    step: f64,
    /// `None` if the simulation failed.
    error: Option<f64>,
    unit: &'a str,
    bound: f64,
    passed: bool,
    /// Processor time, in s.
    seconds: f64,
    failure: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let wanted = |check: &&Check| options.name.as_deref().is_none_or(|name| check.name.contains(name));
    let chosen = |paradigm: &Paradigm| options.paradigm.as_deref().is_none_or(|name| paradigm.name() == name);
    for paradigm in Paradigm::ALL.into_iter().filter(chosen) {
        for check in CHECKS.iter().filter(wanted) {
            println!("{}", serde_json::to_string(&measured(check, paradigm, options.step))?);
        }
    }
    Ok(())
}

fn measured(check: &Check, paradigm: Paradigm, step: f64) -> Line<'static> {
    let start = processor_seconds();
    let outcome = (check.run)(paradigm, step);
    let seconds = processor_seconds() - start;
    let bound = (check.bound)(step);
    let error = outcome.as_ref().ok().copied();
    let passed = error.is_some_and(|error| error <= bound);
    let failure = outcome.err().map(|error| error.to_string());
    Line {
        check: check.name,
        paradigm: paradigm.name(),
        step,
        error,
        unit: check.unit,
        bound,
        passed,
        seconds,
        failure,
    }
}
