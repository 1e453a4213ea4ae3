//! Tendons over joints as soft rows, implicit in time: stable at any stiffness.
//!
//! The step moves along the mean of the velocities w before and w' after it, so with the length l at its start the
//! length at a share t of it is `l + t h/2 (w + w')`. The spring acts on that length, the damper on w'. The impulse p
//! of a tendon that is stretched from the length a is:
//!
//! ```text
//!   p = -h (k (l + t h/2 (w + w') - a) + d w')
//!   softness = 1 / (h (d + t h/2 k)),    target = -(l + t h/2 w - a) k / (d + t h/2 k)
//! ```
//!
//! A tendon that is stretched from the same a during the whole step has t = 1/2: the midpoint rule, which conserves its
//! energy, as for the springs of joints. A tendon that was slack at the start has t = 1, which never adds energy at any
//! stiffness. A tendon that would be slack at the end does not act. The length at the end is predicted by the motion of
//! the step without the tendon.

use burgess_dynamics::Tendon;

use super::rows::{RowContext, RowSlots};
use crate::contact_space::ContactSpace;

/// Adds a row for every tendon that may pull in a step.
pub(super) fn add_tendons(context: &RowContext, space: &mut ContactSpace) {
    let slots = RowSlots::new(context.world);
    for (index, tendon) in context.world.tendons().iter().enumerate() {
        let Some((target, softness)) = soft_row(context, tendon) else { continue };
        let row = space.add_tendon(context.world, context.workspace, index);
        (row.target, row.softness, row.slot) = (target, softness, slots.tendon(index));
        if row.k == 0.0 {
            space.drop_last_row();
        }
    }
}

/// Returns target and softness; none if neither spring nor damper acts.
fn soft_row(context: &RowContext, tendon: &Tendon) -> Option<(f64, f64)> {
    let h = context.step;
    let (before, after) = (tendon.rate(context.start_velocities), tendon.rate(context.v));
    let start = match context.weight {
        Some(_) => tendon.length(context.memory.map_or(context.q, |memory| memory.start)),
        // The step has already been made without the tendon, at this velocity.
        None => tendon.length(context.q) - h * before,
    };
    let anchor = tendon.anchor(start + 0.5 * h * (before + after));
    let share = if anchor == tendon.anchor(start) { 0.25 * h } else { 0.5 * h };
    let stiffness = anchor.map_or(0.0, |_| tendon.stiffness);
    let hardness = tendon.damping + share * stiffness;
    let stretch = anchor.map_or(0.0, |anchor| start + share * before - anchor);
    (hardness > 0.0).then(|| (-stretch * (stiffness / hardness), 1.0 / (h * hardness)))
}
