//! Runge-Kutta with step doubling and error control (000 section 3.8).
//!
//! Each step is made twice, as one of h and as two of h/2. Their difference d estimates the error; `d / 15` added to the
//! finer result cancels its leading error, so what is kept is of fifth order. With e the largest component of d relative to
//! its tolerance, a step with `e <= 1` is kept and the next one is `0.9 h e^(-1/5)`, within a fifth and five times.
//! Everything is a function of the state and of the last step's length, so a run repeats bit for bit.

use super::rk4::Rk4;
use super::{IntegrationError, Integrator, normalize_positions};
use crate::{Environment, Model, State, Workspace};

/// How exact and how fine an adaptive integrator is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Error of a step that is always allowed, in the units of the component.
    pub absolute: f64,
    /// Error of a step relative to the size of the component.
    pub relative: f64,
    /// The smallest step, in s; below it integration gives up.
    pub smallest_step: f64,
    /// The largest step, in s.
    pub largest_step: f64,
    /// Steps, kept or not, that one call may take.
    pub budget: u32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { absolute: 1e-9, relative: 1e-9, smallest_step: 1e-9, largest_step: 0.1, budget: 1_000_000 }
    }
}

/// What an adaptive integration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AdaptiveReport {
    /// Steps kept.
    pub accepted: u32,
    /// Steps made again, shorter.
    pub rejected: u32,
}

/// Runge-Kutta, fourth order with fifth-order correction, to a tolerance.
#[derive(Debug, Clone)]
pub struct Rk4Adaptive {
    rk4: Rk4,
    tolerance: Tolerance,
    coarse: State,
    fine: State,
    before: State,
    /// The length of the next step, in s. It changes the next bits: keep it with a snapshot of the state.
    pub next_step: f64,
}

impl Rk4Adaptive {
    /// Memory for a model; begins with a step of 1 ms or what the tolerance allows.
    pub fn new(model: &Model, tolerance: Tolerance) -> Self {
        let next_step = 1e-3_f64.min(tolerance.largest_step).max(tolerance.smallest_step);
        let (coarse, fine, before) = (State::new(model), State::new(model), State::new(model));
        Self { rk4: Rk4::new(model), tolerance, coarse, fine, before, next_step }
    }

    /// Integrates over `duration` s. On an error the state is where integration stopped, before the failed step.
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
            // A rest shorter than a rounding error of a step belongs to this one.
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
                // A step cut short by the end says little about the next one.
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

    /// Makes a step into `fine`; its error relative to the tolerance.
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
                // A NaN counts as an infinite error, except where nothing differs.
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
    /// As many steps as the tolerance needs for `step` s together. On an error the state is as before.
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
    to.time = from.time;
}
