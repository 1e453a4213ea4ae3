//! Repeats the experiments of Fontijne (2000) and Arnold (1997), and compares algorithms. Run by `bench/evolution`,
//! which builds this program and the command line first.
//!
//! Runs are stored in `target/experiments`, so that interrupted runs can be continued; the page is written from them.

mod comparison;
mod experiment;
mod experiment_run;
mod page;
mod throughput;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use experiment::Experiment;

/// Evolve the experiments and write docs/results/evolution.md.
#[derive(Parser)]
#[command(name = "bench/evolution")]
struct Options {
    /// Folder of the runs
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    runs: PathBuf,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Perform experiments; all by default
    Run {
        /// Names of experiments: files in bench/src/evolution/experiments
        names: Vec<String>,
        /// Perform only the run with this seed
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Compare the algorithms at the walking task
    Compare,
    /// Measure evaluations per second on threads and on workers
    Throughput,
    /// Write the page from the completed runs
    Page {
        /// Folder of the page and its pictures
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
                    experiment_run::run_experiment(&experiment, seed, &runs)?;
                }
            }
            Ok(())
        }
        What::Compare => comparison::run_all(&runs),
        What::Throughput => throughput::measure(&runs),
        What::Page { output } => page::write(&experiment::all()?, &runs, &output),
    }
}

fn chosen(names: &[String]) -> Result<Vec<Experiment>> {
    let all = experiment::all()?;
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known.name == **name)) {
        let known: Vec<&str> = all.iter().map(|experiment| experiment.name.as_str()).collect();
        bail!("unknown experiment '{unknown}'; expected one of {}", known.join(", "));
    }
    Ok(all.into_iter().filter(|experiment| names.is_empty() || names.contains(&experiment.name)).collect())
}
