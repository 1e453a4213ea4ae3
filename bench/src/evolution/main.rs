//! Repeats the experiments of Fontijne (2000) and Arnold (1997), and compares algorithms. Run by `bench/evolution`,
//! which builds this program and the command line first.
//!
//! Runs are stored in `target/experiments`, so that interrupted runs can be continued; the page is written from them.

mod comparison;
mod contest;
mod experiment;
mod experiment_run;
mod page;
mod throughput;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use experiment::Experiment;

/// Folder of the page.
const RESULTS: &str = "docs/results";

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
    /// Do all that follows, and write the page
    All,
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
    /// Evolve contests and let their champions play
    Contest {
        /// Perform only the runs with this seed
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Measure evaluations per second on threads and on workers
    Throughput,
    /// Write the page from the completed runs
    Page {
        /// Folder of the page and its pictures
        #[arg(long, value_name = "FOLDER", default_value = RESULTS)]
        output: PathBuf,
    },
}

fn main() -> Result<()> {
    let Options { runs, what } = Options::parse();
    std::fs::create_dir_all(&runs)?;
    perform(&what, &runs)
}

fn perform(what: &What, runs: &Path) -> Result<()> {
    match what {
        What::All => {
            let page = What::Page { output: PathBuf::from(RESULTS) };
            let parts = [
                What::Run { names: Vec::new(), seed: None },
                What::Compare,
                What::Contest { seed: None },
                What::Throughput,
                page,
            ];
            parts.iter().try_for_each(|part| perform(part, runs))
        }
        What::Run { names, seed } => {
            for experiment in chosen(names)? {
                for seed in seed.map_or(experiment.all_seeds(), |seed| seed..=seed) {
                    experiment_run::run_experiment(&experiment, seed, runs)?;
                }
            }
            Ok(())
        }
        What::Compare => comparison::run_all(runs),
        What::Contest { seed } => {
            seed.map_or(contest::ALL_SEEDS, |seed| seed..=seed).try_for_each(|seed| contest::run(seed, runs))
        }
        What::Throughput => throughput::measure(runs),
        What::Page { output } => page::write(&experiment::all()?, runs, output),
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
