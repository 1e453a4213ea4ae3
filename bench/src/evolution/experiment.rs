//! What is evolved: files in `experiments/`, each one or more runs in a row, what is asked of the champion, and its exam.

use std::path::Path;

use anyhow::{Context, Result};
use burgess_creature::task::Task;
use burgess_evolution::RunConfig;
use serde::Deserialize;

/// An experiment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// That of its file.
    #[serde(skip)]
    pub name: String,
    /// For the page.
    pub title: String,
    /// What is done and where it comes from.
    pub about: String,
    /// Runs, with seeds from 1.
    pub seeds: u64,
    /// How many of them have to reach what is asked.
    pub successes: u64,
    /// Simulated time of all stages of one run, in s, that is not to be exceeded.
    pub budget: f64,
    /// What is asked of champions.
    pub asked: Asked,
    /// One after the other, each beginning with the best of the one before.
    pub stages: Vec<RunConfig>,
    /// What a champion has to do after evolution, at places that it has never seen.
    pub exam: Option<Task>,
}

/// What is asked of champions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// What is looked at.
    pub figure: Figure,
    /// For the page.
    pub unit: String,
    /// The least, if there is one.
    pub least: Option<f64>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Way in 10 s by the longest extent over the trial.
    BodyLengths,
    /// Way in 1 s by the longest extent over the trial.
    BodyLengthsPerSecond,
    /// As in the run.
    Fitness,
    /// Of the exam.
    Exam,
}

/// Files in [`FOLDER`], in the order of the page.
const NAMES: [&str; 7] = ["locomotion", "jump-up", "jump-away", "fixed-ball", "varying-ball", "swimming", "following"];

const FOLDER: &str = "bench/src/evolution/experiments";

/// All of them.
pub fn all() -> Result<Vec<Experiment>> {
    NAMES.iter().map(|name| read(name)).collect()
}

fn read(name: &str) -> Result<Experiment> {
    let file = Path::new(FOLDER).join(name).with_extension("toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut experiment: Experiment = toml::from_str(&text).with_context(|| file.display().to_string())?;
    experiment.name = name.to_string();
    for stage in &experiment.stages {
        stage.check()?;
    }
    if let Some(exam) = &experiment.exam {
        exam.check()?;
    }
    Ok(experiment)
}
