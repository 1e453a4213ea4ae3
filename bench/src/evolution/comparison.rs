//! Which algorithm reaches farthest at walking, with the same number of evaluations.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::IslandSettings;
use burgess_evolution::{AlgorithmConfig, RunConfig};

use crate::conduct::evolve;

/// Runs of each.
pub const SEEDS: u64 = 5;

/// Creatures of each run.
pub const EVALUATIONS: u64 = 1000;

/// The algorithms with their usual settings.
pub fn algorithms() -> Vec<(&'static str, RunConfig)> {
    let walk = RunConfig::for_task(Task::preset("walk").unwrap_or_default());
    let with = |algorithm| RunConfig { algorithm, evaluations: EVALUATIONS, ..walk.clone() };
    let genetic = || with(AlgorithmConfig::Genetic(Default::default()));
    vec![
        ("genetic", genetic()),
        ("strategy", with(AlgorithmConfig::Strategy(Default::default()))),
        ("islands", RunConfig { islands: IslandSettings { count: 4, ..Default::default() }, ..genetic() }),
        ("diffusion", with(AlgorithmConfig::Diffusion(Default::default()))),
        ("age-fitness", with(AlgorithmConfig::AgeFitness(Default::default()))),
        ("map-elites", with(AlgorithmConfig::MapElites(Default::default()))),
    ]
}

/// The run of an algorithm.
pub fn run_file(name: &str, seed: u64, runs: &Path) -> PathBuf {
    runs.join(format!("compare-{name}-{seed}.burgess"))
}

/// Carries all of them out, or the rest.
pub fn conduct(runs: &Path) -> Result<()> {
    for seed in 1..=SEEDS {
        for (name, config) in algorithms() {
            let archive =
                evolve(&run_file(name, seed, runs), &RunConfig { seed, ..config }, &[], &format!("{name} {seed}"))?;
            let champion = archive.champion()?;
            eprintln!("{name} {seed}: {:.2}", champion.result.fitness);
        }
    }
    Ok(())
}
