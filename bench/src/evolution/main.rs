//! The experiments of 000 and 001, evolved again, and the comparison of algorithms: `bench/evolution`, which builds this and the
//! command line first.
//!
//! Runs are kept in `target/experiments`, so that one that was cut off is taken up again; the page is written from them.

mod comparison;
mod conduct;
mod experiment;
mod page;
mod throughput;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use experiment::Experiment;

/// Evolves the experiments, and writes docs/results/evolution.md.
#[derive(Parser)]
#[command(name = "bench/evolution")]
struct Options {
    /// Where runs are kept
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    runs: PathBuf,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Carries out experiments, all if none is named
    Run {
        /// Names of files in bench/src/evolution/experiments
        names: Vec<String>,
        /// One seed only
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Compares the algorithms at walking
    Compare,
    /// Measures evaluations per second on one and more threads, and on workers
    Throughput,
    /// Writes the page from what has been carried out
    Page {
        /// Where the page and its folder of pictures go
        #[arg(long, value_name = "FOLDER", default_value = "docs/results")]
        output: PathBuf,
    },
}

fn main() -> Result<()> {
    let Options { runs, what } = Options::parse();
    std::fs::create_dir_all(&runs)?;
    match what {
        What::Run { names, seed } => {
            for experiment in chosen(&names)? {
                for seed in seed.map_or(1..=experiment.seeds, |seed| seed..=seed) {
                    conduct::conduct(&experiment, seed, &runs)?;
                }
            }
            Ok(())
        }
        What::Compare => comparison::conduct(&runs),
        What::Throughput => throughput::measure(&runs),
        What::Page { output } => page::write(&experiment::all()?, &runs, &output),
    }
}

fn chosen(names: &[String]) -> Result<Vec<Experiment>> {
    let all = experiment::all()?;
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known.name == **name)) {
        let known: Vec<&str> = all.iter().map(|experiment| experiment.name.as_str()).collect();
        bail!("there is no experiment '{unknown}', only {}", known.join(", "));
    }
    Ok(all.into_iter().filter(|experiment| names.is_empty() || names.contains(&experiment.name)).collect())
}
