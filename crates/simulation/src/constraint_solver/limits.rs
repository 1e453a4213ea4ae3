//! Hard limits of joints, and the velocities with which gaps may close.

use burgess_dynamics::Model;
use burgess_dynamics::joint::Joint;
use glam::{DQuat, DVec3};

use super::contact_problem::Law;
use super::rows::{RowContext, RowMemory, RowSlots};
use crate::contact_space::{ContactSpace, RowEnd};

/// Share of a constraint's error that one step corrects.
pub(super) const STABILISATION: f64 = 0.5;
/// Speed up to which contacts and limits are at rest, relative to gravity times the step.
const RESTING_SHARE: f64 = 0.05;
/// Turn of the axis of a ball joint within half a step up to which its limit is followed, in rad.
const MAX_FOLLOWED_TURN: f64 = 0.25;
/// Speed up to which contacts and limits are at rest without gravity, in m/s or rad/s.
const MIN_RESTING_SPEED: f64 = 1e-6;

pub(super) fn joint_end(link: usize, first_dof: usize, axis: usize, sign: f64) -> RowEnd {
    RowEnd::Joint { link, dof: first_dof + axis, coefficients: DVec3::new(sign, 0.0, 0.0) }
}

/// Returns axis times angle, with an angle of at most pi: a quaternion and its negative are the same rotation.
pub(crate) fn rotation_vector(rotation: DQuat) -> DVec3 {
    if rotation.w < 0.0 { (-rotation).to_scaled_axis() } else { rotation.to_scaled_axis() }
}

/// Returns the gap to the nearer hard limit of an axis, and the coefficients of the joint velocities with which the gap
/// opens.
pub fn nearest_limit(model: &Model, q: &[f64], index: usize, axis: usize) -> Option<(f64, RowEnd)> {
    let properties = &model.properties()[model.links()[index].v + axis];
    if properties.limit_spring.is_none() { limit_gap(model, q, index, axis) } else { None }
}

/// Returns the gap and the coefficients of the nearer limit of an axis, hard or soft.
pub fn limit_gap(model: &Model, q: &[f64], index: usize, axis: usize) -> Option<(f64, RowEnd)> {
    let link = &model.links()[index];
    let dof = link.v + axis;
    let (lower, upper) = model.properties()[dof].limit?;
    match link.joint {
        Joint::Spherical if axis == 0 => {
            let turned = rotation_vector(DQuat::from_slice(&q[link.q..]));
            let direction = turned.try_normalize().unwrap_or(DVec3::X);
            Some((upper - turned.length(), RowEnd::Joint { link: index, dof, coefficients: -direction }))
        }
        Joint::Spherical => None,
        Joint::Free if axis < 3 => None,
        _ => {
            let position = if link.joint == Joint::Free { q[link.q + axis - 3] } else { q[link.q + axis] };
            let (above, below) = (position - lower, upper - position);
            let sign = if above <= below { 1.0 } else { -1.0 };
            Some((above.min(below), joint_end(index, link.v, axis, sign)))
        }
    }
}

/// Adds the row of a hard limit if it can act in this step.
pub(super) fn add_limit(context: &RowContext, space: &mut ContactSpace, slots: &RowSlots, index: usize, axis: usize) {
    let model = context.world.model();
    let dof = model.links()[index].v + axis;
    let is_ball = model.links()[index].joint == Joint::Spherical;
    // A thin limb may spin about its own axis at any speed, so the gap of a ball joint is followed from the start of the
    // step along the axis of its limit.
    let start = context.memory.as_ref().filter(|_| is_ball).map(|memory| memory.start);
    let Some((gap, end)) = nearest_limit(model, start.unwrap_or(context.q), index, axis) else { return };
    let passed = if start.is_some() { 0.5 * context.step } else { 0.0 };
    let gap = gap + passed * opening_velocity(&end, context.start_velocities);
    // Twice the expected motion, because other impulses may add to it. A ball joint may rotate about any axis.
    let speed = if is_ball { ball_velocity(context.v, dof).length() } else { context.v[dof].abs() };
    let reach = 2.0 * context.step * speed.max(context.push);
    if gap > reach {
        return;
    }
    let target = recovery(gap, context);
    let slot = slots.limit(dof);
    let Some(memory) = &context.memory else {
        let row = space.add_row(context.world, context.workspace, [end, RowEnd::Nothing], Law::Unilateral);
        (row.target, row.slot) = (target, slot);
        return;
    };
    let lasts = memory.impulses[slot as usize] != 0.0;
    let closing = -opening_velocity(&end, context.start_velocities);
    // The coefficients of a hinge or slide are constant.
    let (end, drift) = match end {
        RowEnd::Joint { link, dof, .. } if is_ball => {
            let (coefficients, drift) = mid_step_limit(context, memory, index);
            (RowEnd::Joint { link, dof, coefficients }, if lasts { drift } else { 0.0 })
        }
        end => (end, 0.0),
    };
    let row = space.add_row(context.world, context.workspace, [end, RowEnd::Nothing], Law::Unilateral);
    row.slot = slot;
    row.target = target.min(0.0) - drift;
    let landing = if lasts { 0.0 } else { landing_speed(gap, closing, context.step) };
    row.recovery = target.max(landing).max(0.0);
}

/// Returns the coefficients of a ball joint's limit at the middle of the step, and the change of the opening velocity from
/// there to the end at constant joint velocities. With n the axis of the joint's rotation, f its angle and w the joint
/// velocity, the angle grows with `f' = n . w`. A joint that swings around on its limit turns the axis:
///
/// ```text
///   w = f' n + sin f n' + (1 - cos f) n x n'        so   f'' = n . w' + w . n' = n . w' + |w - n f'|^2 / (2 tan(f / 2))
/// ```
///
/// Without this term the joint would leave its range a little in every step. It is not measured from step to step, and the
/// middle is that of the mean velocity: a thin limb may spin about its own axis at any speed.
fn mid_step_limit(context: &RowContext, memory: &RowMemory, index: usize) -> (DVec3, f64) {
    let link = &context.world.model().links()[index];
    let mean = 0.5 * (ball_velocity(context.start_velocities, link.v) + ball_velocity(context.v, link.v));
    let middle = DQuat::from_slice(&memory.start[link.q..]) * DQuat::from_scaled_axis(mean * (0.5 * context.step));
    let turned = rotation_vector(middle);
    let axis = turned.try_normalize().unwrap_or(DVec3::X);
    let across = mean.reject_from_normalized(axis);
    let tangent = libm::tan(0.5 * turned.length());
    // Nearly straight, the axis turns too fast to be followed.
    let is_followed = 0.5 * context.step * across.length() <= MAX_FOLLOWED_TURN * tangent;
    let growth = if is_followed { across.length_squared() / (2.0 * tangent) } else { 0.0 };
    (-axis, -0.5 * context.step * growth)
}

fn ball_velocity(v: &[f64], dof: usize) -> DVec3 {
    DVec3::from_slice(&v[dof..dof + 3])
}

/// Returns the velocity at which the gap of a limit opens, in rad/s or m/s. A ball joint may rotate about any axis.
pub fn opening_velocity(end: &RowEnd, v: &[f64]) -> f64 {
    match end {
        RowEnd::Joint { dof, coefficients, .. } => {
            v[*dof..].iter().zip(coefficients.to_array()).map(|(v, coefficient)| v * coefficient).sum()
        }
        _ => 0.0,
    }
}

/// Returns whether any limit is passed within a step at the present velocities, by more than `tolerance` m/s or rad/s.
pub(crate) fn any_limit_passed(model: &Model, q: &[f64], v: &[f64], step: f64, tolerance: f64) -> bool {
    let limited = |index: usize, axis: usize| {
        nearest_limit(model, q, index, axis)
            .is_some_and(|(gap, end)| opening_velocity(&end, v) * step < -gap.max(0.0) - tolerance * step)
    };
    let links = model.links().iter().enumerate();
    links.into_iter().any(|(index, link)| (0..link.dofs as usize).any(|axis| limited(index, axis)))
}

/// Returns the velocity that a gap allows (negative), or that corrects a violation.
pub(super) fn recovery(gap: f64, context: &RowContext) -> f64 {
    if gap >= 0.0 { -gap / context.step } else { (-STABILISATION * gap / context.step).min(context.recovery_speed) }
}

/// Returns the speed up to which contacts and limits count as at rest, in m/s or rad/s.
pub fn resting_speed(model: &Model, step: f64) -> f64 {
    RESTING_SHARE * model.gravity.length() * step + MIN_RESTING_SPEED
}

/// Returns the speed at which a contact or limit is moved back that was passed with `closing` m/s or rad/s on the way to the
/// middle of a step. The motion of the recovery counts by half, so the step ends where the gap was closed.
pub fn landing_speed(gap: f64, closing: f64, step: f64) -> f64 {
    (2.0 * (-gap).max(0.0) / step).min(closing.max(0.0))
}
