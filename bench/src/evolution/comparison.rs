//! Compares the algorithms at the walking task with the same number of evaluations.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::{GeneticSettings, IslandSettings};
use burgess_evolution::{AlgorithmConfig, RunConfig};

use crate::experiment_run::evolve;

/// Number of runs of each algorithm.
pub const SEEDS: u64 = 3;

/// Number of creatures of each run.
pub const EVALUATIONS: u64 = 1000;

/// Returns the algorithms with default settings.
pub fn algorithms() -> Vec<(&'static str, RunConfig)> {
    let walk = RunConfig::for_task(Task::preset("walk").unwrap_or_default());
    let with = |algorithm| RunConfig { algorithm, evaluations: EVALUATIONS, ..walk.clone() };
    // The total number of creatures is that of the genetic algorithm's population.
    let quarter = GeneticSettings { population: GeneticSettings::default().population / 4, ..Default::default() };
    let islands = RunConfig {
        islands: IslandSettings { count: 4, ..Default::default() },
        ..with(AlgorithmConfig::Genetic(quarter))
    };
    vec![
        ("genetic", with(AlgorithmConfig::Genetic(Default::default()))),
        ("strategy", with(AlgorithmConfig::Strategy(Default::default()))),
        ("islands", islands),
        ("diffusion", with(AlgorithmConfig::Diffusion(Default::default()))),
        ("age-fitness", with(AlgorithmConfig::AgeFitness(Default::default()))),
        ("map-elites", with(AlgorithmConfig::MapElites(Default::default()))),
    ]
}

/// Returns the name of the default algorithm.
pub fn usual() -> &'static str {
    let algorithm = RunConfig::default().algorithm;
    algorithms().into_iter().find(|(_, config)| config.algorithm == algorithm).map_or("another one", |(name, _)| name)
}

/// Returns the file of a run.
pub fn run_file(name: &str, seed: u64, runs: &Path) -> PathBuf {
    runs.join(format!("compare-{name}-{seed}.burgess"))
}

/// Performs all runs that are not complete.
pub fn run_all(runs: &Path) -> Result<()> {
    for seed in 1..=SEEDS {
        for (name, config) in algorithms() {
            let config = RunConfig { seed, ..config };
            let archive = evolve(&run_file(name, seed, runs), &config, &format!("{name} {seed}"))?;
            let champion = archive.champion()?;
            eprintln!("{name} {seed}: {:.2}", champion.result.fitness);
        }
    }
    Ok(())
}
