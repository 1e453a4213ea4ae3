//! Runge-Kutta with step doubling and error control (Fontijne 2000, section 3.8).
//!
//! Each step is made twice, as one of h and as two of h/2. Their difference d estimates the error; `d / 15` added to
//! the finer result cancels its leading error, so the result is of fifth order. With e the largest component of d
//! relative to its tolerance, a step with `e <= 1` is accepted and the next one is `0.9 h e^(-1/5)`, limited to a
//! factor of five either way. Everything is a function of the state and of the last step's length, so a run repeats bit
//! for bit.

use super::rk4::Rk4;
use super::{IntegrationError, Integrator, normalize_positions};
use crate::{Environment, Model, State, Workspace};

/// Accuracy and step limits of an adaptive integrator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Absolute error allowed per step, in the units of the component.
    pub absolute: f64,
    /// Error allowed per step relative to the size of the component.
    pub relative: f64,
    /// Smallest step, in s; integration fails below it.
    pub smallest_step: f64,
    /// Largest step, in s.
    pub largest_step: f64,
    /// Maximum number of steps of one call, accepted or rejected.
    pub budget: u32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { absolute: 1e-9, relative: 1e-9, smallest_step: 1e-9, largest_step: 0.1, budget: 1_000_000 }
    }
}

/// Statistics of an adaptive integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AdaptiveReport {
    /// Number of accepted steps.
    pub accepted: u32,
    /// Number of rejected steps, which were repeated with a shorter length.
    pub rejected: u32,
}

/// Runge-Kutta of fourth order with fifth-order correction, to a tolerance.
#[derive(Debug, Clone)]
pub struct Rk4Adaptive {
    rk4: Rk4,
    tolerance: Tolerance,
    coarse: State,
    fine: State,
    before: State,
    /// Length of the next step, in s. It affects the next bits: store it with a snapshot of the state.
    pub next_step: f64,
}

impl Rk4Adaptive {
    /// Allocates memory for a model. The first step is 1 ms or what the tolerance allows.
    pub fn new(model: &Model, tolerance: Tolerance) -> Self {
        let next_step = 1e-3_f64.min(tolerance.largest_step).max(tolerance.smallest_step);
        let (coarse, fine, before) = (State::new(model), State::new(model), State::new(model));
        Self { rk4: Rk4::new(model), tolerance, coarse, fine, before, next_step }
    }

    /// Integrates over `duration` s. On an error the state is that before the failed step.
    pub fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        duration: f64,
    ) -> Result<AdaptiveReport, IntegrationError> {
        let mut report = AdaptiveReport::default();
        let (start, mut done) = (state.time, 0.0);
        while done < duration {
            if report.accepted + report.rejected >= self.tolerance.budget {
                let steps = self.tolerance.budget;
                return Err(IntegrationError::BudgetExhausted { time: state.time, steps });
            }
            let left = duration - done;
            // A remainder shorter than a rounding error is included in this step.
            let last = self.next_step >= left * (1.0 - 1e-12);
            let step = if last { left } else { self.next_step };
            let error = self.attempt(model, state, environment, workspace, step);
            // A failed evaluation counts as a large error.
            let factor = match error {
                Ok(0.0) => 5.0,
                Ok(error) => (0.9 * libm::pow(error, -0.2)).clamp(0.2, 5.0),
                Err(_) => 0.2,
            };
            if matches!(error, Ok(error) if error <= 1.0) {
                std::mem::swap(&mut state.q, &mut self.fine.q);
                std::mem::swap(&mut state.v, &mut self.fine.v);
                done = if last { duration } else { done + step };
                state.time = start + done;
                report.accepted += 1;
                // A step shortened by the end of the interval says little about the next one.
                if !last || factor < 1.0 {
                    self.next_step = (step * factor).min(self.tolerance.largest_step);
                }
            } else {
                report.rejected += 1;
                self.next_step = step * factor.min(0.9);
                if self.next_step < self.tolerance.smallest_step {
                    let smallest = self.tolerance.smallest_step;
                    return Err(IntegrationError::StepTooSmall { time: state.time, smallest });
                }
            }
        }
        Ok(report)
    }

    /// Makes a step into `fine`. Returns its error relative to the tolerance.
    fn attempt(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<f64, IntegrationError> {
        let Self { rk4, tolerance, coarse, fine, .. } = self;
        copy(coarse, state);
        copy(fine, state);
        rk4.step(model, coarse, environment, workspace, step)?;
        rk4.step(model, fine, environment, workspace, 0.5 * step)?;
        rk4.step(model, fine, environment, workspace, 0.5 * step)?;
        let mut worst = 0.0_f64;
        let mut correct = |fine: &mut [f64], coarse: &[f64]| {
            for (fine, coarse) in fine.iter_mut().zip(coarse) {
                let difference = *fine - coarse;
                let allowed = tolerance.absolute + tolerance.relative * fine.abs();
                let error = difference.abs() / allowed;
                // NaN counts as an infinite error, except where there is no difference.
                let error = if error.is_nan() && difference != 0.0 { f64::INFINITY } else { error };
                worst = worst.max(error);
                *fine += difference / 15.0;
            }
        };
        correct(&mut fine.q, &coarse.q);
        correct(&mut fine.v, &coarse.v);
        normalize_positions(model, &mut fine.q);
        Ok(worst)
    }
}

impl Integrator for Rk4Adaptive {
    /// Makes as many steps as the tolerance needs for `step` s in total. On an error the state is unchanged.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        copy(&mut self.before, state);
        let outcome = self.advance(model, state, environment, workspace, step);
        if outcome.is_err() {
            copy(state, &self.before);
        }
        outcome.map(|_| ())
    }
}

fn copy(to: &mut State, from: &State) {
    to.q.copy_from_slice(&from.q);
    to.v.copy_from_slice(&from.v);
    to.motors.clone_from(&from.motors);
    to.time = from.time;
}
