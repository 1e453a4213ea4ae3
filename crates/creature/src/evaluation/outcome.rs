//! How an evaluation ended: with a score, or with the reason why there is none.

use burgess_simulation::Failure;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::viability::Unviable;

/// How an evaluation ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was tried, and its fitness is that of the task.
    Scored,
    /// It cannot live; its fitness is 0.
    Unviable(Unviable),
    /// What it did cannot be right; its fitness is 0.
    Faulty(Faulty),
}

impl Outcome {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::Unviable(_) => "unviable",
            Self::Faulty(_) => "faulty",
        }
    }

    /// Why it has no fitness; none if it was scored.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Scored => None,
            Self::Unviable(why) => Some(why.to_string()),
            Self::Faulty(why) => Some(why.to_string()),
        }
    }

    /// Has it a fitness of its own?
    pub fn is_scored(&self) -> bool {
        *self == Self::Scored
    }
}

/// What cannot be right.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Faulty {
    /// What kind of fault.
    pub reason: FaultReason,
    /// The whole sentence.
    pub message: String,
    /// When, in s since the start of the trial, settling included.
    pub time: f64,
    /// Name of the body that it happened to; empty if to none.
    pub body: String,
    /// In which trial, from 0.
    pub trial: u32,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultReason {
    /// A number is NaN or infinite.
    NotFinite,
    /// Faster than the task allows.
    TooFast,
    /// More energy than a bound.
    EnergyGrowth,
    /// Deeper in something else than the task allows.
    DeepPenetration,
    /// More steps than the task allows, or more of anything than a step may take.
    StepBudget,
    /// Below the ground.
    FellThrough,
    /// Higher or farther than the task allows.
    FlewAway,
    /// The motion solver gave up.
    Motion,
}

impl FaultReason {
    /// One word for tables and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "not_finite",
            Self::TooFast => "too_fast",
            Self::EnergyGrowth => "energy_growth",
            Self::DeepPenetration => "deep_penetration",
            Self::StepBudget => "step_budget",
            Self::FellThrough => "fell_through",
            Self::FlewAway => "flew_away",
            Self::Motion => "motion_failed",
        }
    }
}

impl Faulty {
    /// From a failure of the simulator.
    pub(super) fn of_simulation(failure: &Failure, now: f64, trial: u32) -> Self {
        let (reason, time, body) = match failure {
            Failure::NotFinite { time, body } => (FaultReason::NotFinite, *time, body.as_str()),
            Failure::TooFast { time, body, .. } => (FaultReason::TooFast, *time, body.as_str()),
            Failure::EnergyGrowth { time, body, .. } => (FaultReason::EnergyGrowth, *time, body.as_str()),
            Failure::DeepPenetration { time, body, .. } => (FaultReason::DeepPenetration, *time, body.as_str()),
            Failure::BudgetExhausted { time, body, .. } => (FaultReason::StepBudget, *time, body.as_str()),
            Failure::CannotGoBack { time } => (FaultReason::DeepPenetration, *time, ""),
            Failure::Motion(_) => (FaultReason::Motion, now, ""),
        };
        Self { reason, message: failure.to_string(), time, body: body.to_string(), trial }
    }
}

/// Why a trial has no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ended {
    /// Of the creature with this place in the cast.
    Unviable(usize, Unviable),
    Faulty(Faulty),
}
