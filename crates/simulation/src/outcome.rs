//! Failures of a simulation, with a reason, a time and a body; and the bounds that are checked.

use thiserror::Error;

/// Why a simulation cannot continue.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Failure {
    /// A velocity is NaN or beyond all bounds.
    #[error("at {time} s the velocity of '{body}' is not finite")]
    NotFinite {
        /// Time, in s.
        time: f64,
        /// Name of the body.
        body: String,
    },
    /// A body is faster than the bound.
    #[error(
        "at {time} s '{body}' moves at {speed} m/s, above the bound of {bound} m/s (rotation counts 0.1 m from the axis)"
    )]
    TooFast {
        /// Time, in s.
        time: f64,
        /// Name of the body.
        body: String,
        /// Speed, in m/s.
        speed: f64,
        /// Bound, in m/s.
        bound: f64,
    },
    /// The energy has grown beyond its bound.
    #[error("at {time} s the energy is {energy} J, above the bound of {bound} J; '{body}' has most of it")]
    EnergyGrowth {
        /// Time, in s.
        time: f64,
        /// Name of the body with the most kinetic energy.
        body: String,
        /// Energy, in J.
        energy: f64,
        /// Bound, in J.
        bound: f64,
    },
    /// Two bodies penetrate each other too deeply.
    #[error("at {time} s '{body}' and '{other}' are {depth} m deep in each other, above the bound of {bound} m")]
    DeepPenetration {
        /// Time, in s.
        time: f64,
        /// Name of the first body.
        body: String,
        /// Name of the second body.
        other: String,
        /// Depth, in m.
        depth: f64,
        /// Bound, in m.
        bound: f64,
    },
    /// A body has entered another so far that it may leave on the other side.
    #[error(
        "at {time} s '{body}' is {depth} m inside '{other}', above the bound of {bound} m: the contact solver does not \
             hold them apart; use shorter steps or time stepping"
    )]
    PassedThrough {
        /// Time, in s.
        time: f64,
        /// Name of the first body.
        body: String,
        /// Name of the second body.
        other: String,
        /// Depth, in m.
        depth: f64,
        /// Bound, in m.
        bound: f64,
    },
    /// A body is farther from the origin than the bound, or nowhere.
    #[error(
        "at {time} s '{body}' is {distance} m from the origin, above the bound of {bound} m: it has left the world"
    )]
    LeftWorld {
        /// Time, in s.
        time: f64,
        /// Name of the body.
        body: String,
        /// Distance from the origin, in m.
        distance: f64,
        /// Bound, in m.
        bound: f64,
    },
    /// A step needed more sub-steps or collisions than allowed.
    #[error("at {time} s the budget of {budget} {what} for one step was used up; '{body}' was the last to need one")]
    BudgetExhausted {
        /// Time, in s.
        time: f64,
        /// Counted quantity.
        what: &'static str,
        /// Maximum count.
        budget: usize,
        /// Name of the body.
        body: String,
    },
    /// The motion solver needs a shorter step, but the time control has a fixed one.
    #[error(
        "at {time} s bodies are deeper in each other than the solver can bear, and steps are fixed; \
             use a time control that can go back, or shorter steps"
    )]
    CannotGoBack {
        /// Time, in s.
        time: f64,
    },
    /// The motion solver could not make a step.
    #[error("{0}")]
    Motion(burgess_dynamics::integrators::IntegrationError),
}

impl Failure {
    /// Short name for tables and scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotFinite { .. } => "not_finite",
            Self::TooFast { .. } => "too_fast",
            Self::EnergyGrowth { .. } => "energy_growth",
            Self::DeepPenetration { .. } => "deep_penetration",
            Self::PassedThrough { .. } => "passed_through",
            Self::LeftWorld { .. } => "left_world",
            Self::BudgetExhausted { .. } => "budget_exhausted",
            Self::CannotGoBack { .. } => "cannot_go_back",
            Self::Motion(_) => "motion_failed",
        }
    }
}

/// Bounds whose violation ends a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// No link's anchor may be faster, in m/s.
    pub speed: f64,
    /// No contact may be deeper than this share of the smaller of the two colliders' radii.
    pub penetration_share: f64,
    /// The total energy may not exceed this, in J; none for worlds that are driven.
    pub energy: Option<f64>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { speed: 1e4, penetration_share: 0.5, energy: None }
    }
}
