//! The change of velocities of the semi-implicit steps, at one configuration q:
//!
//! ```text
//!   v' = v + h a,    (M(q) + G) a = Q - b(q, (v + v') / 2)
//! ```
//!
//! with M the joint-space inertia, b the velocity-dependent terms (centrifugal, Coriolis and gyroscopic terms,
//! gravity), Q the efforts and G the diagonal of the implicit joint forces (see `joint_forces`). Explicit b(q, v) adds
//! energy: a box at 10 rad/s explodes within a minute at 1/240 s. With b at the mean velocity the kick is symmetric in
//! time.
//!
//! The equation is implicit in v'. It is solved by iterating `a_k = A(v + h/2 a_(k-1))`. All evaluations at a
//! configuration except the first reuse its inertias and factors (see `bias_pass`: less than half the work).

use crate::integrators::explicit::{add, drive, enter};
use crate::joint::Joint;
use crate::{
    Environment, ImplicitJointForces, Model, Moment, State, Workspace, accelerations_at_velocities,
    articulated_inertias, joint_accelerations,
};

/// Effect of an error of the mean velocity on a step below which no further pass is made: the error (rad/s or m/s)
/// times the angle that the fastest joint turns by.
const NEGLIGIBLE_EFFECT: f64 = 2e-6;
/// Assumed minimum speed of joints, in rad/s.
const MIN_JOINT_SPEED: f64 = 1.0;

/// Error of the mean velocity before a kick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Correction {
    /// Largest error, in rad/s or m/s. The translation of a tree as a whole is ignored.
    error: f64,
    /// Angle that the fastest joint turns by in the step.
    turn: f64,
}

impl Correction {
    fn is_negligible(&self) -> bool {
        self.error * self.turn <= NEGLIGIBLE_EFFECT
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Kick {
    forces: ImplicitJointForces,
    /// Efforts of the environment along the joints, in N m and N.
    pub driven: Vec<f64>,
    efforts: Vec<f64>,
    /// Current estimate of `(v + v') / 2`.
    pub mean_velocity: Vec<f64>,
    /// Accelerations by constraints that are expected in the step: velocity-dependent terms are those of the
    /// constrained motion.
    pub constraint_acceleration: Vec<f64>,
    /// Whether any of them is not zero.
    expects_constraints: bool,
    pub refinements: u32,
    /// For each degree of freedom 1, or 0 if forces do not depend on it: translation of a free link.
    affects_forces: Vec<f64>,
}

impl Kick {
    pub fn new(model: &Model) -> Self {
        let dofs = vec![0.0; model.dofs()];
        let forces = ImplicitJointForces::new(model);
        let mut affects_forces = vec![1.0; model.dofs()];
        for link in model.links().iter().filter(|link| link.joint == Joint::Free) {
            affects_forces[link.v + 3..link.v + 6].fill(0.0);
        }
        Self {
            forces,
            driven: dofs.clone(),
            efforts: dofs.clone(),
            mean_velocity: dofs.clone(),
            constraint_acceleration: dofs,
            expects_constraints: false,
            refinements: 8,
            affects_forces,
        }
    }

    /// Begins a kick of `step` s: joint forces are linearised at the positions of the state, to which the step has moved
    /// in the time `passed`. Servos are clamped according to the expected mean velocity, or as the last attempt at this
    /// kick has shown.
    pub fn begin(&mut self, model: &Model, state: &State, step: f64, passed: f64, is_decided: bool) {
        self.forces.prepare((model, &state.motors), (&state.q, &state.v), step, passed);
        self.expects_constraints = self.constraint_acceleration.iter().any(|a| *a != 0.0);
        if is_decided {
            self.forces.clamp_as_decided(model);
        } else if self.expects_constraints {
            // `efforts` is free until the first pass.
            let means = self.mean_velocity.iter().zip(&state.v);
            self.efforts.iter_mut().zip(means).for_each(|(a, (mean, v))| *a = (mean - v) * (2.0 / step));
            self.forces.saturate(model, &self.efforts);
        }
    }

    /// Computes the kick at configuration q, refined from the current estimate of the mean velocity, and updates that
    /// estimate. Leaves the accelerations and the factors of `M + G` in the workspace.
    pub fn at(
        &mut self,
        model: &Model,
        (q, v): (&[f64], &[f64]),
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) {
        self.enter(model, q, time, environment, workspace);
        loop {
            workspace.diagonal.copy_from_slice(&self.forces.diagonal);
            self.efforts.copy_from_slice(&self.forces.efforts);
            add(&mut self.efforts, &self.driven);
            articulated_inertias(model, &self.efforts, workspace);
            joint_accelerations(model, workspace);
            // With constraints the accelerations are not known yet.
            if self.expects_constraints || !self.forces.saturate(model, &workspace.acceleration) {
                break;
            }
        }
        let mut correction = self.update_mean(v, workspace, step);
        for _ in 0..self.refinements {
            if correction.is_negligible() {
                break;
            }
            accelerations_at_velocities(model, &self.mean_velocity, &self.efforts, workspace);
            correction = self.update_mean(v, workspace, step);
        }
    }

    /// The first pass at a configuration and the mean velocity, with the forces that act there.
    pub fn enter(
        &mut self,
        model: &Model,
        q: &[f64],
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
    ) {
        enter(model, q, &self.mean_velocity, time, environment, workspace);
        workspace.diagonal.copy_from_slice(&self.forces.diagonal);
        let moment = Moment { q, v: &self.mean_velocity, time, efforts: &self.forces.efforts };
        drive(model, &moment, environment, workspace, &mut self.driven);
    }

    /// Returns the effect of wrong constraint accelerations: the error of the mean velocity times the angle that the
    /// fastest joint turns by.
    pub fn error_of_constraints(&self, found: impl Fn(usize) -> f64, step: f64) -> f64 {
        let (mut error, mut fastest) = (0.0_f64, MIN_JOINT_SPEED);
        for (k, affects) in self.affects_forces.iter().enumerate() {
            error = error.max(0.5 * step * (found(k) - self.constraint_acceleration[k]).abs() * affects);
            fastest = fastest.max(self.mean_velocity[k].abs() * affects);
        }
        error * step * fastest.max(error)
    }

    /// Decides which servos are clamped in the next attempt at this step, given the accelerations with all constraints.
    /// Returns whether anything changes.
    pub fn reconsider_servos(&mut self, model: &Model, acceleration: impl Fn(usize) -> f64) -> bool {
        self.forces.reconsider(model, acceleration)
    }

    /// Writes the efforts of the step at accelerations, drives and springs included: `efforts - diagonal a` without the
    /// part that armature takes.
    pub fn effective_efforts(&self, model: &Model, accelerations: impl Fn(usize) -> f64, efforts: &mut [f64]) {
        for (k, effort) in efforts.iter_mut().enumerate() {
            let implicit = self.forces.diagonal[k] - model.properties()[k].armature;
            *effort = self.efforts[k] - implicit * accelerations(k);
        }
    }

    fn update_mean(&mut self, v: &[f64], workspace: &Workspace, step: f64) -> Correction {
        let (mut error, mut fastest) = (0.0_f64, MIN_JOINT_SPEED);
        for (k, mean) in self.mean_velocity.iter_mut().enumerate() {
            let new = v[k] + 0.5 * step * (workspace.acceleration[k] + self.constraint_acceleration[k]);
            error = error.max((new - *mean).abs() * self.affects_forces[k]);
            fastest = fastest.max(new.abs() * self.affects_forces[k]);
            *mean = new;
        }
        Correction { error, turn: step * fastest }
    }
}
