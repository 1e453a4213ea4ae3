//! What is kept of an evaluation.

use std::collections::BTreeMap;

use burgess_creature::evaluation::{Evaluation, Outcome};
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

/// A result, small enough to be sent around and kept for ever.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluated {
    /// How it ended.
    pub outcome: Ending,
    /// Why it was not scored; empty if it was.
    pub reason: String,
    /// Finite; 0 unless it was scored.
    pub fitness: f64,
    /// By name.
    pub measures: BTreeMap<String, f64>,
    /// By name.
    pub descriptors: BTreeMap<String, f64>,
    /// Physics steps.
    pub steps: u64,
    /// Simulated time, in s.
    pub seconds: f64,
    /// Of all bits of the evaluation.
    pub hash: u64,
}

/// How an evaluation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With a fitness.
    Scored,
    /// Before it began: the body cannot live.
    Unviable,
    /// With something that cannot be right.
    Faulty,
}

impl Ending {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::Unviable => "unviable",
            Self::Faulty => "faulty",
        }
    }
}

impl Evaluated {
    /// Of an evaluation.
    pub fn of(evaluation: &Evaluation) -> Self {
        let outcome = match &evaluation.outcome {
            Outcome::Scored => Ending::Scored,
            Outcome::Unviable(_) => Ending::Unviable,
            Outcome::Faulty(_) => Ending::Faulty,
        };
        let reason = evaluation.outcome.reason().unwrap_or_default();
        Self {
            outcome,
            reason,
            fitness: evaluation.fitness,
            measures: evaluation.measures.iter().map(|(measure, value)| (measure.name().to_string(), value)).collect(),
            descriptors: evaluation.descriptors.named(),
            steps: evaluation.steps,
            seconds: evaluation.seconds,
            hash: evaluation.hash(),
        }
    }

    /// How many body lengths the creature went in 10 s, once the task's transient had passed. A body length is the longest that it
    /// ever was in the trial, so that nobody gains by folding up.
    pub fn body_lengths(&self, task: &Task) -> f64 {
        let measure = |name: &str| self.measures.get(name).copied().unwrap_or(0.0);
        let way = if task.arena.water.is_some() { "steady_spatial_distance" } else { "steady_distance" };
        let (seconds, length) = (task.duration - task.transient, measure("max_extent"));
        if seconds > 0.0 && length > 0.0 { 10.0 / seconds * measure(way) / length } else { 0.0 }
    }

    /// Without any figures.
    pub fn faulty(reason: &str) -> Self {
        Self {
            outcome: Ending::Faulty,
            reason: reason.to_string(),
            fitness: 0.0,
            measures: BTreeMap::new(),
            descriptors: BTreeMap::new(),
            steps: 0,
            seconds: 0.0,
            hash: 0,
        }
    }
}
