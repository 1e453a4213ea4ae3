//! The default recipe of a task: what `burgess evolve TASK` does without a configuration file.

use burgess_creature::Family;
use burgess_creature::task::{Task, Trials};

use crate::algorithm::{CmaEsSettings, MapElitesSettings, StrategySettings};
use crate::config::{AlgorithmConfig, RunConfig};
use crate::stage::StageConfig;

/// Evaluations of the default recipe: of its first stage, and of all. `evolve walk` takes three minutes on two cores.
const RECIPE: [u64; 2] = [1500, 2650];

/// Default search of tasks that tune a crowd, which have few numbers.
const CROWD_SEARCH: CmaEsSettings = CmaEsSettings { population: 16, sigma: 1.0, window: 4 };

/// Default number of evaluations of tasks that tune a crowd.
const CROWD_EVALUATIONS: u64 = 400;

/// Probability that the angle, and that the amplitude, of an axis of a random graph genome depends on the direction to
/// the target, in tasks with one.
const STEERING: f64 = 0.5;

impl RunConfig {
    /// Default configuration for a task.
    pub fn for_task(task: Task) -> Self {
        let mut config = Self { task, ..Self::default() };
        if config.task.target.is_some() {
            config.genomes.graph.steering = STEERING;
        }
        if let Some(crowd) = &config.task.crowd {
            config.family = Family::Tuning;
            config.genomes.tuning.numbers = crowd.tune.len();
            config.algorithm = AlgorithmConfig::CmaEs(CROWD_SEARCH);
            config.evaluations = CROWD_EVALUATIONS;
        }
        config
    }

    /// Default recipe for a task: MAP-Elites finds kinds of creatures that can do it in one trial, and an evolution
    /// strategy with few parents and [racing](Self::racing) improves the best of them in all trials. A contest, a
    /// syllabus or a crowd has one stage.
    pub fn recipe(task: Task) -> Self {
        let mut config = Self::for_task(task);
        if config.has_rivals() || !config.task.syllabus.is_empty() || config.task.crowd.is_some() {
            return config;
        }
        let map_elites = AlgorithmConfig::MapElites(MapElitesSettings::default());
        let strategy = AlgorithmConfig::Strategy(StrategySettings { parents: 16, ..Default::default() });
        let stage = |evaluations, algorithm, task| StageConfig {
            evaluations,
            algorithm: Some(algorithm),
            task,
            ..StageConfig::default()
        };
        // One trial takes a third of the time of three, and most creatures fall in the first.
        let trials = Trials { count: 1, ..config.task.trials };
        let short = (trials != config.task.trials).then(|| Task { trials, ..config.task.clone() });
        config.stages = vec![stage(Some(RECIPE[0]), map_elites, short), stage(None, strategy, None)];
        config.evaluations = RECIPE[1];
        config.racing = 0.9;
        config.champions.last = 0.02;
        config
    }
}
