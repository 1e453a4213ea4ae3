//! Efforts of springs, dampers and motors along each degree of freedom.
//!
//! There are two forms. [`joint_efforts`] is explicit, for integrators that evaluate forces at given states
//! (Runge-Kutta). [`ImplicitJointForces`] is the linearly implicit form of the default step, which is stable for any
//! stiffness of springs and servos. With h the step, a the joint acceleration, x the position and v the velocity before
//! the step:
//!
//! ```text
//!   passive spring    -k (x + h/2 v + h^2/4 a - rest)    the middle of the step: keeps the spring's energy
//!   passive damper    -d (v + t h a)
//!   velocity servo     g (target - (v + t h a))
//!   position servo     k (target - (x + t h v + t^2 h^2 a)) - d (v + t h a)
//! ```
//!
//! t is the share of the step at which dampers and servos act, from 1/2 for slow ones to 1 for those that settle within
//! the step (see `step_share`). All factors of a move to the diagonal of the joint's inertia.
//!
//! The effort of a servo is at most `max_effort`. Where the implicit effort would exceed it, it is clamped, its part of
//! the diagonal is dropped, and the acceleration is solved again ([`ImplicitJointForces::saturate`]). The acceleration
//! that counts is the one with all contacts: a leg that the ground holds would otherwise push with the effort that its
//! servo has for a leg in the air.
//!
//! For spherical joints and the rotation of free joints, the displacement is the rotation vector p from rest (or
//! target) to the present orientation; efforts are `-J^T K p`, the gradient of `p^T K p / 2`. `rest` and `target` of
//! the three axes together form a rotation vector. Dry friction and limits are left to a contact solver:
//! [`limit_violation`] only returns how far a position is beyond its limits.

use glam::DVec3;

use crate::Model;
use crate::joint::Joint;
use crate::rotation_vector::{exponential, logarithm, moment_along_inner_axes, moment_along_outer_axes};
use crate::spec::{AxisProperties, Motor};
use crate::state::{read_quaternion, read_vector};
use crate::step_share::{LastShare, inverse_inertias};

/// Relative error of the maximum effort of a servo that is tolerated, so that steps are not solved again for nothing.
const SATURATION_TOLERANCE: f64 = 0.02;

/// Computes the efforts of springs, dampers and motors at given positions and velocities, in N m or N.
pub fn joint_efforts(model: &Model, motors: &[Motor], q: &[f64], v: &[f64], efforts: &mut [f64]) {
    for_each_effort((model, motors), (q, v), (0.0, |_| 0.0), |dof, passive, motor| {
        let properties = &model.properties()[dof];
        efforts[dof] = passive - properties.damping * v[dof] + clamped(motor, properties.max_effort);
    });
}

/// The linearly implicit form; see the module documentation. Holds only scratch memory.
#[derive(Debug, Clone)]
pub struct ImplicitJointForces {
    /// The part that does not depend on the acceleration, in N m or N.
    pub efforts: Vec<f64>,
    /// Coefficient of the acceleration: armature and the implicit parts, in kg m^2 or kg.
    pub diagonal: Vec<f64>,
    /// The servo's part of each while it is not clamped.
    servo_efforts: Vec<f64>,
    servo_diagonal: Vec<f64>,
    /// Direction in which each servo is clamped, 1 or -1; 0 if it is not.
    clamped: Vec<f64>,
    /// The same for the next attempt at the step.
    decided: Vec<f64>,
    /// Inverse inertia of each axis, in 1/(kg m^2) or 1/kg.
    inverse_inertias: Vec<f64>,
    /// Share of the step at which each servo acts.
    shares: Vec<f64>,
    /// Shares that were computed last, of servos and of passive dampers.
    servo_shares: Vec<LastShare>,
    damper_shares: Vec<LastShare>,
    /// Whether any servo could reach its maximum effort.
    bounded: bool,
}

impl ImplicitJointForces {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let dofs = vec![0.0; model.dofs()];
        Self {
            efforts: dofs.clone(),
            diagonal: dofs.clone(),
            servo_efforts: dofs.clone(),
            servo_diagonal: dofs.clone(),
            clamped: dofs.clone(),
            decided: dofs.clone(),
            inverse_inertias: inverse_inertias(model),
            servo_shares: vec![LastShare::default(); dofs.len()],
            damper_shares: vec![LastShare::default(); dofs.len()],
            shares: dofs,
            bounded: false,
        }
    }

    /// Computes efforts and diagonal for a step of `step` s with the velocities v at its start. The positions q are those
    /// that the step has reached with v in the time `passed`. Springs are linearised there. No servo is clamped yet.
    pub fn prepare(&mut self, (model, motors): (&Model, &[Motor]), (q, v): (&[f64], &[f64]), step: f64, passed: f64) {
        self.choose_shares(model, motors, step);
        let Self { efforts, diagonal, servo_efforts, servo_diagonal, inverse_inertias, .. } = self;
        let (shares, damper_shares, bounded) = (&self.shares, &mut self.damper_shares, &mut self.bounded);
        *bounded = false;
        self.clamped.fill(0.0);
        let later = (0.0, |dof: usize| shares[dof] * step - passed);
        for_each_effort((model, motors), (q, v), later, |dof, passive, motor| {
            let properties = &model.properties()[dof];
            let ahead = shares[dof] * step;
            let implicit = match motors[dof] {
                Motor::None => 0.0,
                Motor::Effort(_) => 0.0,
                Motor::Velocity { gain, .. } => ahead * gain,
                Motor::Position { stiffness, damping, .. } => ahead * (damping + ahead * stiffness),
            };
            // A motor without an implicit part is clamped permanently.
            let motor = if implicit > 0.0 { motor } else { clamped(motor, properties.max_effort) };
            *bounded |= implicit > 0.0 && properties.max_effort < f64::INFINITY;
            servo_efforts[dof] = motor;
            servo_diagonal[dof] = implicit;
            efforts[dof] = passive - properties.damping * v[dof] + motor;
            let damping = match properties.damping {
                0.0 => 0.0,
                damping => damping * damper_shares[dof].at(step * damping * inverse_inertias[dof]),
            };
            diagonal[dof] = properties.armature + step * (damping + 0.25 * step * properties.stiffness) + implicit;
        });
    }

    /// Chooses the shares of the step at which servos act.
    fn choose_shares(&mut self, model: &Model, motors: &[Motor], step: f64) {
        for (dof, share) in self.shares.iter_mut().enumerate() {
            let damping = match motors[dof] {
                Motor::None | Motor::Effort(_) => continue,
                Motor::Velocity { gain, .. } => gain,
                Motor::Position { stiffness, damping, .. } => damping + step * stiffness,
            };
            let rate = (model.properties()[dof].damping + damping) * self.inverse_inertias[dof];
            *share = self.servo_shares[dof].at(step * rate);
        }
        for link in model.links().iter().filter(|link| matches!(link.joint, Joint::Spherical | Joint::Free)) {
            // The axes of a rotation act together.
            let shares = &mut self.shares[link.v..link.v + 3];
            let largest = shares.iter().copied().fold(0.0, f64::max);
            shares.fill(largest);
        }
    }

    /// Clamps the servos whose effort would exceed the maximum at the given accelerations. Returns whether there were
    /// new ones: then the accelerations have to be solved again. A clamped servo stays clamped until the next
    /// [`prepare`](Self::prepare), so this ends after at most as many rounds as there are servos.
    pub fn saturate(&mut self, model: &Model, acceleration: &[f64]) -> bool {
        let mut changed = false;
        for dof in self.bounded_dofs(model) {
            let effort = self.servo_efforts[dof] - self.servo_diagonal[dof] * acceleration[dof];
            if self.clamped[dof] == 0.0 && effort.abs() > model.properties()[dof].max_effort {
                self.clamped[dof] = effort.signum();
                self.clamp(model, dof);
                changed = true;
            }
        }
        changed
    }

    /// Clamps the servos as [`reconsider`](Self::reconsider) decided.
    pub fn clamp_as_decided(&mut self, model: &Model) {
        for dof in self.bounded_dofs(model) {
            self.clamped[dof] = self.decided[dof];
            self.clamp(model, dof);
        }
    }

    fn clamp(&mut self, model: &Model, dof: usize) {
        if self.clamped[dof] != 0.0 {
            self.efforts[dof] += self.clamped[dof] * model.properties()[dof].max_effort - self.servo_efforts[dof];
            self.diagonal[dof] -= self.servo_diagonal[dof];
        }
    }

    /// Decides which servos are clamped when the same step is prepared again, given the accelerations that followed from
    /// the present ones. A servo whose effort should point the other way is released first. Returns whether anything
    /// changes.
    pub fn reconsider(&mut self, model: &Model, acceleration: impl Fn(usize) -> f64) -> bool {
        let mut changed = false;
        for dof in self.bounded_dofs(model) {
            let bound = model.properties()[dof].max_effort;
            let effort = self.servo_efforts[dof] - self.servo_diagonal[dof] * acceleration(dof);
            self.decided[dof] = match self.clamped[dof] {
                0.0 if effort.abs() > (1.0 + SATURATION_TOLERANCE) * bound => effort.signum(),
                direction if direction * effort < (1.0 - SATURATION_TOLERANCE) * bound => 0.0,
                direction => direction,
            };
            changed |= self.decided[dof] != self.clamped[dof];
        }
        changed
    }

    /// Returns the degrees of freedom with servos that have a maximum effort.
    fn bounded_dofs(&self, model: &Model) -> impl Iterator<Item = usize> + use<> {
        let dofs = if self.bounded { model.dofs() } else { 0 };
        0..dofs
    }
}

/// Returns how far a position is beyond its limits: positive above the upper one, negative below the lower one, zero
/// between them; in rad or m. For a spherical joint only its first axis has one: how far the angle from the reference
/// orientation exceeds the upper limit. The rotation of free joints has none.
pub fn limit_violation(model: &Model, link: usize, axis: usize, q: &[f64]) -> f64 {
    let link = &model.links()[link];
    if axis >= link.dofs as usize {
        return 0.0;
    }
    let Some((lower, upper)) = model.properties()[link.v + axis].limit else { return 0.0 };
    let position = match link.joint {
        Joint::Spherical if axis == 0 => {
            return (logarithm(read_quaternion(&q[link.q..])).length() - upper).max(0.0);
        }
        Joint::Spherical => return 0.0,
        Joint::Free if axis < 3 => return 0.0,
        Joint::Free => q[link.q + axis - 3],
        _ => q[link.q + axis],
    };
    (position - upper).max(0.0) + (position - lower).min(0.0)
}

/// Calls `with(dof, effort of the passive spring, effort of the motor)`, each at the positions predicted with constant
/// velocities for the given times; that of the motors depends on the degree of freedom.
#[inline]
fn for_each_effort(
    (model, motors): (&Model, &[Motor]),
    (q, v): (&[f64], &[f64]),
    (springs_later, servos_later): (f64, impl Fn(usize) -> f64),
    mut with: impl FnMut(usize, f64, f64),
) {
    for link in model.links() {
        let properties = &model.properties()[link.v..link.v + link.dofs as usize];
        let motors = &motors[link.v..link.v + link.dofs as usize];
        let axis = |k: usize, q: f64, v: f64| {
            let p = &properties[k];
            let spring = p.stiffness * (p.rest - (q + v * springs_later));
            (spring, axis_motor(&motors[k], q + v * servos_later(link.v + k), v))
        };
        match link.joint {
            Joint::Spherical => {
                let moving = Turning { q: &q[link.q..], v: &v[link.v..], side: Side::Inner };
                let spring = moving.spring(properties, springs_later);
                let servo = moving.servo(motors, servos_later(link.v));
                for (k, motor) in motors.iter().enumerate() {
                    with(link.v + k, spring[k], motor_effort(motor, servo[k], v[link.v + k]));
                }
            }
            Joint::Free => {
                let moving = Turning { q: &q[link.q + 3..], v: &v[link.v..], side: Side::Outer };
                let spring = moving.spring(&properties[..3], springs_later);
                let servo = moving.servo(&motors[..3], servos_later(link.v));
                for (k, motor) in motors.iter().enumerate().take(3) {
                    with(link.v + k, spring[k], motor_effort(motor, servo[k], v[link.v + k]));
                }
                for k in 3..properties.len() {
                    let (spring, motor) = axis(k, q[link.q + k - 3], v[link.v + k]);
                    with(link.v + k, spring, motor);
                }
            }
            _ => {
                for k in 0..properties.len() {
                    let (spring, motor) = axis(k, q[link.q + k], v[link.v + k]);
                    with(link.v + k, spring, motor);
                }
            }
        }
    }
}

/// Returns the motor effort of a hinge or slide, not yet limited.
#[inline]
fn axis_motor(motor: &Motor, position: f64, velocity: f64) -> f64 {
    let pull = match *motor {
        Motor::Position { target, stiffness, .. } => stiffness * (target - position),
        _ => 0.0,
    };
    motor_effort(motor, pull, velocity)
}

/// Returns the effort of a motor with a given spring force, not yet limited.
#[inline]
fn motor_effort(motor: &Motor, pull: f64, velocity: f64) -> f64 {
    match *motor {
        Motor::None => 0.0,
        Motor::Effort(effort) => effort,
        Motor::Velocity { target, gain } => gain * (target - velocity),
        Motor::Position { damping, .. } => pull - damping * velocity,
    }
}

/// Whether the velocities are along the axes of the rotated frame or of the initial one.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Inner,
    Outer,
}

/// A spherical joint, or the rotation of a free one.
struct Turning<'a> {
    q: &'a [f64],
    v: &'a [f64],
    side: Side,
}

impl Turning<'_> {
    fn spring(&self, properties: &[AxisProperties], later: f64) -> [f64; 3] {
        let stiffness = DVec3::from_array([0, 1, 2].map(|k| properties[k].stiffness));
        let rest = DVec3::from_array([0, 1, 2].map(|k| properties[k].rest));
        self.pull(stiffness, rest, later)
    }

    fn servo(&self, motors: &[Motor], later: f64) -> [f64; 3] {
        let of = |k: usize| match motors[k] {
            Motor::Position { target, stiffness, .. } => (stiffness, target),
            _ => (0.0, 0.0),
        };
        let axes = [of(0), of(1), of(2)];
        self.pull(DVec3::from_array(axes.map(|a| a.0)), DVec3::from_array(axes.map(|a| a.1)), later)
    }

    /// Returns `-J^T K p` with p the rotation vector from `rest` to the predicted orientation.
    fn pull(&self, stiffness: DVec3, rest: DVec3, later: f64) -> [f64; 3] {
        if stiffness == DVec3::ZERO {
            return [0.0; 3];
        }
        let (now, turn) = (read_quaternion(self.q), exponential(read_vector(self.v) * later));
        // The constant rotation is applied on the side that does not change the velocity's frame.
        let moment = match self.side {
            Side::Inner => {
                let p = logarithm(exponential(-rest) * now * turn);
                moment_along_inner_axes(p, stiffness * p)
            }
            Side::Outer => {
                let p = logarithm(turn * now * exponential(-rest));
                moment_along_outer_axes(p, stiffness * p)
            }
        };
        (-moment).to_array()
    }
}

/// Clamps to plus and minus a non-negative bound; never panics.
#[inline]
fn clamped(effort: f64, bound: f64) -> f64 {
    // NaN is kept, so that the step reports it.
    if effort > bound {
        bound
    } else if effort < -bound {
        -bound
    } else {
        effort
    }
}

/// Returns the potential energy of the passive springs and of soft limits, in J.
pub fn spring_energy(model: &Model, q: &[f64]) -> f64 {
    let mut energy = 0.0;
    for (index, link) in model.links().iter().enumerate() {
        let properties = &model.properties()[link.v..link.v + link.dofs as usize];
        for (axis, limit) in properties.iter().enumerate() {
            if let Some(spring) = limit.limit_spring {
                let violation = limit_violation(model, index, axis, q);
                energy += 0.5 * spring.stiffness * violation * violation;
            }
        }
        let rest = |k: usize| DVec3::new(properties[k].rest, properties[k + 1].rest, properties[k + 2].rest);
        let of = |p: &AxisProperties, x: f64| 0.5 * p.stiffness * x * x;
        match link.joint {
            Joint::Spherical => {
                let p = logarithm(exponential(-rest(0)) * read_quaternion(&q[link.q..]));
                energy += (0..3).map(|k| of(&properties[k], p[k])).sum::<f64>();
            }
            Joint::Free => {
                let p = logarithm(read_quaternion(&q[link.q + 3..]) * exponential(-rest(0)));
                let x = read_vector(&q[link.q..]) - rest(3);
                energy += (0..3).map(|k| of(&properties[k], p[k]) + of(&properties[k + 3], x[k])).sum::<f64>();
            }
            _ => {
                energy += properties.iter().zip(&q[link.q..]).map(|(p, x)| of(p, x - p.rest)).sum::<f64>();
            }
        }
    }
    energy
}
