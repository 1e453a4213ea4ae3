//! Tendons over joints as soft rows, implicit in time: however stiff, they do not explode.
//!
//! The step moves along the mean of the velocities w before and w' after it, so with the length l at its start the length in
//! its middle is `l + h/4 (w + w')`. The spring pulls by that one (the midpoint rule, which keeps its energy, as the springs of
//! joints do), the damper by w' (it settles). For the impulse p of a tendon that is stretched from the length a:
//!
//! ```text
//!   p = -h (k (l + h/4 (w + w') - a) + d w')
//!   softness = 1 / (h (d + h/4 k)),    target = -(l + h/4 w - a) k / (d + h/4 k)
//! ```
//!
//! Whether it is slack, and from which end it is stretched, is decided by the middle of the step without it; being wrong
//! about that for a step gives no energy.

use burgess_dynamics::{ImpulseResponse, Tendon};

use super::rows::{RowContext, RowSlots};
use crate::contact_space::ContactSpace;

/// Adds a row for every tendon that may pull in a step.
pub(super) fn add_tendons(context: &RowContext, space: &mut ContactSpace, response: &mut ImpulseResponse) {
    let slots = RowSlots::new(context.world);
    for (index, tendon) in context.world.tendons().iter().enumerate() {
        let Some((target, softness)) = soft_row(context, tendon) else { continue };
        let row = space.add_tendon(context.world, context.workspace, response, tendon);
        (row.target, row.softness, row.slot) = (target, softness, slots.tendon(index));
        if row.k == 0.0 {
            space.drop_last_row();
        }
    }
}

/// Target and softness; none where neither spring nor damper acts.
fn soft_row(context: &RowContext, tendon: &Tendon) -> Option<(f64, f64)> {
    let h = context.step;
    let before = tendon.rate(context.start_velocities);
    let start = match context.weight {
        Some(_) => tendon.length(context.q),
        // The step has been made without the tendon, at this velocity to its end.
        None => tendon.length(context.q) - h * before,
    };
    let half_way = start + 0.25 * h * before;
    let anchor = tendon.anchor(half_way + 0.25 * h * tendon.rate(context.v));
    let stiffness = anchor.map_or(0.0, |_| tendon.stiffness);
    let hardness = tendon.damping + 0.25 * h * stiffness;
    let stretch = anchor.map_or(0.0, |anchor| half_way - anchor);
    (hardness > 0.0).then(|| (-stretch * (stiffness / hardness), 1.0 / (h * hardness)))
}
