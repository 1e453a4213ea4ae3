//! The whole configuration of a run, as TOML with every default written out.

use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings};
use burgess_scene::{SceneError, read_toml};
use serde::{Deserialize, Serialize};

use crate::algorithm::{
    AgeFitness, AgeFitnessSettings, Algorithm, Diffusion, DiffusionSettings, Genetic, GeneticSettings, IslandSettings,
    Islands, MapElites, MapElitesSettings, Strategy, StrategySettings,
};
use crate::breeder::{Breeder, Child, Shares};

/// All that decides how a run goes. Threads, workers and files do not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// The same seed gives the same run, bit by bit.
    pub seed: u64,
    /// How many individuals are evaluated.
    pub evaluations: u64,
    /// Of random genomes.
    pub family: Family,
    /// How often a child that does not grow is tried again before it is handed in.
    pub attempts: usize,
    /// Which operator how often.
    pub operators: Shares,
    /// The way to search.
    pub algorithm: AlgorithmConfig,
    /// Several populations, each by that algorithm.
    pub islands: IslandSettings,
    /// How genomes are drawn and changed.
    pub genomes: GenomeSettings,
    /// What is to be done.
    pub task: Task,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            evaluations: 10_000,
            family: Family::Legged,
            attempts: 5,
            operators: Shares::default(),
            algorithm: AlgorithmConfig::AgeFitness(AgeFitnessSettings::default()),
            islands: IslandSettings::default(),
            genomes: GenomeSettings::default(),
            task: Task::default(),
        }
    }
}

/// A way to search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AlgorithmConfig {
    /// 000 section 4.7.
    Genetic(GeneticSettings),
    /// 001 section 3.1.
    Strategy(StrategySettings),
    /// 001 section 3.1.5.
    Diffusion(DiffusionSettings),
    /// The young compete with the young.
    AgeFitness(AgeFitnessSettings),
    /// The best of every kind.
    MapElites(MapElitesSettings),
}

impl RunConfig {
    /// The usual way to a task.
    pub fn for_task(task: Task) -> Self {
        Self { task, ..Self::default() }
    }

    /// Reads a configuration. `file` is its name for messages.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, SceneError> {
        read_toml(text, file)
    }

    /// The breeder of the run.
    pub fn breeder(&self) -> Breeder {
        Breeder {
            family: self.family,
            genomes: self.genomes.clone(),
            shares: self.operators,
            physiology: self.task.physiology,
            attempts: self.attempts,
        }
    }

    /// The algorithm as it is before the first birth. Founders go round the islands.
    pub fn algorithm(&self, founders: &[Child]) -> Box<dyn Algorithm> {
        let count = self.islands.count.max(1);
        if count == 1 {
            return self.population(founders.to_vec());
        }
        let share = |island: usize| founders.iter().skip(island).step_by(count).cloned().collect();
        let islands = (0..count).map(|island| self.population(share(island))).collect();
        Box::new(Islands::new(self.islands, islands))
    }

    fn population(&self, founders: Vec<Child>) -> Box<dyn Algorithm> {
        let breeder = self.breeder();
        match &self.algorithm {
            AlgorithmConfig::Genetic(settings) => Box::new(Genetic::new(*settings, breeder, founders)),
            AlgorithmConfig::Strategy(settings) => Box::new(Strategy::new(*settings, breeder, founders)),
            AlgorithmConfig::Diffusion(settings) => Box::new(Diffusion::new(*settings, breeder, founders)),
            AlgorithmConfig::AgeFitness(settings) => Box::new(AgeFitness::new(*settings, breeder, founders)),
            AlgorithmConfig::MapElites(settings) => Box::new(MapElites::new(settings.clone(), breeder, founders)),
        }
    }
}

impl AlgorithmConfig {
    /// How many founders have room in the first generation.
    pub fn first_generation(&self) -> usize {
        match self {
            Self::Genetic(settings) => settings.population,
            Self::Strategy(settings) => settings.parents * settings.children_per_parent,
            Self::Diffusion(settings) => settings.columns * settings.rows,
            Self::AgeFitness(settings) => settings.offspring,
            Self::MapElites(settings) => settings.founders,
        }
    }
}
