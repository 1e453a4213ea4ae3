//! The default step: drift, kick, drift.
//!
//! ```text
//!   q* = q + h/2 v          half a step along the old velocities (quaternions by the exponential map)
//!   v' = v + h a(q*, (v + v')/2)      the kick of `kick`, at the middle configuration and the mean velocity
//!   q' = q* + h/2 v'        half a step along the new ones
//! ```

use super::kick::{Kick, restore_armature};
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::{Environment, Model, State, Workspace};

/// The default step of the fast path.
#[derive(Debug, Clone)]
pub struct SemiImplicitMidpoint {
    kick: Kick,
    middle: Vec<f64>,
}

impl SemiImplicitMidpoint {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        Self { kick: Kick::new(model, 1), middle: vec![0.0; model.positions()] }
    }

    /// How often the mean velocity is refined (1 unless told otherwise).
    pub fn with_refinements(mut self, refinements: u32) -> Self {
        self.kick.refinements = refinements;
        self
    }

    /// The first half: the velocities that the step would end with if nothing touched, written to `velocity`. The
    /// workspace is left at the middle configuration, with the factors of the step's inertia, so that a contact solver
    /// can find contacts there and add to the velocities.
    pub fn free_velocities(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
        velocity: &mut [f64],
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        self.middle.copy_from_slice(&state.q);
        advance_positions(model, &mut self.middle, &state.v, half);
        let (middle, time) = (&self.middle, state.time + half);
        self.kick.accelerations(model, middle, &state.v, time, environment, workspace, step, half);
        check_finite(model, &workspace.acceleration, state.time)?;
        for (new, (v, a)) in velocity.iter_mut().zip(state.v.iter().zip(&workspace.acceleration)) {
            *new = v + step * a;
        }
        Ok(())
    }

    /// The second half: takes these velocities and moves on from the middle configuration to the end of the step.
    pub fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        workspace: &mut Workspace,
        step: f64,
        velocity: &[f64],
    ) {
        restore_armature(model, workspace);
        state.v.copy_from_slice(velocity);
        state.q.copy_from_slice(&self.middle);
        advance_positions(model, &mut state.q, &state.v, 0.5 * step);
        state.time += step;
    }
}

impl Integrator for SemiImplicitMidpoint {
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        self.middle.copy_from_slice(&state.q);
        advance_positions(model, &mut self.middle, &state.v, half);
        let (middle, time) = (&self.middle, state.time + half);
        self.kick.accelerations(model, middle, &state.v, time, environment, workspace, step, half);
        restore_armature(model, workspace);
        check_finite(model, &workspace.acceleration, state.time)?;
        for (v, a) in state.v.iter_mut().zip(&workspace.acceleration) {
            *v += step * a;
        }
        state.q.copy_from_slice(&self.middle);
        advance_positions(model, &mut state.q, &state.v, half);
        state.time += step;
        Ok(())
    }
}
