//! Integrators: from accelerations to motion.
//!
//! | integrator | order | for |
//! |---|---|---|
//! | [`SemiImplicitMidpoint`] | 2 | the default step: energy does not drift, stiff servos do not explode |
//! | [`SemiImplicitEuler`] | 1 | the same kick at the start of the step, for time stepping with one configuration only
//! |
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

/// Advances a state in time. Integrators hold only scratch memory, unless documented otherwise.
pub trait Integrator {
    /// Makes one step of `step` s. On an error the state is unchanged.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError>;

    /// Returns the largest stable rate of joint forces, times the length of the step: infinite where they are implicit,
    /// or where errors are controlled.
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
        /// Maximum number of iterations.
        iterations: u32,
        /// Last relative change of the velocities.
        change: f64,
    },
    /// Error control required a step below the smallest allowed one.
    #[error("at {time} s the error tolerance would need a step below {smallest} s")]
    StepTooSmall {
        /// Start of the step, in s.
        time: f64,
        /// Smallest allowed step, in s.
        smallest: f64,
    },
    /// Error control needed more steps than allowed.
    #[error("at {time} s the budget of {steps} steps was used up")]
    BudgetExhausted {
        /// Time reached, in s.
        time: f64,
        /// Maximum number of steps.
        steps: u32,
    },
}

/// Returns an error for the first link whose velocities are not all finite.
pub(crate) fn check_finite(model: &Model, v: &[f64], time: f64) -> Result<(), IntegrationError> {
    // Speeds whose squares overflow count as not finite: positions would be NaN a step later.
    let fine = |x: &f64| x.abs() < 1e100;
    let broken = |link: &crate::Link| !v[link.v..link.v + link.dofs as usize].iter().all(fine);
    match model.links().iter().position(broken) {
        Some(link) => Err(IntegrationError::NotFinite { time, link }),
        None => Ok(()),
    }
}
