//! Outcomes of evaluations: a score, or the reason why there is none.

use burgess_simulation::Failure;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::viability::Unviable;

/// How an evaluation ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The creature was tried and has a fitness.
    Scored,
    /// The creature is not viable; the fitness is 0.
    Unviable(Unviable),
    /// The simulated motion cannot be right; the fitness is 0.
    Faulty(Faulty),
}

impl Outcome {
    /// Returns the name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::Unviable(_) => "unviable",
            Self::Faulty(_) => "faulty",
        }
    }

    /// Returns the reason for an outcome without a fitness; `None` if it was scored. The text is stored in archives and
    /// enters their hashes.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Scored => None,
            Self::Unviable(why) => Some(why.to_string()),
            Self::Faulty(why) => Some(why.to_string()),
        }
    }

    /// Returns whether the creature has a fitness of its own.
    pub fn is_scored(&self) -> bool {
        *self == Self::Scored
    }
}

/// A fault: something in the simulated motion cannot be right.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Faulty {
    /// Kind of fault.
    pub reason: FaultReason,
    /// Error message. It is stored in archives and enters their hashes.
    pub message: String,
    /// Time since the start of the trial, including settling, in s.
    pub time: f64,
    /// Name of the body concerned; empty if there is none.
    pub body: String,
    /// Number of the trial, from 0.
    pub trial: u32,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultReason {
    /// A number is NaN or infinite.
    NotFinite,
    /// A body is faster than the task allows.
    TooFast,
    /// The simulation created more energy than the task allows.
    EnergyGrowth,
    /// A contact is deeper than the task allows.
    DeepPenetration,
    /// The trials take more steps than the task allows, or a step exceeds a limit of the simulator.
    StepBudget,
    /// The creature is below the ground.
    FellThrough,
    /// The creature is higher or farther away than the task allows.
    FlewAway,
    /// The creature crosses the starting line of its side of a contest while it settles.
    CrossedLine,
    /// The motion solver failed.
    Motion,
}

impl FaultReason {
    /// Returns a short name for tables and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "not_finite",
            Self::TooFast => "too_fast",
            Self::EnergyGrowth => "energy_growth",
            Self::DeepPenetration => "deep_penetration",
            Self::StepBudget => "step_budget",
            Self::FellThrough => "fell_through",
            Self::FlewAway => "flew_away",
            Self::CrossedLine => "crossed_line",
            Self::Motion => "motion_failed",
        }
    }
}

impl Faulty {
    /// Converts a reason that was found only in the simulation, such as entangled parts.
    pub(super) fn of_unviable(unviable: &Unviable, time: f64) -> Self {
        let reason = match unviable {
            Unviable::CrossedLine { .. } => FaultReason::CrossedLine,
            _ => FaultReason::DeepPenetration,
        };
        Self { reason, message: unviable.to_string(), time, body: String::new(), trial: 0 }
    }

    /// Converts a failure of the simulator.
    pub(super) fn of_simulation(failure: &Failure, now: f64, trial: u32) -> Self {
        let (reason, time, body) = match failure {
            Failure::NotFinite { time, body } => (FaultReason::NotFinite, *time, body.as_str()),
            Failure::TooFast { time, body, .. } => (FaultReason::TooFast, *time, body.as_str()),
            Failure::EnergyGrowth { time, body, .. } => (FaultReason::EnergyGrowth, *time, body.as_str()),
            Failure::DeepPenetration { time, body, .. } => (FaultReason::DeepPenetration, *time, body.as_str()),
            Failure::PassedThrough { time, body, .. } => (FaultReason::DeepPenetration, *time, body.as_str()),
            Failure::LeftWorld { time, body, .. } => (FaultReason::NotFinite, *time, body.as_str()),
            Failure::BudgetExhausted { time, body, .. } => (FaultReason::StepBudget, *time, body.as_str()),
            Failure::CannotGoBack { time } => (FaultReason::DeepPenetration, *time, ""),
            Failure::Motion(_) => (FaultReason::Motion, now, ""),
        };
        Self { reason, message: failure.to_string(), time, body: body.to_string(), trial }
    }
}

/// The reason why a trial has no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TrialFailure {
    /// The creature with this index is unviable.
    Unviable(usize, Unviable),
    Faulty(Faulty),
}
