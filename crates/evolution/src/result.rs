//! Results of evaluations as they are stored and sent.

use std::collections::BTreeMap;

use burgess_creature::evaluation::{Evaluation, Outcome};
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

/// Result of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationResult {
    /// How the evaluation ended.
    pub outcome: OutcomeKind,
    /// Reason why it was not scored, or empty.
    pub reason: String,
    /// Fitness: finite; 0 unless it was scored.
    pub fitness: f64,
    /// Measures by name.
    pub measures: BTreeMap<String, f64>,
    /// Descriptors by name.
    pub descriptors: BTreeMap<String, f64>,
    /// Number of physics steps.
    pub steps: u64,
    /// Simulated time, in s.
    pub seconds: f64,
    /// Hash of all bits of the evaluation.
    pub hash: u64,
}

/// How an evaluation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// It ended with a fitness.
    Scored,
    /// It did not begin, because the body is not viable.
    Unviable,
    /// It gave an invalid result.
    Faulty,
}

impl OutcomeKind {
    /// Name of the outcome, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::Unviable => "unviable",
            Self::Faulty => "faulty",
        }
    }
}

impl EvaluationResult {
    /// Converts an evaluation.
    pub fn of(evaluation: &Evaluation) -> Self {
        let outcome = match &evaluation.outcome {
            Outcome::Scored => OutcomeKind::Scored,
            Outcome::Unviable(_) => OutcomeKind::Unviable,
            Outcome::Faulty(_) => OutcomeKind::Faulty,
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

    /// Descriptors and measures by name. Where both have a name, it is the descriptor.
    pub fn named_values(self) -> BTreeMap<String, f64> {
        let mut values = self.measures;
        values.extend(self.descriptors);
        values
    }

    /// Distance in 10 s, in body lengths, after the task's transient. The body length is the largest extent during
    /// the trial, so that folding up gives no advantage.
    pub fn body_lengths(&self, task: &Task) -> f64 {
        let measure = |name: &str| self.measures.get(name).copied().unwrap_or(0.0);
        let distance_measure = if task.arena.water.is_some() { "steady_spatial_distance" } else { "steady_distance" };
        let (seconds, length) = (task.duration - task.transient, measure("max_extent"));
        if seconds > 0.0 && length > 0.0 { 10.0 / seconds * measure(distance_measure) / length } else { 0.0 }
    }

    /// Creates a faulty result without measures.
    pub fn faulty(reason: &str) -> Self {
        Self {
            outcome: OutcomeKind::Faulty,
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
