//! Springs between two points as soft rows, implicit in time: stable at any stiffness.
//!
//! Stiffness k acts on the stretch at the middle of the step, damping c on the mean velocity: with the stretch e at the
//! start and the velocities w before and w' after the step,
//!
//! ```text
//!   p = -h (k (e + h/4 (w + w')) + c/2 (w + w'))
//! ```
//!
//! so the spring keeps its energy.

use super::contact_problem::Law;
use super::rows::{RowContext, acting_point, place};
use crate::constraint::{Constraint, ConstraintKind};
use crate::contact_space::{ContactSpace, RowEnd};
use glam::DVec3;

/// Adds the row of a spring. Does nothing for other constraints.
pub(super) fn add_spring(context: &RowContext, space: &mut ContactSpace, slot: u32, constraint: &Constraint) {
    let ConstraintKind::Spring { length, stiffness, damping } = constraint.kind else { return };
    let gap = place(context, &constraint.b).translation - place(context, &constraint.a).translation;
    let (along, point) = (gap.try_normalize().unwrap_or(DVec3::Z), acting_point(context, &constraint.b));
    let end = |link, sign: f64| RowEnd::Link { link, point, angular: DVec3::ZERO, linear: along * sign };
    let ends = [end(constraint.a.link, -1.0), end(constraint.b.link, 1.0)];
    let row = space.add_row(context.world, context.workspace, ends, Law::Bilateral);
    row.slot = slot;
    if row.k == 0.0 || stiffness == 0.0 && damping == 0.0 {
        space.drop_last_row();
        return;
    }
    let before = space.last_row_velocity_at(context.world, context.workspace, context.start_velocities);
    let (h, stretch) = (context.step, gap.length() - length);
    let (at_mean, stiff, damped) = match (&context.memory, context.weight) {
        // The positions are those of the middle of the step, to which the step has moved with `before`.
        (Some(_), _) => (stretch - 0.25 * h * before, 0.25 * h, 0.5),
        (None, Some(_)) => (stretch + 0.25 * h * before, 0.25 * h, 0.5),
        // The step has been made without the spring.
        (None, None) => (stretch, h, 1.0),
    };
    let hardness = damped * damping + stiff * stiffness;
    let row = space.rows.last_mut().expect("was added");
    row.softness = 1.0 / (h * hardness);
    row.target = -(stiffness * at_mean + (1.0 - damped) * damping * before) / hardness;
}
