//! Results of evaluations as they are stored and sent.

use std::collections::BTreeMap;

use burgess_creature::evaluation::{Decision, Evaluation, Outcome};
use burgess_creature::random::mix_seed;
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
    /// Meetings with opponents, in their order; empty if there were none or if it was not scored.
    #[serde(default)]
    pub meetings: Vec<Meeting>,
}

/// Fitness of both sides in a meeting of two creatures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// Fitness of the individual.
    pub fitness: f64,
    /// Fitness of its opponent; 0 if it could not start.
    pub opponent_fitness: f64,
}

impl Meeting {
    /// Result for the individual.
    pub fn decision(&self) -> Decision {
        Decision::of(self.fitness, self.opponent_fitness)
    }
}

/// How an evaluation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// It ended with a fitness.
    Scored,
    /// It did not begin, because the creature is not viable.
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
            measures: evaluation
                .measures
                .stored()
                .map(|(measure, value)| (measure.name().to_string(), value))
                .collect(),
            descriptors: evaluation.descriptors.named(),
            steps: evaluation.steps,
            seconds: evaluation.seconds,
            hash: evaluation.hash(),
            meetings: Vec::new(),
        }
    }

    /// Combines meetings with several opponents, of each the evaluation of the individual and that of the opponent.
    /// Fitness and measures are means. If the individual is not scored in a meeting, this is the result.
    pub fn of_meetings(meetings: impl Iterator<Item = [Evaluation; 2]>) -> Self {
        let mut combined: Option<Self> = None;
        for [own, opponent] in meetings {
            let mut result = Self::of(&own);
            if result.outcome != OutcomeKind::Scored {
                return result;
            }
            result.meetings.push(Meeting { fitness: own.fitness, opponent_fitness: opponent.fitness });
            match &mut combined {
                None => combined = Some(result),
                Some(combined) => combined.add(result),
            }
        }
        let Some(mut combined) = combined else { return Self::faulty("it has no opponent") };
        let share = 1.0 / combined.meetings.len() as f64;
        combined.fitness *= share;
        combined.measures.values_mut().for_each(|value| *value *= share);
        combined
    }

    /// Adds another meeting: sums up fitness, measures and time.
    fn add(&mut self, other: Self) {
        self.fitness += other.fitness;
        for (name, value) in other.measures {
            *self.measures.entry(name).or_insert(0.0) += value;
        }
        self.steps += other.steps;
        self.seconds += other.seconds;
        self.hash = mix_seed(self.hash, &[other.hash]);
        self.meetings.extend(other.meetings);
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
            meetings: Vec::new(),
        }
    }
}
