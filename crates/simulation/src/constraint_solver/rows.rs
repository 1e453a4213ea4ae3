//! Rows besides contacts: joint limits, dry friction in joints, and constraints that close loops (for springs see
//! `spring_rows`, for tendons `tendon_rows`, for limits with springs `soft_limits`).
//!
//! A row has a target velocity: for a limit with gap g it is at least `-g / h` (the limit may be reached, not passed).
//! In time stepping rows hold the mean velocity of the step, as contacts do, and remember their velocity in the last step
//! (see `time_stepping::contact_motion`). An error e adds `-s e / h` to the velocity of the end of the step. Elsewhere a
//! constraint with error e at the start of the step requires velocities w before and w' after the step such that
//!
//! ```text
//!   t w' + (1 - t) w = -s e / h
//! ```
//!
//! with a share s, so that errors are corrected within a few steps, never faster than the recovery speed. The step moves
//! along the mean of w and w', so t = 1/2 would be the midpoint rule, which conserves energy but does not damp
//! disturbances; a slightly larger t does.

use burgess_dynamics::Workspace;
use burgess_geometry::Pose;
use glam::DVec3;

use super::contact_problem::Law;
use super::limits::{STABILISATION, add_limit, joint_end, recovery, resting_speed, rotation_vector};
use super::soft_limits::add_soft_limit;
use super::spring_rows::add_spring;
use super::tendon_rows::add_tendons;
use crate::constraint::{Anchor, Constraint, ConstraintKind};
use crate::contact_space::{ContactSpace, RowEnd};
use crate::time_stepping::DAMPED_SHARE;
use crate::world::World;

/// Maximum number of rows of a constraint.
const MAX_CONSTRAINT_ROWS: usize = 6;
/// Share of the error of a constraint that the velocity of the end of a step corrects. The mean velocity, along which
/// bodies move, corrects half of it: impulses between two bodies conserve their momenta, which a displacement would not.
const PULLED_SHARE: f64 = 0.2;
/// Velocity at the start of a constraint's first step, relative to the drift, from which on it contradicts the constraint:
/// then bodies are displaced to where it holds.
const CONTRADICTING_SHARE: f64 = 0.1;
/// Speed that forces may give a joint at rest, in rad/s or m/s, so that it reaches a limit within the step.
pub const MAX_FORCE_SPEED_GAIN: f64 = 0.1;
/// Weight of the velocity at the end of the step; 1/2 would be the midpoint rule.
pub const END_VELOCITY_WEIGHT: f64 = 0.52;

/// Layout of the storage that keeps the impulses of rows from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowSlots {
    dofs: usize,
    constraints: usize,
    tendons: usize,
}

impl RowSlots {
    /// Creates the slots of a world.
    pub fn new(world: &World) -> Self {
        let (constraints, tendons) = (world.constraints().len(), world.tendons().len());
        Self { dofs: world.model().dofs(), constraints, tendons }
    }

    /// Number of slots.
    pub fn count(&self) -> usize {
        2 * self.dofs + MAX_CONSTRAINT_ROWS * self.constraints + self.tendons
    }

    pub(crate) fn limit(&self, dof: usize) -> u32 {
        dof as u32
    }

    fn friction(&self, dof: usize) -> u32 {
        (self.dofs + dof) as u32
    }

    pub(crate) fn constraint(&self, constraint: usize, row: usize) -> u32 {
        (2 * self.dofs + MAX_CONSTRAINT_ROWS * constraint + row) as u32
    }

    pub(super) fn tendon(&self, tendon: usize) -> u32 {
        self.constraint(self.constraints, tendon)
    }
}

/// The data of a step from which rows are built.
#[derive(Debug)]
pub struct RowContext<'a> {
    /// The world.
    pub world: &'a World,
    /// Workspace at the positions at which impulses act.
    pub workspace: &'a Workspace,
    /// Positions: at the middle of the step with a memory, else at its start.
    pub q: &'a [f64],
    /// Expected velocities for limits, in rad/s and m/s.
    pub v: &'a [f64],
    /// Length of the step, in s.
    pub step: f64,
    /// Poses of the links at these positions.
    pub link_poses: &'a [Pose],
    /// Velocities at the start of the step.
    pub start_velocities: &'a [f64],
    /// Weight of the velocity at the end of the step in the targets of constraints; none if there is only one velocity.
    pub weight: Option<f64>,
    /// The last step; none if rows do not follow the motion of constraints.
    pub memory: Option<RowMemory<'a>>,
    /// Maximum speed at which errors are corrected, in m/s or rad/s.
    pub recovery_speed: f64,
    /// Speed that a joint at rest may be given, in rad/s or m/s.
    pub push: f64,
}

/// What rows know of the last step, and of the start of this one.
#[derive(Debug, Clone, Copy)]
pub struct RowMemory<'a> {
    /// Positions at the start of the step.
    pub start: &'a [f64],
    /// Impulses of the last step by [`RowSlots`].
    pub impulses: &'a [f64],
    /// Velocities of rows at the middle of the last step, with the velocities of its end, by slot; infinite if unknown.
    pub velocities: &'a [f64],
    /// What drift did not explain of the velocities at the starts of the last two steps, by slot.
    pub rests: &'a [[f64; 2]],
    /// Time from the middle of the last step to that of this one, in s.
    pub passed: f64,
    /// Length of the part relative to the whole step.
    pub share: f64,
}

/// The motion of a row in a step; see `time_stepping::contact_motion`.
#[derive(Debug, Clone, Copy, Default)]
struct RowMotion {
    /// Velocity at the middle of the step with the velocities of its start, in m/s or rad/s.
    velocity: f64,
    /// Change of the velocity within half a step at constant joint velocities; zero for a row that has not lasted.
    drift: f64,
    /// What the law adds to the velocity of the end of the step.
    law_drift: f64,
    /// Whether the row held in the last step.
    lasts: bool,
}

impl RowContext<'_> {
    /// Returns the motion of the last row of a space, and stores what its drift does not explain.
    fn motion_of_last_row(&self, memory: &RowMemory, space: &mut ContactSpace) -> RowMotion {
        let velocity = space.last_row_velocity_at(self.world, self.workspace, self.start_velocities);
        let row = space.rows.last_mut().expect("was added");
        let slot = row.slot as usize;
        if !memory.velocities[slot].is_finite() {
            return RowMotion { velocity, ..RowMotion::default() };
        }
        let drift = (velocity - memory.velocities[slot]) * (0.5 * self.step / memory.passed);
        let rest = velocity - drift;
        let [before, earlier] = memory.rests[slot];
        row.rests = [rest, before];
        let is_held = rest.abs() <= drift.abs() + resting_speed(self.world.model(), self.step);
        let holds = row.law == Law::Bilateral || is_held;
        let law_drift = if holds { velocity - DAMPED_SHARE * (rest - 2.0 * before + earlier) } else { drift };
        RowMotion { velocity, drift, law_drift, lasts: true }
    }
}

/// Adds all rows that may act in a step. Impulses start at zero.
pub fn add_rows(context: &RowContext, space: &mut ContactSpace) {
    let slots = RowSlots::new(context.world);
    let model = context.world.model();
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            let properties = &model.properties()[link.v + axis];
            // Dry friction is negligible next to a collision.
            if properties.friction > 0.0 && context.weight.is_some() {
                let law = Law::Bounded { limit: properties.friction * context.step };
                let end = joint_end(index, link.v, axis, 1.0);
                let row = space.add_row(context.world, context.workspace, [end, RowEnd::Nothing], law);
                row.slot = slots.friction(link.v + axis);
            }
            if properties.limit.is_some() {
                match &properties.limit_spring {
                    None => add_limit(context, space, &slots, index, axis),
                    Some(spring) => add_soft_limit(context, space, spring, index, axis),
                }
            }
        }
    }
    add_constraints(context, space);
}

/// Adds the rows of all constraints and tendons, besides joints and contacts.
pub fn add_constraints(context: &RowContext, space: &mut ContactSpace) {
    let slots = RowSlots::new(context.world);
    for (index, constraint) in context.world.constraints().iter().enumerate() {
        match constraint.kind {
            ConstraintKind::Spring { .. } => add_spring(context, space, slots.constraint(index, 0), constraint),
            _ => add_constraint(context, space, &slots, index, constraint),
        }
    }
    add_tendons(context, space);
}

/// Returns the position of an anchor where impulses act, which may be later than the poses.
pub(super) fn acting_point(context: &RowContext, anchor: &Anchor) -> DVec3 {
    let at = |link| context.workspace.position(context.world.model(), link, anchor.pose.translation);
    anchor.link.map_or(anchor.pose.translation, at)
}

/// Returns the pose of an anchor.
pub(super) fn place(context: &RowContext, anchor: &Anchor) -> Pose {
    anchor.link.map_or(anchor.pose, |link| context.link_poses[link].compose(&anchor.pose))
}

/// Adds the rows of a constraint that is no spring.
fn add_constraint(
    context: &RowContext,
    space: &mut ContactSpace,
    slots: &RowSlots,
    index: usize,
    constraint: &Constraint,
) {
    let poses = [place(context, &constraint.a), place(context, &constraint.b)];
    let point = acting_point(context, &constraint.b);
    let limit = context.recovery_speed;
    let mut count = 0;
    constraint.kind.for_each_row(&poses, |row| {
        let ConstraintRow { angular, linear, error, law } = row;
        let end = |link, sign: f64| RowEnd::Link { link, point, angular: angular * sign, linear: linear * sign };
        // Both forces act at the same point, so that they add no moment.
        let ends = [end(constraint.a.link, -1.0), end(constraint.b.link, 1.0)];
        let correction = |error: f64, share: f64| (-share * error / context.step).clamp(-limit, limit);
        let row = space.add_row(context.world, context.workspace, ends, law);
        row.target = match law {
            Law::Bilateral => correction(error, STABILISATION),
            _ => recovery(error, context),
        };
        row.slot = slots.constraint(index, count);
        count += 1;
        // The joints of a planar mechanism already hold it in its plane.
        if row.k == 0.0 {
            space.drop_last_row();
            return;
        }
        if let Some(memory) = &context.memory {
            let motion = context.motion_of_last_row(memory, space);
            let row = space.rows.last_mut().expect("was added");
            // The way to the middle was straight.
            let error = error - 0.25 * context.step * motion.drift;
            let pull = correction(error, PULLED_SHARE * memory.share);
            row.target = match law {
                Law::Unilateral if error >= 0.0 => -error / context.step,
                _ => pull,
            } - motion.law_drift;
            if !motion.lasts && law == Law::Bilateral {
                let start = start_velocity(motion.velocity, error, context.step);
                let drift = motion.velocity - start;
                let contradicts = start.abs()
                    > CONTRADICTING_SHARE * drift.abs() + resting_speed(context.world.model(), context.step);
                (row.target, row.recovery) = (-drift, if contradicts { -start } else { 0.0 });
            }
        } else if let (Law::Bilateral, Some(weight)) = (law, context.weight) {
            let before = space.last_row_velocity_at(context.world, context.workspace, context.start_velocities);
            let row = space.rows.last_mut().expect("was added");
            row.target = (row.target - (1.0 - weight) * before) / weight;
            row.start = Some(before);
        }
    });
}

/// Returns the velocity of a constraint at the start of its first step, given the velocity and the error e at the middle
/// with the velocities of the start: with w at the start and the acceleration A by the motion of the constraint, the
/// velocity is `w + h/2 A` and, where it was closed, `e = h/2 w + h^2/8 A`.
fn start_velocity(velocity: f64, error: f64, step: f64) -> f64 {
    (4.0 * error / step - velocity).clamp(-velocity.abs(), velocity.abs())
}

/// One direction of a constraint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConstraintRow {
    /// Direction of the moment on b.
    angular: DVec3,
    /// Direction of the force on b.
    linear: DVec3,
    /// Value that is zero where the constraint holds, or at least zero for a rope, in m or rad.
    pub error: f64,
    pub law: Law,
}

impl ConstraintKind {
    /// Calls `with` for every direction of a constraint between two poses. Does nothing for a spring.
    pub(crate) fn for_each_row(&self, [a, b]: &[Pose; 2], mut with: impl FnMut(ConstraintRow)) {
        let gap = b.translation - a.translation;
        let along = |linear: DVec3, error: f64, law: Law| ConstraintRow { angular: DVec3::ZERO, linear, error, law };
        match *self {
            Self::Pin | Self::Hinge | Self::Weld => {
                DVec3::AXES.into_iter().for_each(|axis| with(along(axis, gap.dot(axis), Law::Bilateral)));
            }
            Self::Slide => {
                let axes = [a.rotation * DVec3::X, a.rotation * DVec3::Y];
                axes.into_iter().for_each(|axis| with(along(axis, gap.dot(axis), Law::Bilateral)));
            }
            Self::Distance { length } => {
                let axis = gap.try_normalize().unwrap_or(DVec3::Z);
                with(along(axis, gap.length() - length, Law::Bilateral));
            }
            Self::Rope { length } => {
                let axis = gap.try_normalize().unwrap_or(DVec3::Z);
                with(along(-axis, length - gap.length(), Law::Unilateral));
            }
            Self::Spring { .. } => {}
        }
        let mut turn = |angular: DVec3, error: DVec3| {
            with(ConstraintRow { angular, linear: DVec3::ZERO, error: error.dot(angular), law: Law::Bilateral });
        };
        match *self {
            Self::Weld | Self::Slide => {
                let error = rotation_vector(b.rotation * a.rotation.inverse());
                DVec3::AXES.into_iter().for_each(|axis| turn(axis, error));
            }
            Self::Hinge => {
                let error = (a.rotation * DVec3::Z).cross(b.rotation * DVec3::Z);
                let (first, second) = (a.rotation * DVec3::Z).any_orthonormal_pair();
                [first, second].into_iter().for_each(|across| turn(across, error));
            }
            _ => {}
        }
    }
}
