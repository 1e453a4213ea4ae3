//! Semi-implicit Euler with the velocity-dependent terms at the mean velocity (DESIGN decision 7):
//!
//! ```text
//!   v' = v + h a(q, (v + v')/2)       the kick of `kick`
//!   q' = q + h v'                     quaternions by the exponential map
//! ```
//!
//! The same as [`SemiImplicitMidpoint`](super::SemiImplicitMidpoint) seen half a step off: energy does not drift here
//! either, but it swings by a first-order amount, since positions and velocities belong to moments h/2 apart. For time
//! stepping that must work at the configuration in which the step begins.

use super::kick::Kick;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::{Environment, Model, State, Workspace};

/// Semi-implicit Euler with the velocity-dependent terms at the mean velocity.
#[derive(Debug, Clone)]
pub struct SemiImplicitEuler {
    kick: Kick,
}

impl SemiImplicitEuler {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        Self { kick: Kick::new(model) }
    }

    /// How often the mean velocity is refined (1 unless told otherwise; 0 is the classical, energy-feeding scheme).
    pub fn with_refinements(mut self, refinements: u32) -> Self {
        self.kick.refinements = refinements;
        self
    }
}

impl Integrator for SemiImplicitEuler {
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        self.kick.mean_velocity.copy_from_slice(&state.v);
        self.kick.begin(model, state, step, (0.0, step));
        self.kick.at(model, (&state.q, &state.v), state.time, environment, workspace, step);
        workspace.restore_armature(model);
        check_finite(model, &workspace.acceleration, state.time)?;
        for (v, a) in state.v.iter_mut().zip(&workspace.acceleration) {
            *v += step * a;
        }
        advance_positions(model, &mut state.q, &state.v, step);
        state.time += step;
        Ok(())
    }
}
