//! Compares the algorithms at the walking task with the same number of evaluations.

use anyhow::Result;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::{GeneticSettings, IslandSettings};
use burgess_evolution::{AlgorithmConfig, RunConfig};
use serde::{Deserialize, Serialize};

use crate::experiment_run::{best_so_far, evolve};
use crate::folders::Folders;

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

/// Champion and curve of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Fitness of the champion.
    pub fitness: f64,
    /// Best fitness so far by the number of creatures.
    pub curve: Vec<[f64; 2]>,
}

/// Returns the results of one algorithm.
pub fn results(name: &str, config: &RunConfig, folders: &Folders) -> Vec<Compared> {
    (1..=SEEDS).filter_map(|seed| folders.read(&run_name(name, seed), &RunConfig { seed, ..config.clone() })).collect()
}

/// Performs all runs that are not complete.
pub fn run_all(folders: &Folders) -> Result<()> {
    for seed in 1..=SEEDS {
        for (algorithm, config) in algorithms() {
            let (name, config) = (run_name(algorithm, seed), RunConfig { seed, ..config });
            if folders.read::<Compared>(&name, &config).is_some() {
                continue;
            }
            let archive = evolve(&folders.run(&name), &config, &name)?;
            let found = Compared { fitness: archive.champion()?.result.fitness, curve: best_so_far(&archive)? };
            eprintln!("{name}: {:.2}", found.fitness);
            folders.write(&name, &config, found)?;
        }
    }
    Ok(())
}

fn run_name(algorithm: &str, seed: u64) -> String {
    format!("compare-{algorithm}-{seed}")
}
