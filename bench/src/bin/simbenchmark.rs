//! Runs the accuracy tests of SimBenchmark and prints JSON lines:
//! `test, paradigm, step, error, unit, goal, met, seconds`. The published results are in `burgess_bench::simbenchmark`.

use anyhow::{Result, anyhow};
use burgess_bench::duel::processor_seconds;
use burgess_bench::simbenchmark::{TESTS, Test, with};
use burgess_paradigms::Paradigm;
use clap::Parser;
use serde::Serialize;

/// Run the accuracy tests of SimBenchmark.
#[derive(Parser)]
#[command(name = "simbenchmark")]
struct Options {
    /// Run only tests whose name contains this text.
    name: Option<String>,
    /// Simulation paradigm.
    #[arg(long, default_value = "time-stepping")]
    paradigm: String,
    /// Time step, in s.
    #[arg(long, default_value_t = 1e-3)]
    step: f64,
    /// Run with time steps from 0.1 to 1e-5 s, two per decade, the largest first; takes hours.
    #[arg(long)]
    sweep: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    test: &'a str,
    paradigm: &'a str,
    step: f64,
    /// `None` if the simulation failed.
    error: Option<f64>,
    unit: &'a str,
    /// Goal for steps of 1 ms; `None` if there is none.
    goal: Option<f64>,
    met: Option<bool>,
    best_known: Option<f64>,
    best_known_by: Option<&'a str>,
    /// Processor time of the whole test, in s.
    seconds: f64,
    failure: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let paradigm = Paradigm::from_name(&options.paradigm).ok_or_else(|| {
        let known: Vec<_> = Paradigm::ALL.iter().map(|paradigm| paradigm.name()).collect();
        anyhow!("unknown paradigm '{}'; expected one of {}", options.paradigm, known.join(", "))
    })?;
    let steps =
        if options.sweep { vec![1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5] } else { vec![options.step] };
    let wanted = |test: &&Test| options.name.as_deref().is_none_or(|name| test.name.contains(name));
    for step in steps {
        for test in TESTS.iter().filter(wanted) {
            println!("{}", serde_json::to_string(&measured(test, paradigm, step))?);
        }
    }
    Ok(())
}

fn measured(test: &Test, paradigm: Paradigm, step: f64) -> Line<'static> {
    let start = processor_seconds();
    let outcome = (test.run)(&with(paradigm, step));
    let seconds = processor_seconds() - start;
    let goal = test.goal.is_finite().then_some(test.goal).filter(|_| step == 1e-3);
    let error = outcome.as_ref().ok().copied();
    let met = goal.map(|goal| error.is_some_and(|error| error < goal));
    let (best_known, best_known_by) = test.best_known.unzip();
    let failure = outcome.err().map(|error| error.to_string());
    let (test, unit, paradigm) = (test.name, test.unit, paradigm.name());
    Line { test, paradigm, step, error, unit, goal, met, best_known, best_known_by, seconds, failure }
}
