//! The whole configuration of a run, as TOML with every default written out.

use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings};
use burgess_files::{FileError, read_toml};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::algorithm::{
    AgeFitness, AgeFitnessSettings, Algorithm, Diffusion, DiffusionSettings, Genetic, GeneticSettings, IslandSettings,
    Islands, MapElites, MapElitesSettings, RivalSettings, Rivals, Strategy, StrategySettings,
};
use crate::breeder::{Breeder, Child, Shares};
use crate::check::check;

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
    /// Does everybody meet the same conditions (places, friction, starts), drawn once, instead of their own? Comparisons are
    /// fair then, and nobody is lucky; but what is learned may be good for these conditions only.
    pub same_conditions: bool,
    /// The share of births that are children of favourites, while a person has any. Not in a contest of two populations.
    #[serde(skip_serializing_if = "is_usual_favour")]
    pub favour: f64,
    /// Which operator how often.
    pub operators: Shares,
    /// The way to search.
    pub algorithm: AlgorithmConfig,
    /// Several populations, each by that algorithm.
    pub islands: IslandSettings,
    /// Two of these that compete, if the task is a contest.
    pub rivals: RivalSettings,
    /// How genomes are drawn and changed.
    pub genomes: GenomeSettings,
    /// What is to be done; in files also the name of a task that comes with the program.
    #[serde(deserialize_with = "task_or_name")]
    pub task: Task,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            evaluations: 2_000,
            family: Family::Legged,
            attempts: 5,
            same_conditions: false,
            favour: USUAL_FAVOUR,
            operators: Shares::default(),
            algorithm: AlgorithmConfig::MapElites(MapElitesSettings::default()),
            islands: IslandSettings::default(),
            rivals: RivalSettings::default(),
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
    #[serde(alias = "age-fitness")]
    AgeFitness(AgeFitnessSettings),
    /// The best of every kind.
    #[serde(alias = "map-elites")]
    MapElites(MapElitesSettings),
}

impl RunConfig {
    /// The usual way to a task.
    pub fn for_task(task: Task) -> Self {
        Self { task, ..Self::default() }
    }

    /// Reads a configuration and checks it, its task included. `file` is its name for messages.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, FileError> {
        let config: Self = read_toml(text, file)?;
        check(&config, text, file)?;
        Ok(config)
    }

    /// As TOML that reads as the same configuration, with everything that was left out.
    pub fn to_toml(&self) -> String {
        let text = self.as_kept();
        match text.split_once("\n\n[") {
            Some((numbers, tables)) if is_usual_favour(&self.favour) => {
                format!("{numbers}\nfavour = {USUAL_FAVOUR}\n\n[{tables}")
            }
            _ => text,
        }
    }

    /// As a run's file has it, and its hash begins with: the same, but for what is younger than the first files and as usual.
    pub(crate) fn as_kept(&self) -> String {
        // Plain tables of numbers and text can always be written.
        toml::to_string(self).unwrap_or_default()
    }

    /// Is it in order? For configurations that were made or changed in Rust.
    pub fn check(&self) -> Result<(), FileError> {
        check(self, "", "configuration").map_err(|mut error| {
            error.location.line = None;
            error
        })
    }

    /// How many founders have room in the first generation of all populations.
    pub fn first_generation(&self) -> usize {
        let sides = if self.has_rivals() { 2 } else { 1 };
        sides * self.islands.count.max(1) * self.algorithm.first_generation()
    }

    /// Do two populations compete?
    pub fn has_rivals(&self) -> bool {
        self.task.contest.is_some() && self.rivals.compete
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

    /// The algorithm as it is before the first birth. Founders go round the sides of a contest, and there round the islands.
    pub fn algorithm(&self, founders: &[Child]) -> Box<dyn Algorithm> {
        if !self.has_rivals() {
            return self.side(founders.to_vec());
        }
        Box::new(Rivals::new(self.rivals, [0, 1].map(|side| self.side(every(founders, side, 2)))))
    }

    fn side(&self, founders: Vec<Child>) -> Box<dyn Algorithm> {
        let count = self.islands.count.max(1);
        if count == 1 {
            return self.population(founders);
        }
        let islands = (0..count).map(|island| self.population(every(&founders, island, count))).collect();
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
    /// All of them, as in files.
    pub const NAMES: [&str; 5] = ["genetic", "strategy", "diffusion", "age_fitness", "map_elites"];

    /// As in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Genetic(_) => "genetic",
            Self::Strategy(_) => "strategy",
            Self::Diffusion(_) => "diffusion",
            Self::AgeFitness(_) => "age_fitness",
            Self::MapElites(_) => "map_elites",
        }
    }

    /// The one of a name, with the usual settings.
    pub fn usual(name: &str) -> Option<Self> {
        let all = [
            Self::Genetic(Default::default()),
            Self::Strategy(Default::default()),
            Self::Diffusion(Default::default()),
            Self::AgeFitness(Default::default()),
            Self::MapElites(Default::default()),
        ];
        all.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// How many founders have room in the first generation of one population.
    fn first_generation(&self) -> usize {
        match self {
            Self::Genetic(settings) => settings.population,
            Self::Strategy(settings) => settings.parents * settings.children_per_parent,
            Self::Diffusion(settings) => settings.columns * settings.rows,
            Self::AgeFitness(settings) => settings.offspring,
            Self::MapElites(settings) => settings.founders,
        }
    }
}

/// See [`RunConfig::favour`].
const USUAL_FAVOUR: f64 = 0.25;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_usual_favour(favour: &f64) -> bool {
    *favour == USUAL_FAVOUR
}

/// Every so many of them, from the one with this index.
fn every(founders: &[Child], first: usize, count: usize) -> Vec<Child> {
    founders.iter().skip(first).step_by(count).cloned().collect()
}

/// A table, or the name of a task that comes with the program.
fn task_or_name<'de, D: Deserializer<'de>>(from: D) -> Result<Task, D::Error> {
    struct TaskOrName;

    impl<'de> Visitor<'de> for TaskOrName {
        type Value = Task;

        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("the name of a task, or a table")
        }

        fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Task, E> {
            Task::preset(name).map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Task, A::Error> {
            Task::deserialize(MapAccessDeserializer::new(map))
        }
    }

    from.deserialize_any(TaskOrName)
}
