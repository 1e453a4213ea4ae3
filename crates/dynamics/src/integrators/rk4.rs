//! The classical Runge-Kutta method of fourth order (Fontijne 2000, section 3.8).
//!
//! Quaternions are integrated as four numbers under `qdot = q w / 2` and normalised at the end of each step; the
//! accelerations are those of the normalised positions. On that extended space the equations are smooth, so the order
//! is four. Joint forces are explicit: a stiff servo needs a short step.

use super::explicit::Explicit;
use super::positions::position_rates;
use super::{IntegrationError, Integrator, check_finite, normalize_positions};
use crate::{Environment, Model, State, Workspace};

/// The classical Runge-Kutta method: fourth order, fixed step.
#[derive(Debug, Clone)]
pub struct Rk4 {
    explicit: Explicit,
    q: Vec<f64>,
    v: Vec<f64>,
    q_rate: Vec<f64>,
    q_sum: Vec<f64>,
    v_sum: Vec<f64>,
}

/// Time of each stage within the step, and its weight in the sum.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

impl Rk4 {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let (q, v) = (vec![0.0; model.positions()], vec![0.0; model.dofs()]);
        let (q_rate, q_sum, v_sum) = (q.clone(), q.clone(), v.clone());
        Self { explicit: Explicit::new(model), q, v, q_rate, q_sum, v_sum }
    }
}

impl Integrator for Rk4 {
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let Self { explicit, q, v, q_rate, q_sum, v_sum } = self;
        q_sum.copy_from_slice(&state.q);
        v_sum.copy_from_slice(&state.v);
        for (stage, (moment, weight)) in STAGES.into_iter().enumerate() {
            // The state of the stage, from the rates of the previous stage.
            let forward = moment * step;
            if stage == 0 {
                q.copy_from_slice(&state.q);
                v.copy_from_slice(&state.v);
            } else {
                for (q, (start, rate)) in q.iter_mut().zip(state.q.iter().zip(q_rate.iter())) {
                    *q = start + forward * rate;
                }
                for (v, (start, rate)) in v.iter_mut().zip(state.v.iter().zip(&workspace.acceleration)) {
                    *v = start + forward * rate;
                }
            }
            explicit.accelerations((model, &state.motors), q, v, state.time + forward, environment, workspace);
            position_rates(model, q, v, q_rate);
            for (sum, rate) in q_sum.iter_mut().zip(q_rate.iter()) {
                *sum += step * weight * rate;
            }
            for (sum, rate) in v_sum.iter_mut().zip(&workspace.acceleration) {
                *sum += step * weight * rate;
            }
        }
        check_finite(model, v_sum, state.time)?;
        normalize_positions(model, q_sum);
        state.q.copy_from_slice(q_sum);
        state.v.copy_from_slice(v_sum);
        state.time += step;
        Ok(())
    }

    /// Damped modes up to this rate decay.
    fn stable_rate(&self) -> f64 {
        2.5
    }
}
