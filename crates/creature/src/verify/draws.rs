//! New draws: the same evaluation with other seeds. They show how much of a fitness was luck.

use serde::{Deserialize, Serialize};

use super::{median, score_ratio};
use crate::evaluation::Evaluation;
use crate::random::mix_seed;

/// A trial falls if its gain over the baseline is below this fraction of that of the lowest trial of the first
/// evaluation.
const FALL_FRACTION: f64 = 0.5;

/// Separates these seeds from those of other checks.
const PURPOSE: u64 = 0x6472_6177;

/// What the creature did under new draws.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Draws {
    /// Fitness of each draw.
    pub fitness: Vec<f64>,
    /// Median fitness.
    pub median: f64,
    /// Lowest fitness.
    pub worst: f64,
    /// Number of trials of all draws.
    pub trials: usize,
    /// Number of trials in which the creature fell: it kept less than half of the fitness, or the trial was invalid.
    pub falls: usize,
}

/// Seed of a draw.
pub(super) fn draw_seed(seed: u64, number: u32) -> u64 {
    mix_seed(seed, &[PURPOSE, u64::from(number)])
}

impl Draws {
    /// Summarizes the evaluations with other seeds. `first` is the one as the task defines it, and `baseline` the
    /// fitness that is no merit.
    pub(super) fn of(evaluations: &[Evaluation], first: &Evaluation, baseline: f64) -> Self {
        let lowest = first.trials.iter().map(|trial| trial.fitness).fold(f64::INFINITY, f64::min);
        let least = baseline + FALL_FRACTION * (lowest - baseline);
        let mut draws = Self::default();
        for drawn in evaluations {
            draws.fitness.push(drawn.fitness);
            // An evaluation without a score has no trials, and ended in one that is invalid.
            draws.trials += drawn.trials.len().max(1);
            draws.falls += match drawn.outcome.is_scored() {
                true => drawn.trials.iter().filter(|trial| trial.fitness < least).count(),
                false => 1,
            };
        }
        draws.median = median(&draws.fitness).unwrap_or(0.0);
        draws.worst = draws.fitness.iter().copied().reduce(f64::min).unwrap_or(0.0);
        draws
    }

    /// Share of the trials in which the creature fell.
    pub fn fall_share(&self) -> f64 {
        score_ratio(self.falls as f64, self.trials as f64)
    }
}
