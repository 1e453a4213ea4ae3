//! Examines random worlds whose laws are known: `bench/audit [--seed N] [--worlds K] [--family F] [--only I]
//! [--named [NAME]] [--seconds S] [--step H] [--no-references] [--paradigm P] [--json] [--write FILE]`.
//!
//! Prints a table by family and one line per violated law. The exit code is 1 if a law was violated.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use burgess_audit::families::{FAMILIES, NAMED};
use burgess_audit::{Plan, Subject, table};
use burgess_paradigms::Paradigm;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// Examine random worlds whose laws are known.
#[derive(Parser)]
struct Options {
    /// Seed of all worlds.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of worlds, over all chosen families in turn.
    #[arg(long, default_value_t = 100)]
    worlds: u64,
    /// Examine only families whose name contains this.
    #[arg(long)]
    family: Option<String>,
    /// Examine only the world with this index, of each chosen family.
    #[arg(long)]
    only: Option<u64>,
    /// Examine the worlds with a name that contains this (all without a value) instead of random ones.
    #[arg(long, num_args = 0..=1, default_missing_value = "")]
    named: Option<String>,
    /// Simulated time per world, in s.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Step, in s; can be repeated (default: 1/240 s and 1 ms).
    #[arg(long)]
    step: Vec<f64>,
    /// Do not compare motion with references.
    #[arg(long)]
    no_references: bool,
    /// Paradigm to examine instead of the default of each world.
    #[arg(long)]
    paradigm: Option<String>,
    /// Number of threads (default: all cores).
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON object per world instead of the table.
    #[arg(long)]
    json: bool,
    /// Write the table as a chapter of the results page, for example to docs/results/simulation/audit.md.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let steps = if options.step.is_empty() { vec![1.0 / 240.0, 1e-3] } else { options.step.clone() };
    let is_wanted = |name: &str| options.family.as_deref().is_none_or(|part| name.contains(part));
    let subjects: Vec<Subject> = match (&options.named, options.only) {
        (Some(part), _) => (0..NAMED.len()).filter(|&n| NAMED[n].name.contains(part)).map(Subject::Named).collect(),
        (None, Some(index)) => {
            let chosen = (0..FAMILIES.len()).filter(|&family| is_wanted(FAMILIES[family].name));
            chosen.map(|family| Subject::Drawn(family, index)).collect()
        }
        (None, None) => Subject::drawn(options.worlds, |family| is_wanted(family.name)),
    };
    ensure!(!subjects.is_empty(), "no world has the given name or family");
    let threads = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let paradigm = match &options.paradigm {
        Some(name) => Some(Paradigm::from_name(name).with_context(|| format!("there is no paradigm '{name}'"))?),
        None => None,
    };
    let references = !options.no_references;
    let plan = Plan { seed: options.seed, seconds: options.seconds, steps, references, paradigm, threads };
    let bar = ProgressBar::new(subjects.len() as u64);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} worlds, {eta} left")?);
    let reports = plan.examine_all(&subjects, || bar.inc(1))?;
    bar.finish_and_clear();
    if let Some(file) = &options.write {
        let text = table::chapter(&reports, &plan, options.worlds);
        std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))?;
    }
    if options.json {
        for report in &reports {
            println!("{}", serde_json::to_string(report)?);
        }
    } else {
        print!("{}\n{}", table::by_family(&reports, &plan.steps), table::failures(&reports, options.seed));
    }
    if reports.iter().any(burgess_audit::Report::failed) {
        std::process::exit(1);
    }
    Ok(())
}
