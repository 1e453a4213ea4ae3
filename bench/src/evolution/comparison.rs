//! Which algorithm reaches farthest at walking, with the same number of evaluations.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::{GeneticSettings, IslandSettings};
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
    // As many creatures as the one population of the genetic algorithm has.
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

/// The name of the algorithm that runs use unless told otherwise.
pub fn usual() -> &'static str {
    let algorithm = RunConfig::default().algorithm;
    algorithms().into_iter().find(|(_, config)| config.algorithm == algorithm).map_or("another one", |(name, _)| name)
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
