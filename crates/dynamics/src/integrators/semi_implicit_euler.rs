//! Semi-implicit Euler with the velocity-dependent terms at the mean velocity:
//!
//! ```text
//!   v' = v + h a(q, (v + v')/2)       the kick of `kick`
//!   q' = q + h v'                     quaternions by the exponential map
//! ```
//!
//! This is [`SemiImplicitMidpoint`](super::SemiImplicitMidpoint) shifted by half a step: energy does not drift, but
//! oscillates by a first-order amount, since positions and velocities are h/2 apart. For time stepping that must work
//! at the configuration at the start of the step.

use super::kick::Kick;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::{Environment, Model, State, Workspace};

/// Semi-implicit Euler with the velocity-dependent terms at the mean velocity.
#[derive(Debug, Clone)]
pub struct SemiImplicitEuler {
    kick: Kick,
}

impl SemiImplicitEuler {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        Self { kick: Kick::new(model) }
    }

    /// Sets how often the mean velocity is refined (default 1; 0 is the classical scheme, which adds energy).
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
        self.kick.begin(model, state, step, 0.0, false);
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
