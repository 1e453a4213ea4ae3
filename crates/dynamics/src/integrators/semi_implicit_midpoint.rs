//! The default step: drift, kick, drift.
//!
//! ```text
//!   q* = q + h/2 v                    the middle of the step (quaternions by the exponential map)
//!   v' = v + h A(q*, (v + v') / 2)    all forces act there
//!   q' = q* + h/2 v'
//! ```
//!
//! A includes the linearly implicit springs, dampers and servos of `joint_forces`. The step is symmetric in time, so
//! energy does not drift in one direction, and of second order. A force at the middle of the step needs one
//! configuration, at which a contact solver finds and holds contacts, too.
//!
//! The kick is implicit in v'. The mean velocity that is expected is
//!
//! ```text
//!   m = v + h/2 (2 a_1 - a_2 + c)
//! ```
//!
//! with a_1, a_2 the accelerations of the last two steps and c that by contacts and constraints, extrapolated from the
//! last two steps. Without c velocity products would be those of an unconstrained motion: a motor that presses an arm
//! against a stop would pull the forearm outward, as if the arm rotated. A pass more follows unless m hardly changes
//! (see `kick`). The first step has no accelerations to extrapolate from.
//!
//! A single free body rotates by its angular momentum (see `free_body`), which is conserved to rounding. Floating trees
//! conserve their momenta to rounding, too (see `momentum`).
//!
//! Limits: the centre of mass of a floating tree follows its momentum to second order only; energy is not bounded for
//! trees that turn by more than about a tenth of a radian per step; forces of the environment are explicit.

use super::free_body::{Acting, FreeBodies};
use super::kick::Kick;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::kinematics::{outward_kinematics, update_kinematics, update_velocities};
use crate::momentum::MomentumKeeper;
use crate::{Environment, Model, State, Workspace};

/// Change of the acceleration by constraints from step to step, relative to it, up to which it is extrapolated.
const SMOOTH_CHANGE: f64 = 0.25;

/// The default integrator.
#[derive(Debug, Clone)]
pub struct SemiImplicitMidpoint {
    kick: Kick,
    /// Positions at the start of the step.
    start: Vec<f64>,
    /// Velocities at the end of the step.
    velocity: Vec<f64>,
    /// Velocities at the end of the step without the changes of a contact solver.
    smooth: Vec<f64>,
    free_bodies: FreeBodies,
    momenta: MomentumKeeper,
    /// Changes of the velocities by a contact solver.
    changes: Vec<f64>,
    acceleration: Vec<f64>,
    /// Velocities that move links in this step only.
    displacement: Vec<f64>,
    is_displaced: bool,
    /// Whether the accelerations by constraints are known from a first attempt at this step.
    has_expectation: bool,
}

impl SemiImplicitMidpoint {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let velocity = vec![0.0; model.dofs()];
        Self {
            kick: Kick::new(model),
            start: vec![0.0; model.positions()],
            smooth: velocity.clone(),
            free_bodies: FreeBodies::new(model),
            momenta: MomentumKeeper::new(model),
            changes: velocity.clone(),
            acceleration: velocity.clone(),
            displacement: velocity.clone(),
            velocity,
            is_displaced: false,
            has_expectation: false,
        }
    }

    /// Sets how often the mean velocity is refined (default 1).
    pub fn with_refinements(mut self, refinements: u32) -> Self {
        self.kick.refinements = refinements;
        self
    }

    /// The first drift: moves the state to the middle of a step of `step` s.
    pub fn drift(&mut self, model: &Model, state: &mut State, step: f64) {
        self.start.copy_from_slice(&state.q);
        advance_positions(model, &mut state.q, &state.v, 0.5 * step);
        state.time += 0.5 * step;
        self.has_expectation = false;
        self.is_displaced = false;
    }

    /// Takes the first drift back, and the kick if there was one.
    pub fn drift_back(&mut self, model: &Model, state: &mut State, workspace: &mut Workspace, step: f64) {
        workspace.restore_armature(model);
        state.q.copy_from_slice(&self.start);
        state.time -= 0.5 * step;
    }

    /// Positions at the start of the step.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// The kick without contacts: computes the velocities at the end of the step. The state is at the middle. The
    /// workspace keeps the factors of the step's inertia, so that a contact solver can change
    /// [`velocities_mut`](Self::velocities_mut) before [`finish`](Self::finish).
    pub fn kick(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        if !self.momenta.is_empty() && !self.has_expectation {
            outward_kinematics(model, &self.start, &state.v, workspace);
            self.momenta.begin(model, workspace);
        }
        let Self { kick, start, velocity, smooth, free_bodies, momenta, .. } = self;
        let has_expectation = std::mem::take(&mut self.has_expectation);
        if !has_expectation {
            extrapolate_constraints(state, &mut kick.constraint_acceleration);
            extrapolate_mean_velocity(state, &kick.constraint_acceleration, half, &mut kick.mean_velocity);
        }
        if free_bodies.are_all() {
            kick.enter(model, &state.q, state.time, environment, workspace);
            let acting = Acting { driven: &kick.driven, constraints: &kick.constraint_acceleration };
            free_bodies.step_freely(model, (start, state), workspace, &acting, step, velocity);
            workspace.restore_armature(model);
        } else {
            kick.begin(model, state, step, half, has_expectation);
            kick.at(model, (&state.q, &state.v), state.time, environment, workspace, step);
            for (k, velocity) in velocity.iter_mut().enumerate() {
                *velocity = state.v[k] + step * workspace.acceleration[k];
            }
            self.acceleration.copy_from_slice(&workspace.acceleration);
            let acting = Acting { driven: &kick.driven, constraints: &kick.constraint_acceleration };
            free_bodies.spin(model, (start, state), workspace, &acting, step, velocity);
            momenta.load(model, workspace, step);
        }
        smooth.copy_from_slice(velocity);
        check_finite(model, velocity, state.time).inspect_err(|_| workspace.restore_armature(model))
    }

    /// Returns whether servos are clamped that should not be, or the other way round, given the velocities that a contact
    /// solver has made of those of [`kick`](Self::kick); or whether accelerations by constraints were not those expected:
    /// the error of the mean velocity times the angle that the fastest joint turns by is above a tolerance, in rad/s. Then
    /// the next kick starts from the motion that was found.
    pub fn expects_other_motion(
        &mut self,
        model: &Model,
        state: &State,
        velocities: &[f64],
        step: f64,
        tolerance: f64,
    ) -> bool {
        let Self { kick, smooth, acceleration, .. } = self;
        let found = |k: usize| (velocities[k] - smooth[k]) / step;
        let clamps_others = kick.reconsider_servos(model, |k| acceleration[k] + found(k));
        self.has_expectation = clamps_others || kick.error_of_constraints(found, step) > tolerance;
        if self.has_expectation {
            for (k, velocity) in velocities.iter().enumerate() {
                kick.constraint_acceleration[k] = (velocity - smooth[k]) / step;
                kick.mean_velocity[k] = 0.5 * (state.v[k] + velocity);
            }
        }
        self.has_expectation
    }

    /// Writes the efforts of the last kick along the joints, if it ends with the velocities that a contact solver has made
    /// of those of [`kick`](Self::kick), in N m or N.
    pub fn effective_efforts(&self, model: &Model, velocities: &[f64], step: f64, efforts: &mut [f64]) {
        let found = |k: usize| self.acceleration[k] + (velocities[k] - self.smooth[k]) / step;
        self.kick.effective_efforts(model, found, efforts);
    }

    /// Corrects the angular velocities that a contact solver has found for free bodies, so that these conserve their angular
    /// momentum.
    pub fn spin_free_bodies(
        &self,
        model: &Model,
        state: &State,
        workspace: &Workspace,
        velocities: &mut [f64],
        step: f64,
    ) {
        let acting = (workspace, &self.kick.driven[..]);
        let Self { start, smooth, free_bodies, .. } = self;
        free_bodies.spin_after_impulses(model, (start, state), acting, (step, smooth), velocities);
    }

    /// Conserves the momenta of floating trees, except those that the next step connects to something immovable, given
    /// by the index of their root: these exchange momentum with it anyway.
    pub fn keep_momenta_unless(&mut self, is_held: impl Fn(usize) -> bool) {
        self.momenta.release(is_held);
    }

    /// Returns the velocities at the end of the step, in rad/s and m/s.
    pub fn velocities_mut(&mut self) -> &mut [f64] {
        &mut self.velocity
    }

    /// Moves links during this step by velocities (rad/s, m/s) that are not part of the final velocities, for example
    /// to push bodies apart. They count by half, like the changes of a contact solver.
    pub fn displace(&mut self, velocities: &[f64]) {
        self.displacement.copy_from_slice(velocities);
        self.is_displaced = true;
    }

    /// The second drift: moves from the middle of the step to its end with the velocities of the end. The workspace must
    /// still be at the middle.
    pub fn finish(&mut self, model: &Model, state: &mut State, workspace: &mut Workspace, step: f64) {
        workspace.restore_armature(model);
        for (k, change) in self.changes.iter_mut().enumerate() {
            *change = self.velocity[k] - self.smooth[k];
        }
        self.momenta.push(model, &self.changes, workspace);
        state.v.copy_from_slice(&self.velocity);
        store_accelerations(state, &self.acceleration);
        store_constraint_accelerations(state, &self.changes, step);
        if std::mem::take(&mut self.is_displaced) {
            for (moved, velocity) in self.displacement.iter_mut().zip(&self.velocity) {
                *moved += velocity;
            }
            advance_positions(model, &mut state.q, &self.displacement, 0.5 * step);
        } else {
            advance_positions(model, &mut state.q, &self.velocity, 0.5 * step);
        }
        state.time += 0.5 * step;
        keep_momenta(&self.momenta, model, state, workspace);
    }
}

/// Sets the momenta of floating trees to the required values. Brings the workspace to the state.
fn keep_momenta(momenta: &MomentumKeeper, model: &Model, state: &mut State, workspace: &mut Workspace) {
    if !momenta.is_empty() {
        update_kinematics(model, state, workspace);
        momenta.finish(model, state, workspace);
        update_velocities(model, &state.v, workspace);
        workspace.remember(state);
    }
}

/// After a first step, the next acceleration is expected to be the same.
fn store_accelerations(state: &mut State, new: &[f64]) {
    let [last, before] = &mut state.accelerations;
    let is_first = last.iter().all(|a| *a == 0.0);
    before.copy_from_slice(if is_first { new } else { last });
    last.copy_from_slice(new);
}

/// Computes `v + h/2 (a + c)`, with the acceleration extrapolated linearly from the last two.
fn extrapolate_mean_velocity(state: &State, constraints: &[f64], half: f64, mean: &mut [f64]) {
    let [last, before] = &state.accelerations;
    for (k, mean) in mean.iter_mut().enumerate() {
        *mean = state.v[k] + half * (2.0 * last[k] - before[k] + constraints[k]);
    }
}

fn store_constraint_accelerations(state: &mut State, changes: &[f64], step: f64) {
    let [last, before] = &mut state.constraint_accelerations;
    std::mem::swap(last, before);
    for (last, change) in last.iter_mut().zip(changes) {
        *last = change / step;
    }
}

/// Predicts the accelerations by constraints: extrapolated linearly while they change smoothly, otherwise what the last
/// two steps have in common, so that the impulse of a single step does not act in the next.
fn extrapolate_constraints(state: &State, constraints: &mut [f64]) {
    let [last, before] = &state.constraint_accelerations;
    for (k, expected) in constraints.iter_mut().enumerate() {
        let (last, before) = (last[k], before[k]);
        let change = last - before;
        *expected = if change.abs() <= SMOOTH_CHANGE * last.abs().min(before.abs()) {
            last + change
        } else if last * before > 0.0 {
            last.signum() * last.abs().min(before.abs())
        } else {
            0.0
        };
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
        self.drift(model, state, step);
        if let Err(error) = self.kick(model, state, environment, workspace, step) {
            self.drift_back(model, state, workspace, step);
            return Err(error);
        }
        self.finish(model, state, workspace, step);
        Ok(())
    }
}
