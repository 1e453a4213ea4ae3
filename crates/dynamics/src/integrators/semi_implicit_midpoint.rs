//! The default step: the midpoint rule, started with accelerations extrapolated from the last steps.
//!
//! ```text
//!   m  = v + h/2 (2 a_1 - a_2 + c)    the mean velocity to be expected: a_1, a_2 the accelerations of the last two steps
//!   up to three times:
//!     q* = q + h/2 m                  the middle configuration (quaternions by the exponential map)
//!     a  = A(q*, m)                   the three passes
//!     m  = v + h/2 (a + c)
//!     a  = A(q*, m),  m = ...         the bias pass, unless m hardly changed: same inertias and factors
//!     done if m was right before
//!   v' = v + h a,   q' = q + h m
//! ```
//!
//! with c the acceleration by contacts and constraints, extrapolated from the last two steps. Without it velocity
//! products would be those of an unconstrained motion: a motor that presses an arm against a stop would pull the
//! forearm outward, as if the arm rotated.
//!
//! A includes the linearly implicit springs, dampers and servos of `joint_forces`, linearised about `q + h/2 v`.
//!
//! The midpoint rule is symmetric in time, so energy does not drift in one direction, unless the equation is solved
//! loosely. Starting from m = v, two rounds of passes are accurate enough. Starting from the extrapolated
//! accelerations, one round suffices as long as the motion is smooth, and its error is known: the change of m, times
//! the angle that joints turn by in the step (see `kick`). Largest deviation of the energy over 60 s at 1/240 s, and
//! the passes of a step relative to semi-implicit Euler:
//!
//! | scheme | box, 10 rad/s | five hinge trees of 12 links, 5 rad/s | passes |
//! |---|---|---|---|
//! | semi-implicit Euler, explicit | explodes | explode | 1 |
//! | semi-implicit Euler, mean velocity | 0.06 % | 1 to 8 % | 1.4 |
//! | one round from m = v | 0.06 % | 0.2 to 2.2 % | 1.4 |
//! | two rounds from m = v | 0.01 % | 0.03 to 0.08 % | 2.7 |
//! | **this** | 0.01 % | 0.03 % (one of them) | 1.4, seldom more |
//! | implicit midpoint to rounding | 0.01 % | 0.03 to 0.13 % | 15 |
//!
//! (Motion is chaotic at 5 rad/s, so the same scheme gives other numbers after any change of rounding.)
//!
//! A single free body rotates by its angular momentum (see `free_body`), which is conserved to rounding. If only free
//! bodies move, nothing else is needed.
//!
//! The rule conserves the momenta of floating trees only to second order, so they are corrected (see `momentum`;
//! without the correction the error is 0.01 % in a minute at 1 rad/s, but 1 to 20 % of the angular momentum in a minute
//! of violent tumbling at 5 rad/s).
//!
//! Limits: the centre of mass of a floating tree follows its momentum to second order only; energy is not bounded for
//! trees that turn by more than about a tenth of a radian per step; forces of the environment are explicit.

use super::free_body::{Acting, FreeBodies};
use super::kick::Kick;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::energy::{EnergyKeeper, StepForces};
use crate::kinematics::{update_kinematics, update_velocities};
use crate::momentum::MomentumKeeper;
use crate::{Environment, Model, State, Workspace};

/// Change of the acceleration by constraints from step to step, relative to it, up to which it is extrapolated.
const SMOOTH_CHANGE: f64 = 0.25;

/// Error of the mean velocity by wrong constraint accelerations, times the angle that the fastest joint turns by, above
/// which a step is predicted again, in rad/s.
const MAX_CONSTRAINT_ERROR: f64 = 2e-4;

/// The default integrator.
#[derive(Debug, Clone)]
pub struct SemiImplicitMidpoint {
    kick: Kick,
    rounds: u32,
    middle: Vec<f64>,
    /// Velocities at the end of the step.
    velocity: Vec<f64>,
    /// Velocities at the end of the step without the changes of a contact solver.
    smooth: Vec<f64>,
    /// Mean velocity of the step, without the changes of a contact solver.
    mean: Vec<f64>,
    free_bodies: FreeBodies,
    momenta: MomentumKeeper,
    energy: EnergyKeeper,
    /// Changes of the velocities by a contact solver.
    changes: Vec<f64>,
    acceleration: Vec<f64>,
    /// Velocities that move links in this step only.
    displacement: Vec<f64>,
    is_displaced: bool,
    /// Whether the accelerations by constraints are known from a first attempt at this step.
    has_expectation: bool,
    /// Efforts along the joints in this step.
    efforts: Vec<f64>,
}

impl SemiImplicitMidpoint {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let (middle, velocity) = (vec![0.0; model.positions()], vec![0.0; model.dofs()]);
        let (smooth, mean) = (velocity.clone(), velocity.clone());
        let (free_bodies, momenta, changes) = (FreeBodies::new(model), MomentumKeeper::new(model), velocity.clone());
        let (acceleration, efforts) = (velocity.clone(), velocity.clone());
        let (kick, energy) = (Kick::new(model), EnergyKeeper::new(model));
        Self {
            kick,
            rounds: 3,
            middle,
            velocity,
            smooth,
            mean,
            free_bodies,
            momenta,
            energy,
            changes,
            acceleration,
            displacement: efforts.clone(),
            is_displaced: false,
            has_expectation: false,
            efforts,
        }
    }

    /// Sets how often the midpoint configuration is computed at most (default 3, at least 1).
    pub fn with_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// Leaves the energy of trees as it is, for callers that change velocities after a step depending on its
    /// accelerations.
    pub fn without_energy_correction(mut self) -> Self {
        self.energy = EnergyKeeper::default();
        self
    }

    /// Sets how often the mean velocity is refined in each round (default 1).
    pub fn with_refinements(mut self, refinements: u32) -> Self {
        self.kick.refinements = refinements;
        self
    }

    /// The first half: computes the velocities at the end of the step without contacts. The workspace is left at the
    /// midpoint configuration, with the factors of the step's inertia, so that a contact solver can find contacts there
    /// and change [`velocities_mut`](Self::velocities_mut) before [`finish`](Self::finish).
    pub fn begin(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let Self { momenta, energy, .. } = self;
        if !momenta.is_empty() || !energy.is_empty() {
            update_kinematics(model, state, workspace);
            momenta.begin(model, workspace);
            energy.begin(model, state, workspace);
        }
        self.has_expectation = false;
        self.begin_again(model, state, environment, workspace, step)
    }

    /// The first half again, from the same state: with other locked joints, or from the motion that
    /// [`expects_other_constraints`](Self::expects_other_constraints) has found.
    pub fn begin_again(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        let Self { kick, rounds, middle, velocity, smooth, mean, free_bodies, momenta, .. } = self;
        let has_expectation = std::mem::take(&mut self.has_expectation);
        if !has_expectation {
            extrapolate_constraints(state, &mut kick.constraint_acceleration);
            extrapolate_mean_velocity(state, &kick.constraint_acceleration, half, &mut kick.mean_velocity);
        }
        if free_bodies.are_all() {
            middle.copy_from_slice(&state.q);
            advance_positions(model, middle, &kick.mean_velocity, half);
            kick.enter(model, middle, state.time + half, environment, workspace);
            let acting = Acting { driven: &kick.driven, constraints: &kick.constraint_acceleration };
            free_bodies.step_freely(model, state, workspace, &acting, step, (mean, velocity));
            workspace.restore_armature(model);
            smooth.copy_from_slice(velocity);
            return check_finite(model, velocity, state.time);
        }
        kick.begin(model, state, step, half, has_expectation);
        for _ in 0..*rounds {
            middle.copy_from_slice(&state.q);
            advance_positions(model, middle, &kick.mean_velocity, half);
            let correction = kick.at(model, (middle, &state.v), state.time + half, environment, workspace, step);
            if correction.is_final(half) {
                break;
            }
        }
        for k in 0..velocity.len() {
            velocity[k] = state.v[k] + step * workspace.acceleration[k];
            mean[k] = 0.5 * (state.v[k] + velocity[k]);
        }
        self.acceleration.copy_from_slice(&workspace.acceleration);
        let acting = Acting { driven: &kick.driven, constraints: &kick.constraint_acceleration };
        free_bodies.spin(model, state, workspace, &acting, step, (mean, velocity));
        momenta.load(model, workspace, step);
        smooth.copy_from_slice(velocity);
        check_finite(model, velocity, state.time).inspect_err(|_| workspace.restore_armature(model))
    }

    /// Returns whether velocity-dependent terms differ noticeably from those of the constrained motion (unless
    /// `only_servos`), or servos are clamped that should not be or the other way round, given the velocities that a
    /// contact solver has made of those of [`begin`](Self::begin). Then [`begin_again`](Self::begin_again) starts from the
    /// motion that was found.
    pub fn expects_other_constraints(
        &mut self,
        model: &Model,
        velocities: &[f64],
        step: f64,
        only_servos: bool,
    ) -> bool {
        let Self { kick, smooth, mean, acceleration, .. } = self;
        let found = |k: usize| (velocities[k] - smooth[k]) / step;
        let clamps_others = kick.reconsider_servos(model, |k| acceleration[k] + found(k));
        self.has_expectation =
            clamps_others || !only_servos && kick.error_of_constraints(found, mean, step) > MAX_CONSTRAINT_ERROR;
        if self.has_expectation {
            for (k, velocity) in velocities.iter().enumerate() {
                let change = velocity - smooth[k];
                kick.constraint_acceleration[k] = change / step;
                kick.mean_velocity[k] = mean[k] + 0.5 * change;
            }
        }
        self.has_expectation
    }

    /// Holds these degrees of freedom in place in the next steps, and no others: their velocities end at zero.
    pub fn lock_joints(&mut self, dofs: impl Iterator<Item = usize>) {
        self.kick.locks.set(dofs);
    }

    /// Returns the impulse that holds a locked degree of freedom, given its velocity at the end of the step, in N m s or
    /// N s.
    pub fn lock_impulse(&self, dof: usize, end_velocity: f64) -> f64 {
        self.kick.locks.impulse(dof, end_velocity)
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

    /// Takes energy from the trees of a model at the end of this step, in their order, in J: what contacts and
    /// constraints that do no work have given them.
    pub fn take_energy(&mut self, amounts: &[f64]) {
        self.energy.take(amounts);
    }

    /// Returns the error of the energy in the last step before it was corrected, relative to the kinetic energy.
    pub fn energy_error(&self) -> f64 {
        self.energy.error
    }

    /// The second half: moves from the start of the step with the mean velocity; the changes of a contact solver count
    /// by half. The workspace must still be at the positions at which [`begin`](Self::begin) left it.
    pub fn finish(&mut self, model: &Model, state: &mut State, workspace: &mut Workspace, step: f64) {
        workspace.restore_armature(model);
        for (k, change) in self.changes.iter_mut().enumerate() {
            *change = self.velocity[k] - self.smooth[k];
            self.mean[k] += 0.5 * *change;
        }
        if !self.energy.is_empty() {
            self.kick.effective_efforts(model, &self.acceleration, &mut self.efforts);
            let (efforts, mean) = (&self.efforts, &self.mean);
            let forces = StepForces { mean, efforts, constraint_changes: &self.changes };
            if self.is_displaced {
                self.energy.displace(model, (&self.displacement, efforts), step, workspace);
            }
            self.energy.load(model, &forces, step, workspace);
        }
        if std::mem::take(&mut self.is_displaced) {
            for (mean, velocity) in self.mean.iter_mut().zip(&self.displacement) {
                *mean += 0.5 * velocity;
            }
        }
        self.momenta.push(model, &self.changes, workspace);
        state.v.copy_from_slice(&self.velocity);
        store_accelerations(state, &self.acceleration);
        store_constraint_accelerations(state, &self.changes, step);
        advance_positions(model, &mut state.q, &self.mean, step);
        state.time += step;
        keep_momenta(&self.momenta, model, state, workspace);
        self.energy.error = 0.0;
        if !self.energy.is_empty() {
            update_kinematics(model, state, workspace);
            self.energy.finish(model, state, &self.momenta, workspace, step);
        }
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
        self.begin(model, state, environment, workspace, step)?;
        self.finish(model, state, workspace, step);
        Ok(())
    }
}
