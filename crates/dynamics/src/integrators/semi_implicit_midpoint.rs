//! The default step: the midpoint rule, begun with what the last steps lead one to expect.
//!
//! ```text
//!   m  = v + h/2 (2 a_1 - a_2)        the mean velocity to be expected: a_1, a_2 the accelerations of the last two steps
//!   up to three times:
//!     q* = q + h/2 m                  the middle configuration (quaternions by the exponential map)
//!     a  = A(q*, m)                   the three passes
//!     m  = v + h/2 a
//!     a  = A(q*, m),  m = v + h/2 a   the bias pass, unless m hardly changed: same inertias and factors
//!     done if m was right before
//!   v' = v + h a,   q' = q + h m
//! ```
//!
//! A includes the linearly implicit springs, dampers and servos of `joint_forces`, linearised about `q + h/2 v`.
//!
//! Why so. The midpoint rule is symmetric in time, so energy does not drift in one direction; what spoils that is a loose
//! solution. From m = v it takes two rounds of passes to be good enough; from what the last accelerations lead to, one is
//! enough as long as the motion is smooth, and what it lacks is known: the change of m, times the angle that joints turn by in
//! the step, is what the error does (see `kick`). Largest deviation of the energy over 60 s at 1/240 s, and the passes of a
//! step relative to semi-implicit Euler:
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
//! A single free body turns by its angular momentum (see `free_body`), which it keeps to rounding; where nothing else moves,
//! that is all there is to do.
//!
//! Floating trees get back what the rule takes from their momenta, which it keeps to second order only (see `momentum`;
//! without, 0.01 % in a minute at 1 rad/s, but 1 to 20 % of the angular momentum in a minute of violent tumbling at 5 rad/s).
//!
//! What it cannot do: the centre of mass of a floating tree follows its momentum to second order only; energy is not bounded
//! for trees that turn by more than about a tenth of a radian a step; forces of the environment are explicit.

use super::free_body::FreeBodies;
use super::kick::Kick;
use super::{IntegrationError, Integrator, advance_positions, check_finite};
use crate::kinematics::{update_kinematics, update_velocities};
use crate::momentum::MomentumKeeper;
use crate::{Environment, Model, State, Workspace};

/// The default step of the fast path.
#[derive(Debug, Clone)]
pub struct SemiImplicitMidpoint {
    kick: Kick,
    rounds: u32,
    middle: Vec<f64>,
    /// With which the step ends.
    velocity: Vec<f64>,
    /// The same without what a contact solver has changed.
    smooth: Vec<f64>,
    /// Mean velocity of the step, without what a contact solver has changed.
    mean: Vec<f64>,
    free_bodies: FreeBodies,
    momenta: MomentumKeeper,
    /// What a contact solver has changed of the velocities.
    changes: Vec<f64>,
    acceleration: Vec<f64>,
}

impl SemiImplicitMidpoint {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let (middle, velocity) = (vec![0.0; model.positions()], vec![0.0; model.dofs()]);
        let (smooth, mean) = (velocity.clone(), velocity.clone());
        let (free_bodies, momenta, changes) = (FreeBodies::new(model), MomentumKeeper::new(model), velocity.clone());
        let acceleration = velocity.clone();
        let kick = Kick::new(model);
        Self { kick, rounds: 3, middle, velocity, smooth, mean, free_bodies, momenta, changes, acceleration }
    }

    /// How often the middle configuration is found at most (3 unless told otherwise, at least 1).
    pub fn with_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// How often the mean velocity is refined in each round (1 unless told otherwise).
    pub fn with_refinements(mut self, refinements: u32) -> Self {
        self.kick.refinements = refinements;
        self
    }

    /// The first half: the velocities that the step would end with if nothing touched. The workspace is left at the middle
    /// configuration, with the factors of the step's inertia, so that a contact solver can find contacts there and change
    /// [`velocities_mut`](Self::velocities_mut) before [`finish`](Self::finish).
    pub fn begin(
        &mut self,
        model: &Model,
        state: &State,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Result<(), IntegrationError> {
        let half = 0.5 * step;
        let Self { kick, rounds, middle, velocity, smooth, mean, free_bodies, momenta, .. } = self;
        if !momenta.is_empty() {
            update_kinematics(model, state, workspace);
            momenta.begin(model, workspace);
        }
        expect_mean_velocity(state, half, &mut kick.mean_velocity);
        if free_bodies.are_all() {
            middle.copy_from_slice(&state.q);
            advance_positions(model, middle, &kick.mean_velocity, half);
            kick.enter(model, middle, state.time + half, environment, workspace);
            free_bodies.fly(model, state, workspace, &kick.driven, step, (mean, velocity));
            workspace.restore_armature(model);
            smooth.copy_from_slice(velocity);
            return check_finite(model, velocity, state.time);
        }
        kick.begin(model, state, step, (half, step));
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
        free_bodies.spin(model, state, workspace, &kick.driven, step, (mean, velocity));
        momenta.load(model, workspace, step);
        smooth.copy_from_slice(velocity);
        check_finite(model, velocity, state.time).inspect_err(|_| workspace.restore_armature(model))
    }

    /// Floating trees keep their momenta, but for those that the next step holds to something immovable, by the index of
    /// their root: momentum goes there anyway.
    pub fn keep_momenta_unless(&mut self, is_held: impl Fn(usize) -> bool) {
        self.momenta.release(is_held);
    }

    /// The velocities with which the step will end, in rad/s and m/s.
    pub fn velocities_mut(&mut self) -> &mut [f64] {
        &mut self.velocity
    }

    /// Moves links during this step by velocities (rad/s, m/s) that the step does not end with: to push bodies apart, say.
    /// They count by half, as what a contact solver changes does.
    pub fn displace(&mut self, velocities: &[f64]) {
        for (mean, velocity) in self.mean.iter_mut().zip(velocities) {
            *mean += 0.5 * velocity;
        }
    }

    /// The second half: moves from the start of the step along the mean velocity; what a contact solver has changed counts
    /// by half. The workspace must still be at the positions at which [`begin`](Self::begin) left it.
    pub fn finish(&mut self, model: &Model, state: &mut State, workspace: &mut Workspace, step: f64) {
        workspace.restore_armature(model);
        for (k, change) in self.changes.iter_mut().enumerate() {
            *change = self.velocity[k] - self.smooth[k];
            self.mean[k] += 0.5 * *change;
        }
        self.momenta.push(model, &self.changes, workspace);
        state.v.copy_from_slice(&self.velocity);
        remember_accelerations(state, &self.acceleration);
        advance_positions(model, &mut state.q, &self.mean, step);
        state.time += step;
        keep_momenta(&self.momenta, model, state, workspace);
    }
}

/// Gives floating trees the momenta that they must have; brings the workspace to the state.
fn keep_momenta(momenta: &MomentumKeeper, model: &Model, state: &mut State, workspace: &mut Workspace) {
    if !momenta.is_empty() {
        update_kinematics(model, state, workspace);
        momenta.finish(model, state, workspace);
        update_velocities(model, &state.v, workspace);
        workspace.remember(state);
    }
}

/// A first step is all that there is to go by: then the next acceleration is expected to be the same.
fn remember_accelerations(state: &mut State, new: &[f64]) {
    let [last, before] = &mut state.accelerations;
    let is_first = last.iter().all(|a| *a == 0.0);
    before.copy_from_slice(if is_first { new } else { last });
    last.copy_from_slice(new);
}

/// `v + h/2 a`, with the acceleration that a straight line through the last two leads to.
fn expect_mean_velocity(state: &State, half: f64, mean: &mut [f64]) {
    let [last, before] = &state.accelerations;
    for (k, mean) in mean.iter_mut().enumerate() {
        *mean = state.v[k] + half * (2.0 * last[k] - before[k]);
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
