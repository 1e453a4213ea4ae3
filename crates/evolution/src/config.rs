//! The configuration of a run, as TOML with every default written out.

use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings};
use burgess_files::{FileError, read_toml};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::algorithm::{
    AgeFitness, AgeFitnessSettings, Algorithm, CmaEs, CmaEsSettings, CmaMe, CmaMeSettings, Diffusion,
    DiffusionSettings, Dimension, Genetic, GeneticSettings, IslandSettings, Islands, MapElites, MapElitesSettings,
    RivalSettings, Rivals, Strategy, StrategySettings,
};
use crate::breeder::{Breeder, Child, Shares};
use crate::champions::ChampionSettings;
use crate::check::check;
use crate::stage::StageConfig;

/// Everything that decides the results of a run. Threads, workers and files do not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Seed of all random numbers. The same seed gives the same run, bit for bit.
    pub seed: u64,
    /// Number of individuals that are evaluated.
    pub evaluations: u64,
    /// Family of random genomes.
    pub family: Family,
    /// Number of attempts at a child that grows. The last attempt is evaluated in any case.
    pub attempts: usize,
    /// Whether all individuals meet the same conditions (places, friction, starts), drawn once, instead of conditions
    /// of their own. This makes comparisons fair, but the result may be adapted to these conditions only.
    pub same_conditions: bool,
    /// Share of births that are children of favourites, while a person has marked any. Not used with two competing
    /// populations.
    #[serde(skip_serializing_if = "is_default_favour")]
    pub favour: f64,
    /// Share of the fitness of its first parent below which a trial of a child is the last of its evaluation; 0 for
    /// evaluations of all trials. Used where the lowest of several trials counts, and not in contests.
    #[serde(skip_serializing_if = "is_zero")]
    pub racing: f64,
    /// Shares of the operators.
    pub operators: Shares,
    /// Search algorithm.
    pub algorithm: AlgorithmConfig,
    /// Several populations, each with that algorithm.
    pub islands: IslandSettings,
    /// Competing populations, if the task is a contest.
    pub rivals: RivalSettings,
    /// Evaluations under new draws, before an individual may lead.
    #[serde(skip_serializing_if = "ChampionSettings::is_none")]
    pub champions: ChampionSettings,
    /// How genomes are drawn and changed.
    pub genomes: GenomeSettings,
    /// Task. In files it may also be the name of a built-in task.
    #[serde(deserialize_with = "task_or_name")]
    pub task: Task,
    /// Consecutive parts of the run. None is the same as one that sets nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageConfig>,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            evaluations: 2_000,
            family: Family::Legged,
            attempts: 5,
            same_conditions: false,
            favour: DEFAULT_FAVOUR,
            racing: 0.0,
            operators: Shares::default(),
            algorithm: AlgorithmConfig::MapElites(MapElitesSettings::default()),
            islands: IslandSettings::default(),
            rivals: RivalSettings::default(),
            champions: ChampionSettings::default(),
            genomes: GenomeSettings::default(),
            task: Task::default(),
            stages: Vec::new(),
        }
    }
}

/// Search algorithm and its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AlgorithmConfig {
    /// Genetic algorithm (Fontijne 2000, section 4.7).
    Genetic(GeneticSettings),
    /// Evolution strategy (Arnold 1997, section 3.1).
    Strategy(StrategySettings),
    /// Diffusion model (Arnold 1997, section 3.1.5).
    Diffusion(DiffusionSettings),
    /// Age-fitness Pareto selection.
    #[serde(alias = "age-fitness")]
    AgeFitness(AgeFitnessSettings),
    /// MAP-Elites.
    #[serde(alias = "map-elites")]
    MapElites(MapElitesSettings),
    /// CMA-ES on the numbers of the control of one body.
    #[serde(alias = "cma-es")]
    CmaEs(CmaEsSettings),
    /// CMA-ME: MAP-Elites whose cells are filled by several CMA-ES.
    #[serde(alias = "cma-me")]
    CmaMe(CmaMeSettings),
}

impl RunConfig {
    /// Reads a configuration and checks it, including its task. `file` is its name in messages. If it has no number of
    /// evaluations, those of all its stages count. In a short run, sizes that it does not set are
    /// [shrunk](Self::shrink_defaults).
    pub fn from_toml(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_toml_scaled(text, file, None)
    }

    /// Reads a configuration like [`Self::from_toml`], and [scales](Self::scale_to) it to another number of
    /// evaluations if one is given.
    pub fn from_toml_scaled(text: &str, file: &str, evaluations: Option<u64>) -> Result<Self, FileError> {
        let mut config: Self = read_toml(text, file)?;
        let budgets: Option<Vec<u64>> = config.stages.iter().map(|stage| stage.evaluations).collect();
        let table: toml::Table = text.parse().unwrap_or_default();
        let has_total = table.contains_key("evaluations");
        if let Some(budgets) = budgets.filter(|budgets| !budgets.is_empty() && !has_total) {
            config.evaluations = budgets.into_iter().fold(0, u64::saturating_add);
        }
        check(&config, text, file)?;
        if let Some(evaluations) = evaluations {
            config.scale_to(evaluations);
        }
        config.shrink_unset(&table);
        Ok(config)
    }

    /// Writes the configuration as TOML, with all defaults.
    pub fn to_toml(&self) -> String {
        let mut text = self.as_stored();
        if self.champions.is_none() {
            text += "\n[champions]\ndraws = 0\n";
        }
        text = self.with_rival_defaults(text);
        let mut unset = String::new();
        if is_default_favour(&self.favour) {
            unset += &format!("favour = {DEFAULT_FAVOUR}\n");
        }
        if is_zero(&self.racing) {
            unset += "racing = 0.0\n";
        }
        match text.split_once("\n\n[") {
            Some((numbers, tables)) => format!("{numbers}\n{unset}\n[{tables}"),
            None => text,
        }
    }

    /// Adds the settings of rivals that are left out because they have their defaults.
    fn with_rival_defaults(&self, text: String) -> String {
        let (unset, mut lines) = (RivalSettings::default(), String::new());
        if self.rivals.opponents == unset.opponents {
            lines += "opponents = \"best\"\n";
        }
        if self.rivals.count == unset.count {
            lines += &format!("count = {}\n", unset.count);
        }
        if self.rivals.species == unset.species {
            lines += &format!("species = {}\n", unset.species);
        }
        text.replacen("[rivals]\n", &format!("[rivals]\n{lines}"), 1)
    }

    /// Writes the configuration as it is stored in an archive, where its hash starts the chain. A field that release
    /// 0.1 did not have is left out if it has its default.
    pub(crate) fn as_stored(&self) -> String {
        // Plain tables of numbers and text can always be serialized.
        toml::to_string(self).unwrap_or_default()
    }

    /// Checks a configuration that was made or changed in Rust.
    pub fn check(&self) -> Result<(), FileError> {
        check(self, "", "configuration").map_err(|mut error| {
            error.location.line = None;
            error
        })
    }

    /// Sets the window of all stages and of retests.
    pub fn set_window(&mut self, window: u64) {
        let stages = self.stages.iter_mut().filter_map(|stage| stage.algorithm.as_mut());
        stages.chain([&mut self.algorithm]).for_each(|algorithm| *algorithm.window_mut() = window);
        self.champions.window = window;
    }

    /// Number of founders that fit into the first generation of all populations.
    pub fn first_generation(&self) -> usize {
        self.population_count() * self.islands.count.max(1) * self.algorithm.first_generation()
    }

    /// Returns whether individuals compete.
    pub fn has_rivals(&self) -> bool {
        self.task.contest.is_some() && self.rivals.compete
    }

    /// Returns the number of populations that compete; 1 if there is no contest.
    pub fn population_count(&self) -> usize {
        if self.has_rivals() { self.rivals.species.clamp(1, 2) } else { 1 }
    }

    /// Creates the breeder of the run.
    pub fn breeder(&self) -> Breeder {
        Breeder {
            family: self.family,
            genomes: self.genomes.clone(),
            shares: self.operators,
            physiology: self.task.physiology,
            attempts: self.attempts,
        }
    }

    /// Creates the algorithm. Founders are assigned in turn to the populations of a contest, and there to the islands.
    pub fn algorithm(&self, founders: &[Child]) -> Box<dyn Algorithm> {
        if !self.has_rivals() {
            return self.side(founders.to_vec());
        }
        let count = self.population_count();
        let populations = (0..count).map(|population| self.side(every(founders, population, count))).collect();
        Box::new(Rivals::new(self.rivals, populations))
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
            AlgorithmConfig::CmaEs(settings) => Box::new(CmaEs::new(*settings, breeder, founders)),
            AlgorithmConfig::CmaMe(settings) => Box::new(CmaMe::new(settings.clone(), breeder, founders)),
        }
    }
}

impl AlgorithmConfig {
    /// Names of all algorithms, as in files.
    pub const NAMES: [&str; 7] = ["genetic", "strategy", "diffusion", "age_fitness", "map_elites", "cma_es", "cma_me"];

    /// Name of the algorithm, as in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Genetic(_) => "genetic",
            Self::Strategy(_) => "strategy",
            Self::Diffusion(_) => "diffusion",
            Self::AgeFitness(_) => "age_fitness",
            Self::MapElites(_) => "map_elites",
            Self::CmaEs(_) => "cma_es",
            Self::CmaMe(_) => "cma_me",
        }
    }

    /// Returns the algorithm with that name, with default settings.
    pub fn with_defaults(name: &str) -> Option<Self> {
        let all = [
            Self::Genetic(Default::default()),
            Self::Strategy(Default::default()),
            Self::Diffusion(Default::default()),
            Self::AgeFitness(Default::default()),
            Self::MapElites(Default::default()),
            Self::CmaEs(Default::default()),
            Self::CmaMe(Default::default()),
        ];
        all.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Window of the algorithm.
    pub(crate) fn window_mut(&mut self) -> &mut u64 {
        match self {
            Self::Genetic(settings) => &mut settings.window,
            Self::Strategy(settings) => &mut settings.window,
            Self::Diffusion(settings) => &mut settings.window,
            Self::AgeFitness(settings) => &mut settings.window,
            Self::MapElites(settings) => &mut settings.window,
            Self::CmaEs(settings) => &mut settings.window,
            Self::CmaMe(settings) => &mut settings.window,
        }
    }

    /// Grid of the algorithm, if it has one.
    pub fn dimensions(&self) -> Option<&[Dimension]> {
        match self {
            Self::MapElites(settings) => Some(&settings.dimensions),
            Self::CmaMe(settings) => Some(&settings.dimensions),
            _ => None,
        }
    }

    /// Number of founders that fit into the first generation of one population.
    fn first_generation(&self) -> usize {
        match self {
            Self::Genetic(settings) => settings.population,
            Self::Strategy(settings) => settings.parents * settings.children_per_parent,
            Self::Diffusion(settings) => settings.columns * settings.rows,
            Self::AgeFitness(settings) => settings.offspring,
            Self::MapElites(settings) => settings.founders,
            Self::CmaEs(settings) => settings.population,
            Self::CmaMe(settings) => settings.founders,
        }
    }
}

/// Default of [`RunConfig::favour`].
const DEFAULT_FAVOUR: f64 = 0.25;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_default_favour(favour: &f64) -> bool {
    *favour == DEFAULT_FAVOUR
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Every `count`-th founder, starting with the one at index `first`.
fn every(founders: &[Child], first: usize, count: usize) -> Vec<Child> {
    founders.iter().skip(first).step_by(count).cloned().collect()
}

/// Reads a task that may be missing.
pub(crate) fn optional_task_or_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Task>, D::Error> {
    task_or_name(from).map(Some)
}

/// Reads a table, or the name of a built-in task.
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
