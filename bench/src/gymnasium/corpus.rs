//! States of MuJoCo under random controls, recorded by `peers/record_models.py`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
pub use burgess_peers::mujoco::Moment;
use serde::Deserialize;

/// File of the recorded states, relative to the root of the repository.
pub const FILE: &str = "bench/corpus/models.jsonl";

/// A step of a model.
#[derive(Debug, Clone, Deserialize)]
pub struct Sample {
    /// Number of contacts in MuJoCo's solver: those within the margins of the shapes.
    pub contacts: usize,
    /// State one step earlier.
    pub before: Moment,
    /// State at the start of the step.
    pub now: Moment,
    /// Accelerations that warm-start MuJoCo's solver.
    pub warm_start: Vec<f64>,
}

/// The line that precedes the samples of a model.
#[derive(Deserialize)]
struct Heading {
    model: String,
    samples: usize,
}

/// Reads the samples of a model.
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
    bail!("{} contains no states of '{model}'", file.display())
}

/// A group of steps by the number of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bin {
    /// No or one contact.
    Few,
    /// Two contacts.
    Two,
    /// Three or more contacts.
    Many,
}

impl Bin {
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Few, Self::Two, Self::Many];

    /// Returns whether a step with a number of contacts is in the group.
    pub fn has(self, contacts: usize) -> bool {
        match self {
            Self::Few => contacts < 2,
            Self::Two => contacts == 2,
            Self::Many => contacts > 2,
        }
    }

    /// Returns the suffix of benchmark names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Few => "0-1",
            Self::Two => "2",
            Self::Many => "3+",
        }
    }
}
