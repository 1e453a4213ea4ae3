//! Repeats the experiments of Fontijne (2000) and Arnold (1997), and compares algorithms. Run by `bench/evolution`,
//! which builds this program and the command line first.
//!
//! Runs are stored in `target/experiments`, so that interrupted runs can be continued. Their results are stored in
//! `docs/results/evolution/runs`, and the page is written from them: results of the same program and settings are used
//! again, on any machine.

mod comparison;
mod contest;
mod experiment;
mod experiment_run;
mod folders;
mod page;
mod referee;
mod throughput;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use experiment::Experiment;
use folders::Folders;

/// Evolve the experiments and write docs/results/evolution.md.
#[derive(Parser)]
#[command(name = "bench/evolution")]
struct Options {
    /// Folder of the runs
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    runs: PathBuf,
    /// Folder of the page, of its pictures and of the results
    #[arg(long, value_name = "FOLDER", default_value = "docs/results")]
    page: PathBuf,
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
    /// Write the page from the results
    Page,
}

fn main() -> Result<()> {
    let Options { runs, page, what } = Options::parse();
    std::fs::create_dir_all(&runs)?;
    perform(&what, &Folders { runs, page })
}

fn perform(what: &What, folders: &Folders) -> Result<()> {
    match what {
        What::All => {
            let parts = [
                What::Run { names: Vec::new(), seed: None },
                What::Compare,
                What::Contest { seed: None },
                What::Throughput,
                What::Page,
            ];
            parts.iter().try_for_each(|part| perform(part, folders))
        }
        What::Run { names, seed } => {
            for experiment in chosen(names)? {
                for seed in seed.map_or(experiment.all_seeds(), |seed| seed..=seed) {
                    experiment_run::run_experiment(&experiment, seed, folders)?;
                }
            }
            Ok(())
        }
        What::Compare => comparison::run_all(folders),
        What::Contest { seed } => {
            seed.map_or(contest::ALL_SEEDS, |seed| seed..=seed).try_for_each(|seed| contest::run(seed, folders))
        }
        What::Throughput => throughput::measure(folders),
        What::Page => page::write(&experiment::all()?, folders),
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
