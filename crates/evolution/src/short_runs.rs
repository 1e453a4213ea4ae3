//! Default sizes of short runs. With a window or a first generation as large as the run, nothing would be bred. So these
//! defaults shrink with the number of evaluations, which they depend on alone. What a configuration sets does not change.

use toml::Table;

use crate::algorithm::{
    AgeFitnessSettings, CmaEsSettings, CmaMeSettings, DiffusionSettings, GeneticSettings, MapElitesSettings,
    StrategySettings,
};
use crate::config::{AlgorithmConfig, RunConfig};

/// A population has at least this many generations.
const MIN_GENERATIONS: u64 = 3;

/// A population has at least this many times as many evaluations as its window.
const MIN_WINDOWS: u64 = 10;

/// Smallest default size of a generation.
const MIN_SIZE: usize = 4;

/// Limits of a population in a stage.
#[derive(Debug, Clone, Copy)]
struct Budget {
    /// Number of evaluations.
    evaluations: u64,
    /// Number of individuals that leave an island at a time, which it must have.
    migrants: usize,
}

impl RunConfig {
    /// Shrinks the sizes of generations and windows of a short run. All count as defaults.
    pub fn shrink_defaults(&mut self) {
        self.shrink_unset(&Table::new());
    }

    /// Shrinks sizes that the table, the text of this configuration, does not set.
    pub(crate) fn shrink_unset(&mut self, table: &Table) {
        let budgets: Vec<Budget> = (0..self.stage_count()).map(|index| self.population_budget(index)).collect();
        let is_own = |index: usize| self.stages.get(index).is_some_and(|stage| stage.algorithm.is_some());
        let shared = (0..budgets.len()).filter(|index| !is_own(*index)).map(|index| budgets[index]);
        if let Some(budget) = shared.min_by_key(|budget| budget.evaluations) {
            self.algorithm.shrink(budget, table.get("algorithm"));
        }
        let texts = table.get("stages").and_then(|stages| stages.as_array());
        for (index, stage) in self.stages.iter_mut().enumerate() {
            if let Some(algorithm) = &mut stage.algorithm {
                let text = texts.and_then(|stages| stages.get(index)).and_then(|stage| stage.get("algorithm"));
                algorithm.shrink(budgets[index], text);
            }
        }
    }

    fn population_budget(&self, index: usize) -> Budget {
        let end = self.stage_start(index + 1).min(self.evaluations);
        let stage = self.stage(index);
        let sides = stage.population_count() as u64;
        let evaluations = end.saturating_sub(self.stage_start(index)) / (sides * stage.islands.count.max(1) as u64);
        Budget { evaluations, migrants: stage.islands.migrants }
    }
}

impl AlgorithmConfig {
    /// Shrinks the sizes that the text does not set.
    fn shrink(&mut self, Budget { evaluations, migrants }: Budget, text: Option<&toml::Value>) {
        let is_set = |name: &str| text.is_some_and(|text| text.get(name).is_some());
        let size = ((evaluations / MIN_GENERATIONS) as usize).max(MIN_SIZE).max(migrants);
        let shrink = |name: &str, value: &mut usize, most: usize| {
            if !is_set(name) {
                *value = (*value).min(most);
            }
        };
        match self {
            Self::Genetic(GeneticSettings { population, elite, .. }) => {
                shrink("population", population, size.max(*elite + 1));
            }
            Self::Strategy(StrategySettings { parents, children_per_parent, .. }) => {
                shrink("parents", parents, (size / (*children_per_parent).max(1)).max(migrants).max(1));
            }
            Self::Diffusion(DiffusionSettings { columns, rows, .. }) => {
                let side = libm::ceil(libm::sqrt(size as f64)) as usize;
                shrink("columns", columns, side);
                shrink("rows", rows, side);
            }
            Self::AgeFitness(AgeFitnessSettings { population, offspring, newcomers, .. }) => {
                shrink("population", population, size);
                shrink("offspring", offspring, size.max(*newcomers));
            }
            Self::MapElites(MapElitesSettings { founders, .. }) => shrink("founders", founders, size),
            Self::CmaEs(CmaEsSettings { population, .. }) => shrink("population", population, size),
            Self::CmaMe(CmaMeSettings { founders, emitters, population, .. }) => {
                shrink("founders", founders, size);
                shrink("population", population, (size / (*emitters).max(1)).max(MIN_SIZE));
            }
        }
        if !is_set("window") {
            let window = self.window_mut();
            *window = (*window).min(evaluations / MIN_WINDOWS);
        }
    }
}
