//! From accelerations to motion.
//!
//! | integrator | order | for |
//! |---|---|---|
//! | [`SemiImplicitMidpoint`] | 2 | the default step of the fast path: energy does not drift, stiff servos do not explode |
//! | [`SemiImplicitEuler`] | 1 | the same kick at the start of the step, for time stepping that knows one configuration only |
//! | [`Rk4`] | 4 | accuracy at a fixed step |
//! | [`Rk4Adaptive`] | 4 (5) | accuracy to a tolerance |
//! | [`ImplicitMidpoint`] | 2 | long runs: time-reversible to the tolerance of its iteration |

mod explicit;
mod free_body;
mod implicit_midpoint;
mod kick;
mod momentum_balance;
mod positions;
mod rk4;
mod rk4_adaptive;
mod semi_implicit_euler;
mod semi_implicit_midpoint;

use thiserror::Error;

pub use implicit_midpoint::ImplicitMidpoint;
pub use positions::{advance_positions, normalize_positions};
pub use rk4::Rk4;
pub use rk4_adaptive::{AdaptiveReport, Rk4Adaptive, Tolerance};
pub use semi_implicit_euler::SemiImplicitEuler;
pub use semi_implicit_midpoint::SemiImplicitMidpoint;

use crate::{Environment, Model, State, Workspace};

/// Moves a state forward in time. Integrators hold scratch only, unless they say otherwise.
pub trait Integrator {
    /// One step of `step` s. On an error the state is what it was before.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError>;

    /// Joint forces that answer at this rate, by the length of the step, or slower do not explode. All where they are implicit, or where
    /// errors are controlled.
    fn stable_rate(&self) -> f64 {
        f64::INFINITY
    }
}

/// Why a step was not made.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum IntegrationError {
    /// A velocity is NaN or infinite.
    #[error("at {time} s the velocity of link {link} would not be finite")]
    NotFinite {
        /// Start of the step, in s.
        time: f64,
        /// Index of the link.
        link: usize,
    },
    /// The iteration of an implicit method stopped short of its tolerance.
    #[error("at {time} s the step had not converged after {iterations} iterations (change {change:e})")]
    NotConverged {
        /// Start of the step, in s.
        time: f64,
        /// How many were allowed.
        iterations: u32,
        /// The last relative change of the velocities.
        change: f64,
    },
    /// Error control asked for a step below its smallest.
    #[error("at {time} s the error would need a step below {smallest} s")]
    StepTooSmall {
        /// Start of the step, in s.
        time: f64,
        /// The smallest allowed, in s.
        smallest: f64,
    },
    /// Error control needed more steps than were allowed.
    #[error("at {time} s the budget of {steps} steps was used up")]
    BudgetExhausted {
        /// How far it came, in s.
        time: f64,
        /// The budget.
        steps: u32,
    },
}

/// The first link whose velocities are not all finite.
pub(crate) fn check_finite(model: &Model, v: &[f64], time: f64) -> Result<(), IntegrationError> {
    // So fast that squares overflow is not finite either: positions would be NaN a step later.
    let fine = |x: &f64| x.abs() < 1e100;
    let broken = |link: &crate::Link| !v[link.v..link.v + link.dofs as usize].iter().all(fine);
    match model.links().iter().position(broken) {
        Some(link) => Err(IntegrationError::NotFinite { time, link }),
        None => Ok(()),
    }
}
