//! States that MuJoCo went through under random controls, as `peers/record_models.py` wrote them down.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Where the recorded states are, from the root of the repository.
pub const FILE: &str = "bench/corpus/models.jsonl";

/// A step of a model.
#[derive(Debug, Clone, Deserialize)]
pub struct Sample {
    /// Contacts that MuJoCo's solver sees: those nearer than the margins of the shapes.
    pub contacts: usize,
    /// The state one step earlier.
    pub before: Moment,
    /// The state that the step begins from.
    pub now: Moment,
    /// Accelerations that MuJoCo's solver begins from.
    pub warm_start: Vec<f64>,
}

/// A state in MuJoCo's coordinates.
#[derive(Debug, Clone, Deserialize)]
pub struct Moment {
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
    /// Controls, in the order of the actuators.
    pub ctrl: Vec<f64>,
}

/// The line before the samples of a model.
#[derive(Deserialize)]
struct Heading {
    model: String,
    samples: usize,
}

/// The samples of a model, by the number of contacts.
pub fn read(file: &Path, model: &str) -> Result<Vec<Sample>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let heading: Heading = serde_json::from_str(line).context("expected the heading of a model")?;
        if heading.model == model {
            let samples: Vec<Sample> =
                lines.take(heading.samples).map(serde_json::from_str).collect::<Result<_, _>>()?;
            return Ok(samples);
        }
        if heading.samples > 0 {
            lines.nth(heading.samples - 1);
        }
    }
    bail!("{} has no states of '{model}'", file.display())
}

/// Contacts of a step, as benchmarks sort them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bin {
    /// None or one.
    Few,
    /// Two.
    Two,
    /// Three or more.
    Many,
}

impl Bin {
    /// All.
    pub const ALL: [Self; 3] = [Self::Few, Self::Two, Self::Many];

    /// Is a step with so many contacts one of these?
    pub fn has(self, contacts: usize) -> bool {
        match self {
            Self::Few => contacts < 2,
            Self::Two => contacts == 2,
            Self::Many => contacts > 2,
        }
    }

    /// As names of benchmarks end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Few => "0-1",
            Self::Two => "2",
            Self::Many => "3+",
        }
    }
}
