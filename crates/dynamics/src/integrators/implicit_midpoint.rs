//! The implicit midpoint rule on the manifold of positions:
//!
//! ```text
//!   m  = v + h/2 a                the mean velocity
//!   q* = q + h/2 m                quaternions by the exponential map
//!   a  = A(q*, m)                 forward dynamics there
//!   v' = v + h a,   q' = q + h m
//! ```
//!
//! It is symmetric in time and of second order: energy oscillates by an amount of order h^2 and does not drift. The
//! momentum of floating trees is conserved to rounding by a correction of the root's acceleration (see
//! `momentum_balance`).
//!
//! a is found by iteration. Plain iteration would need a small `h^2 k / m`, so the joint springs and dampers are solved
//! for: with `G = h/2 damping + h^2/4 stiffness` (servos included) each iteration solves `(M + G) a' = M A(q*, m) + G
//! a`, which is a Newton step with respect to joint forces. The rest converges by a factor of about `h |w|` per
//! iteration.

use super::explicit::{add, drive, enter};
use super::momentum_balance::MomentumBalance;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::forward_dynamics::own_inertias;
use crate::kinematics::outward_kinematics;
use crate::spec::Motor;
use crate::{Environment, Model, Moment, State, Workspace, articulated_inertias, joint_accelerations, joint_efforts};

/// The implicit midpoint rule.
#[derive(Debug, Clone)]
pub struct ImplicitMidpoint {
    /// Change of the velocities, relative to the largest one, at which the iteration ends.
    pub tolerance: f64,
    /// Maximum number of iterations of a step.
    pub max_iterations: u32,
    acceleration: Vec<f64>,
    mean: Vec<f64>,
    middle: Vec<f64>,
    efforts: Vec<f64>,
    driven: Vec<f64>,
    end_velocity: Vec<f64>,
    balance: MomentumBalance,
}

impl ImplicitMidpoint {
    /// Allocates memory for a model. The tolerance is 1e-12, with at most 50 iterations.
    pub fn new(model: &Model) -> Self {
        let dofs = vec![0.0; model.dofs()];
        Self {
            tolerance: 1e-12,
            max_iterations: 50,
            acceleration: dofs.clone(),
            mean: dofs.clone(),
            middle: vec![0.0; model.positions()],
            efforts: dofs.clone(),
            driven: dofs.clone(),
            end_velocity: dofs,
            balance: MomentumBalance::new(model),
        }
    }

    /// Computes the diagonal of `M + G`, and the efforts with `G a` added. A servo with an effort limit is taken
    /// without slope, so a stiff one may fail to converge.
    fn linearize_joint_forces(&mut self, model: &Model, motors: &[Motor], workspace: &mut Workspace, step: f64) {
        for (dof, p) in model.properties().iter().enumerate() {
            let (stiffness, damping) = match motors[dof] {
                Motor::Velocity { gain, .. } if p.max_effort == f64::INFINITY => (p.stiffness, p.damping + gain),
                Motor::Position { stiffness, damping, .. } if p.max_effort == f64::INFINITY => {
                    (p.stiffness + stiffness, p.damping + damping)
                }
                _ => (p.stiffness, p.damping),
            };
            let slope = 0.5 * step * (damping + 0.5 * step * stiffness);
            workspace.diagonal[dof] = p.armature + slope;
            self.efforts[dof] += slope * self.acceleration[dof];
        }
    }

    /// Evaluates the estimated end of the step, and improves the corrections of the roots.
    fn balance_momentum(&mut self, model: &Model, state: &State, workspace: &mut Workspace, step: f64) {
        for (k, (v, a)) in state.v.iter().zip(&self.acceleration).enumerate() {
            self.mean[k] = v + 0.5 * step * a;
            self.end_velocity[k] = v + step * a;
        }
        self.middle.copy_from_slice(&state.q);
        advance_positions(model, &mut self.middle, &self.mean, step);
        outward_kinematics(model, &self.middle, &self.end_velocity, workspace);
        own_inertias(model, workspace);
        self.balance.improve(model, workspace, step);
    }
}

impl Integrator for ImplicitMidpoint {
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        self.acceleration.fill(0.0);
        if !self.balance.is_empty() {
            outward_kinematics(model, &state.q, &state.v, workspace);
            own_inertias(model, workspace);
            self.balance.begin(workspace);
        }
        let mut change = f64::INFINITY;
        for _ in 0..self.max_iterations {
            for (mean, (v, a)) in self.mean.iter_mut().zip(state.v.iter().zip(&self.acceleration)) {
                *mean = v + half * a;
            }
            self.middle.copy_from_slice(&state.q);
            advance_positions(model, &mut self.middle, &self.mean, half);
            enter(model, &self.middle, &self.mean, state.time + half, environment, workspace);
            joint_efforts(model, &state.motors, &self.middle, &self.mean, &mut self.efforts);
            workspace.restore_armature(model);
            let moment = Moment { q: &self.middle, v: &self.mean, time: state.time + half, efforts: &self.efforts };
            drive(model, &moment, environment, workspace, &mut self.driven);
            add(&mut self.efforts, &self.driven);
            own_inertias(model, workspace);
            self.balance.aim(model, &self.efforts, workspace, step);
            self.linearize_joint_forces(model, &state.motors, workspace, step);
            articulated_inertias(model, &self.efforts, workspace);
            joint_accelerations(model, workspace);
            self.balance.correct(model, &mut workspace.acceleration);

            let (mut largest, mut difference) = (0.0_f64, 0.0_f64);
            for (old, (new, v)) in self.acceleration.iter_mut().zip(workspace.acceleration.iter().zip(&state.v)) {
                largest = largest.max(v.abs()).max((step * new).abs());
                difference = difference.max((step * (new - *old)).abs());
                *old = *new;
            }
            change = if largest > 0.0 { difference / largest } else { 0.0 };
            if change <= self.tolerance {
                break;
            }
            if !self.balance.is_empty() {
                self.balance_momentum(model, state, workspace, step);
            }
        }
        workspace.restore_armature(model);
        check_finite(model, &self.acceleration, state.time)?;
        if change > self.tolerance {
            let iterations = self.max_iterations;
            return Err(IntegrationError::NotConverged { time: state.time, iterations, change });
        }
        for (mean, (v, a)) in self.mean.iter_mut().zip(state.v.iter_mut().zip(&self.acceleration)) {
            *mean = *v + half * a;
            *v += step * a;
        }
        advance_positions(model, &mut state.q, &self.mean, step);
        state.time += step;
        Ok(())
    }
}
