//! Trials with an eighth of the time step, compared with the same trials at the task's step. They show how much of a
//! fitness depends on the step.

use serde::{Deserialize, Serialize};

use super::request::{Request, Subject};
use super::score_ratio;
use crate::evaluation::Evaluation;
use crate::random::mix_seed;

/// Factor between the task's step and the fine step.
const FINENESS: u64 = 8;

/// Separates these seeds from those of other checks.
const PURPOSE: u64 = 0x6669_6e65;

/// What the creature did with an eighth of the step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FineStep {
    /// Fitness of each trial with the task's step.
    pub coarse: Vec<f64>,
    /// Fitness of the same trials with an eighth of it.
    pub fine: Vec<f64>,
}

/// Requests pairs of single trials, each pair with its own seed: with the task's step and with an eighth of it.
pub(super) fn fine_step_requests<'a>(subject: &Subject<'a>, count: u32) -> Vec<Request<'a>> {
    let pair = |number: u32| {
        let mut coarse = subject.request("an eighth of the step");
        coarse.seed = mix_seed(subject.seed, &[PURPOSE, u64::from(number)]);
        coarse.task.trials.count = 1;
        let mut fine = coarse.clone();
        fine.options.step = Some(subject.task.step / FINENESS as f64);
        fine.task.limits.steps = subject.task.limits.steps.saturating_mul(FINENESS);
        [coarse, fine]
    };
    (0..count).flat_map(pair).collect()
}

impl FineStep {
    /// Creates the comparison from the evaluations of the pairs.
    pub(super) fn of(pairs: &[Evaluation]) -> Self {
        let every_second = |first: usize| pairs.iter().skip(first).step_by(2).map(|trial| trial.fitness).collect();
        Self { coarse: every_second(0), fine: every_second(1) }
    }

    /// Mean fitness with the task's step.
    pub fn coarse_mean(&self) -> f64 {
        mean(&self.coarse)
    }

    /// Mean fitness with an eighth of the step.
    pub fn fine_mean(&self) -> f64 {
        mean(&self.fine)
    }
}

fn mean(values: &[f64]) -> f64 {
    score_ratio(values.iter().sum(), values.len() as f64)
}
