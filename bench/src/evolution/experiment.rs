//! Experiments: files in `experiments/` with the configuration of a run, the target of the champion, and its exam.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings};
use burgess_evolution::RunConfig;
use serde::Deserialize;

/// An experiment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Name of its file.
    #[serde(skip)]
    pub name: String,
    /// Title on the page.
    pub title: String,
    /// Description and source.
    pub about: String,
    /// Number of runs.
    pub seeds: u64,
    /// Seed of the first run; the others have the following seeds.
    #[serde(default = "default_first_seed")]
    pub first_seed: u64,
    /// Number of runs that must reach the target.
    pub successes: u64,
    /// Maximum simulated time of one run, in s.
    pub budget: f64,
    /// Target of the champions.
    #[serde(rename = "asked")]
    pub target: Target,
    /// What release 0.1 reached, if it was carried out there.
    pub earlier: Option<Earlier>,
    /// Configuration of the runs, with any seed.
    #[serde(default)]
    pub run: RunConfig,
    /// Name of a task whose default recipe is the configuration of the runs, as in `burgess evolve TASK`.
    #[serde(default)]
    pub recipe: Option<String>,
    /// Name of an experiment with the same runs and the same exam, except for family and genomes.
    #[serde(default)]
    pub like: Option<String>,
    /// Family of the genomes, if it differs from that of the runs given by `recipe` or `like`.
    #[serde(default)]
    pub family: Option<Family>,
    /// Settings of the genomes, all of them, if they differ from those of `recipe` or `like`.
    #[serde(default)]
    pub genomes: Option<GenomeSettings>,
    /// Whether the champions are also evaluated with the other paradigms.
    #[serde(default = "default_paradigms")]
    pub paradigms: bool,
    /// Trials of the champion after evolution, with targets that it has not met before.
    pub exam: Option<Task>,
}

fn default_first_seed() -> u64 {
    1
}

fn default_paradigms() -> bool {
    true
}

impl Experiment {
    /// Seeds of all runs.
    pub fn all_seeds(&self) -> RangeInclusive<u64> {
        self.first_seed..=self.first_seed + self.seeds - 1
    }

    /// Returns the configuration of the run with a seed.
    pub fn config(&self, seed: u64) -> RunConfig {
        RunConfig { seed, ..self.run.clone() }
    }
}

/// Target of the champions of an experiment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Quantity that is evaluated.
    pub figure: Figure,
    /// Unit on the page.
    pub unit: String,
    /// Minimum, if there is one.
    #[serde(rename = "least")]
    pub min: Option<f64>,
}

/// Results of an experiment with an earlier release.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    /// Number of evaluations of each run.
    pub evaluations: u64,
    /// What the champions reached, in the unit of the target.
    pub figures: Vec<f64>,
    /// Number of champions that were sound.
    pub sound: usize,
}

/// A quantity of a champion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Distance in 10 s, relative to the maximum extent in the trial.
    BodyLengths,
    /// Distance in 1 s, relative to the maximum extent in the trial.
    BodyLengthsPerSecond,
    /// Fitness of the run.
    Fitness,
    /// Result of the exam.
    Exam,
}

/// Files in [`FOLDER`], in page order.
const NAMES: [&str; 11] = [
    "walk",
    "graph-walk",
    "locomotion",
    "jump-up",
    "jump-away",
    "fixed-ball",
    "varying-ball",
    "swimming",
    "graph-swimming",
    "following",
    "graph-following",
];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/evolution/experiments");

/// Reads all experiments.
pub fn all() -> Result<Vec<Experiment>> {
    NAMES.iter().map(|name| read(name)).collect()
}

fn read(name: &str) -> Result<Experiment> {
    let file = Path::new(FOLDER).join(name).with_extension("toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut experiment: Experiment = toml::from_str(&text).with_context(|| file.display().to_string())?;
    experiment.name = name.to_string();
    if experiment.recipe.is_some() || experiment.like.is_some() {
        ensure!(experiment.run == RunConfig::default(), "{}: both a run and another's are given", file.display());
    }
    if let Some(task) = &experiment.recipe {
        experiment.run = RunConfig::recipe(Task::preset(task)?);
    }
    if let Some(other) = &experiment.like {
        let other = read(other)?;
        (experiment.run, experiment.exam) = (other.run, other.exam);
    }
    if let Some(genomes) = &experiment.genomes {
        experiment.run.genomes = genomes.clone();
    }
    if let Some(family) = experiment.family {
        experiment.run.family = family;
    }
    experiment.run.check()?;
    if let Some(exam) = &experiment.exam {
        exam.check()?;
    }
    Ok(experiment)
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_experiments_can_be_read() {
        for experiment in super::all().unwrap() {
            assert!(experiment.seeds >= experiment.successes, "{}", experiment.name);
        }
    }
}
