//! Compares Burgess with its peers on the same inputs, in one process, in alternating slices of time.
//!
//! Run by `bench/run`, which prepares the peers that are not crates. Results are JSON objects on stdout, one per line;
//! messages are on stderr.

mod crawling;
mod crowd;
mod distance;
mod dynamics;
mod models;
mod motion;
mod overlap;
mod precision;
mod report;
mod simulation;

use std::path::PathBuf;

use anyhow::{Result, bail};
use burgess_bench::duel;
use burgess_bench::gymnasium::corpus::Bin::{Few, Many, Two};
use clap::Parser;

/// Compare Burgess with its peers.
#[derive(Parser)]
#[command(name = "bench/run")]
pub struct Options {
    /// Suite (`collision`, `dynamics`, `simulation`, `models`, `creatures`, `precision`) or benchmark; by default all are run.
    name: Option<String>,
    /// Measured time per comparison, in s.
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    /// Also draw `docs/results/simulation/precision.svg` (suite `precision`).
    #[arg(long)]
    write: bool,
    /// Print the names of the benchmarks and exit.
    #[arg(long)]
    list: bool,
    /// Compiled shim for Coal.
    #[arg(long, env = "BURGESS_BENCH_COAL", hide = true)]
    coal: Option<PathBuf>,
    /// Compiled shim for Pinocchio.
    #[arg(long, env = "BURGESS_BENCH_PINOCCHIO", hide = true)]
    pinocchio: Option<PathBuf>,
    /// Compiled shim for MuJoCo.
    #[arg(long, env = "BURGESS_BENCH_MUJOCO", hide = true)]
    mujoco: Option<PathBuf>,
    /// Folder of Gymnasium's models.
    #[arg(long, env = "BURGESS_BENCH_MODELS", hide = true)]
    models: Option<PathBuf>,
}

type Benchmark = fn(&Options) -> Result<()>;

/// Suite, name and function of each benchmark.
const BENCHMARKS: [(&str, &str, Benchmark); 34] = [
    ("collision", "vclip-200", distance::hulls),
    ("collision", "vclip-box", distance::boxes),
    ("collision", "hash-4096", overlap::crowd_4096),
    ("collision", "hash-65536", overlap::crowd_65536),
    ("collision", "hash-sizes", overlap::sizes),
    ("collision", "hash-pile", overlap::pile),
    ("dynamics", "aba-34", dynamics::humanoid),
    ("dynamics", "aba-14", dynamics::quadruped),
    ("dynamics", "chain-4", dynamics::chain_4),
    ("dynamics", "chain-16", dynamics::chain_16),
    ("dynamics", "chain-64", dynamics::chain_64),
    ("dynamics", "chain-256", dynamics::chain_256),
    ("simulation", "wall-34", simulation::wall),
    ("simulation", "pyramid-1240", simulation::pyramid),
    ("creatures", "creatures", crawling::compare),
    ("precision", "precision-creatures", |options| precision::compare(options, precision::Subject::Creatures)),
    ("precision", "precision-ant", |options| precision::compare(options, precision::Subject::Ant)),
    ("precision", "precision-humanoid", |options| precision::compare(options, precision::Subject::Humanoid)),
    ("precision", "precision-events", |options| precision::compare(options, precision::Subject::Events)),
    ("models", "models-ant-0-1", |options| models::compare(options, "ant", Few)),
    ("models", "models-ant-2", |options| models::compare(options, "ant", Two)),
    ("models", "models-ant-3+", |options| models::compare(options, "ant", Many)),
    ("models", "models-humanoid-0-1", |options| models::compare(options, "humanoid", Few)),
    ("models", "models-humanoid-2", |options| models::compare(options, "humanoid", Two)),
    ("models", "models-humanoid-3+", |options| models::compare(options, "humanoid", Many)),
    ("models", "models-half_cheetah-0-1", |options| models::compare(options, "half_cheetah", Few)),
    ("models", "models-half_cheetah-2", |options| models::compare(options, "half_cheetah", Two)),
    ("models", "models-half_cheetah-3+", |options| models::compare(options, "half_cheetah", Many)),
    ("models", "models-hopper-0-1", |options| models::compare(options, "hopper", Few)),
    ("models", "models-hopper-2", |options| models::compare(options, "hopper", Two)),
    ("models", "models-hopper-3+", |options| models::compare(options, "hopper", Many)),
    ("models", "models-walker2d-0-1", |options| models::compare(options, "walker2d", Few)),
    ("models", "models-walker2d-2", |options| models::compare(options, "walker2d", Two)),
    ("models", "models-walker2d-3+", |options| models::compare(options, "walker2d", Many)),
];

fn main() -> Result<()> {
    let options = Options::parse();
    if options.list {
        for (suite, name, _) in BENCHMARKS {
            println!("{suite} {name}");
        }
        return Ok(());
    }
    if !(options.seconds > 0.0 && options.seconds.is_finite()) {
        bail!("--seconds {}: expected a positive number", options.seconds);
    }
    let wanted =
        |suite: &str, name: &str| options.name.as_deref().is_none_or(|wanted| wanted == suite || wanted == name);
    let chosen: Vec<_> = BENCHMARKS.iter().filter(|(suite, name, _)| wanted(suite, name)).collect();
    if chosen.is_empty() {
        let known: Vec<_> = BENCHMARKS.iter().map(|(_, name, _)| *name).collect();
        bail!(
            "unknown benchmark '{}'; expected collision, dynamics, simulation, models, creatures, precision, {}",
            options.name.unwrap_or_default(),
            known.join(", ")
        );
    }
    for (_, _, run) in chosen {
        run(&options)?;
    }
    Ok(())
}
