//! Rows besides contacts: joint limits, dry friction in joints, and constraints that close loops (for tendons see
//! `tendon_rows`, for limits with springs `soft_limits`).
//!
//! A row has a target velocity: for a limit with gap g it is at least `-g / h` (the limit may be reached, not passed).
//! A constraint with error e at the start of the step requires velocities w before and w' after the step such that
//!
//! ```text
//!   t w' + (1 - t) w = -s e / h
//! ```
//!
//! with a share s, so that drift is corrected within a few steps, never faster than the recovery speed. The step moves
//! along the mean of w and w', so t = 1/2 would be the midpoint rule, which conserves energy but does not damp
//! disturbances; a slightly larger t does. Where the accelerations of the links are known (time stepping), rows hold
//! the velocity of the end of the step instead, as contacts do: see [`constraint_drift`](super::constraint_drift). A
//! spring is a soft row, implicit in time: with stiffness k, damping c and
//! stretch e, `softness = 1 / (h (c + h k))` and `target = -e h k / (h (c + h k))`, which gives the impulse
//! `-h (k (e + h w) + c w)`.

use burgess_dynamics::Workspace;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use glam::DVec3;

use super::constraint_drift::MovingConstraint;
use super::contact_problem::Law;
use super::limits::{STABILISATION, add_limit, closing_target, joint_end, recovery, resting_speed, rotation_vector};
use super::soft_limits::add_soft_limit;
use super::tendon_rows::add_tendons;
use crate::constraint::{Anchor, Constraint, ConstraintKind};
use crate::contact_space::{ContactSpace, RowEnd};
use crate::motion_solver::HeldLimit;
use crate::simulation_data::SimulationData;
use crate::world::World;

/// Maximum number of rows of a constraint.
const MAX_CONSTRAINT_ROWS: usize = 6;
/// Speed that forces may give a joint at rest, in rad/s or m/s, so that it reaches a limit within the step.
pub const MAX_FORCE_SPEED_GAIN: f64 = 0.1;
/// Speed that collisions may give a joint at rest, in rad/s or m/s.
pub(crate) const MAX_COLLISION_SPEED_GAIN: f64 = 20.0;
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

    fn constraint(&self, constraint: usize, row: usize) -> u32 {
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
    /// Positions at the start of the step.
    pub q: &'a [f64],
    /// Expected velocities for limits, in rad/s and m/s.
    pub v: &'a [f64],
    /// Length of the step, in s.
    pub step: f64,
    /// Poses of the links at the start of the step.
    pub link_poses: &'a [Pose],
    /// Velocities at the start of the step.
    pub start_velocities: &'a [f64],
    /// Weight of the velocity at the end of the step in the targets of constraints; none if there is only one velocity.
    pub weight: Option<f64>,
    /// Accelerations of the links at joint accelerations of zero, at the middle of the step, where the workspace is; none
    /// if the velocity of the end of the step is that of the workspace's positions.
    pub biases: Option<&'a [Motion]>,
    /// Impulses of the last step by [`RowSlots`]; empty if they are not known.
    pub impulses: &'a [f64],
    /// Joint limits that hold without rows, by degree of freedom.
    pub held_limits: &'a [HeldLimit],
    /// Maximum speed at which errors are corrected, in m/s or rad/s.
    pub recovery_speed: f64,
    /// Speed that a joint at rest may be given, in rad/s or m/s.
    pub push: f64,
}

/// Adds all rows that may act in a step. Impulses start at zero.
pub fn add_rows(context: &RowContext, space: &mut ContactSpace) {
    let slots = RowSlots::new(context.world);
    let model = context.world.model();
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            let properties = &model.properties()[link.v + axis];
            if context.held_limits.binary_search_by_key(&(link.v + axis), |limit| limit.dof).is_ok() {
                continue;
            }
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
        add_constraint(context, space, &slots, index, constraint);
    }
    add_tendons(context, space);
}

/// Returns whether any constraint separates faster than `tolerance` m/s at the present velocities, because of a
/// collision or its initial state.
pub(crate) fn any_constraint_torn(data: &SimulationData, tolerance: f64) -> bool {
    let SimulationData { world, workspace, detection, .. } = data;
    let point = |anchor: &Anchor| match anchor.link {
        Some(link) => detection.link_poses()[link].transform_point(anchor.pose.translation),
        None => anchor.pose.translation,
    };
    let velocity =
        |link: Option<usize>, point: DVec3| link.map_or(DVec3::ZERO, |link| workspace.velocity_at(link, point).linear);
    world.constraints().iter().any(|constraint| {
        let (a, b) = (point(&constraint.a), point(&constraint.b));
        let apart = velocity(constraint.b.link, b) - velocity(constraint.a.link, a);
        let axis = |anchor: &Anchor| match anchor.link {
            Some(link) => detection.link_poses()[link].compose(&anchor.pose).rotation * DVec3::Z,
            None => anchor.pose.rotation * DVec3::Z,
        };
        let speed = match constraint.kind {
            ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Weld => apart.length(),
            ConstraintKind::Slide => apart.reject_from(axis(&constraint.a)).length(),
            ConstraintKind::Distance { .. } => (b - a).try_normalize().map_or(0.0, |along| apart.dot(along).abs()),
            ConstraintKind::Rope { length } => {
                let taut = (b - a).length() >= length;
                (b - a).try_normalize().filter(|_| taut).map_or(0.0, |along| apart.dot(along))
            }
            ConstraintKind::Spring { .. } => 0.0,
        };
        speed > tolerance
    })
}

/// Returns an anchor's pose at the start of the step, and its position at the time at which impulses act.
fn place(context: &RowContext, anchor: &Anchor) -> (Pose, DVec3) {
    match anchor.link {
        Some(link) => {
            let start = context.link_poses[link].compose(&anchor.pose);
            (start, context.workspace.position(context.world.model(), link, anchor.pose.translation))
        }
        None => (anchor.pose, anchor.pose.translation),
    }
}

fn add_constraint(
    context: &RowContext,
    space: &mut ContactSpace,
    slots: &RowSlots,
    index: usize,
    constraint: &Constraint,
) {
    let ((a, _), (b, point)) = (place(context, &constraint.a), place(context, &constraint.b));
    let moving = context.biases.map(|biases| MovingConstraint::new(context, biases, constraint));
    let gap = b.translation - a.translation;
    let limit = context.recovery_speed;
    let back = |error: f64| (-STABILISATION * error / context.step).clamp(-limit, limit);
    let mut count = 0;
    let mut add = |angular: DVec3, linear: DVec3, law: Law, target: f64, softness: f64| {
        let end = |link, point, sign: f64| RowEnd::Link { link, point, angular: angular * sign, linear: linear * sign };
        // Both forces act at the same point, so that they add no moment.
        let ends = [end(constraint.a.link, point, -1.0), end(constraint.b.link, point, 1.0)];
        let row = space.add_row(context.world, context.workspace, ends, law);
        (row.target, row.softness) = (target, softness);
        row.slot = slots.constraint(index, count);
        count += 1;
        // The joints of a planar mechanism already hold it in its plane.
        if row.k == 0.0 {
            space.drop_last_row();
            return;
        }
        if softness > 0.0 {
            return;
        }
        if let Some(moving) = &moving {
            let before = space.last_row_velocity_at(context.world, context.workspace, context.start_velocities);
            let row = space.rows.last_mut().expect("was added");
            let lasts = context.impulses.get(row.slot as usize).is_some_and(|last| *last != 0.0);
            // A rope that becomes taut does so at another place.
            let is_followed = law == Law::Bilateral || lasts;
            let drift = if is_followed { moving.drift(constraint.kind, angular, linear) } else { 0.0 };
            (row.target, row.recovery) = match law {
                Law::Bilateral => (-drift, target),
                _ => {
                    let resting = resting_speed(context.world.model(), context.step);
                    let gap = (-target * context.step).max(0.0);
                    (closing_target(gap, before - drift, context.step, resting) - drift, target.max(0.0))
                }
            };
        } else if let (Law::Bilateral, Some(weight)) = (law, context.weight) {
            let before = space.last_row_velocity_at(context.world, context.workspace, context.start_velocities);
            let row = space.rows.last_mut().expect("was added");
            row.target = (target - (1.0 - weight) * before) / weight;
            row.start = Some(before);
        }
    };
    let turned = || rotation_vector(b.rotation * a.rotation.inverse());
    match constraint.kind {
        ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Weld => {
            for axis in DVec3::AXES {
                add(DVec3::ZERO, axis, Law::Bilateral, back(gap.dot(axis)), 0.0);
            }
        }
        ConstraintKind::Slide => {
            let frame = moving.as_ref().map_or(a.rotation, |moving| moving.frame);
            let (first, second) = (frame * DVec3::X, frame * DVec3::Y);
            for axis in [first, second] {
                add(DVec3::ZERO, axis, Law::Bilateral, back(gap.dot(axis)), 0.0);
            }
        }
        ConstraintKind::Distance { length } | ConstraintKind::Rope { length } => {
            let now = gap.length();
            let along = moving.as_ref().map_or(gap, |moving| moving.gap).try_normalize().unwrap_or(DVec3::Z);
            if constraint.kind == (ConstraintKind::Distance { length }) {
                add(DVec3::ZERO, along, Law::Bilateral, back(now - length), 0.0);
            } else {
                add(DVec3::ZERO, -along, Law::Unilateral, recovery(length - now, context), 0.0);
            }
        }
        ConstraintKind::Spring { length, stiffness, damping } => {
            let h = context.step;
            let hardness = h * (damping + h * stiffness);
            if hardness > 0.0 {
                let along = gap.try_normalize().unwrap_or(DVec3::Z);
                let stretch = gap.length() - length;
                add(DVec3::ZERO, along, Law::Bilateral, -stretch * h * stiffness / hardness, 1.0 / hardness);
            }
        }
    }
    match constraint.kind {
        ConstraintKind::Weld | ConstraintKind::Slide => {
            let error = turned();
            for axis in DVec3::AXES {
                add(axis, DVec3::ZERO, Law::Bilateral, back(error.dot(axis)), 0.0);
            }
        }
        ConstraintKind::Hinge => {
            let error = (a.rotation * DVec3::Z).cross(b.rotation * DVec3::Z);
            let axis = moving.as_ref().map_or(a.rotation, |moving| moving.frame) * DVec3::Z;
            let (first, second) = axis.any_orthonormal_pair();
            for across in [first, second] {
                add(across, DVec3::ZERO, Law::Bilateral, back(error.dot(across)), 0.0);
            }
        }
        _ => {}
    }
}
