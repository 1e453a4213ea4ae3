//! Joint limits that act as springs (Arnold 1997, section 3.2.1), as soft rows, implicit in time: stable at any
//! stiffness.
//!
//! The step moves along the mean of the velocities w before and w' after it (of the opening gap). Spring k and damper d
//! act at a share t of the step, with the gap g at its start, and push, but never pull:
//!
//! ```text
//!   p = -h (k (g + t h/2 (w + w')) + d (w + t (w' - w))) = -h (k g + l w + m w') >= 0
//!   l = t h/2 k + (1 - t) d,    m = t h/2 k + t d,    softness = 1 / (h m),    target = -(k g + l w) / m
//! ```
//!
//! With t = 1/2 this is the midpoint rule, which keeps the energy of the spring. Larger shares lose some. The share is the
//! one with which the damper alone slows the axis exactly as in continuous time: 1/2 for weak dampers, and 1 for those
//! that stop the axis within the step. Otherwise limits would bounce more the longer the step is, and creatures would
//! exploit that.
//!
//! The damper of a limit that is passed within the step acts for the rest of it, and the spring at its end. A limit that
//! is not exceeded at the end does not act. Where the limit is passed, and the gap at the end, are predicted by the motion
//! of the step without the limit. A spring that throws the axis back within the step has t = 1/2, no damper in the step
//! that passes the limit, and afterwards only as much as stops the axis: its damper would otherwise pull inward.
//!
//! If the step has been made without the spring, up to the gap g and the velocity w, the impulse of the row moves
//! positions by `h/2 (w' - w)`. Spring and damper then act as at the end: `p = -h (k (g + h/2 (w' - w)) + d w')`.

use burgess_dynamics::{LimitSpring, share_of_step};

use super::contact_problem::Law;
use super::limits::{limit_gap, opening_velocity};
use super::rows::{RowContext, RowSlots};
use crate::contact_space::{ContactSpace, RowEnd};

/// Stiffness of a spring, relative to the inertia of the axis divided by the step squared, above which it throws the axis
/// back within a step.
const MAX_STIFFNESS: f64 = 2.0;

/// Returns the damping to use if forces are explicit, in N m s/rad or N s/m. A stronger damper would reverse the motion
/// within a step instead of stopping it. `inverse_inertia` is that of the axis.
pub fn explicit_damping(spring: &LimitSpring, inverse_inertia: f64, step: f64) -> f64 {
    spring.damping.min(1.0 / (step * inverse_inertia))
}

/// Adds the row of a limit if it acts in this step.
pub fn add_soft_limit(context: &RowContext, space: &mut ContactSpace, spring: &LimitSpring, index: usize, axis: usize) {
    let model = context.world.model();
    let start = context.memory.map_or(context.q, |memory| memory.start);
    let Some((gap, end)) = limit_gap(model, start, index, axis) else { return };
    let [before, after] = [context.start_velocities, context.v].map(|v| opening_velocity(&end, v));
    let is_made = context.weight.is_none();
    let gap_at_end = if is_made { gap } else { gap + 0.5 * context.step * (before + after) };
    if gap_at_end >= 0.0 {
        return;
    }
    let row = space.add_row(context.world, context.workspace, [end, RowEnd::Nothing], Law::Unilateral);
    (row.target, row.softness) = if is_made {
        target_after_step(context.step, spring, gap, before)
    } else {
        let share_outside = if gap > 0.0 { gap / (gap - gap_at_end) } else { 0.0 };
        target_within_step(context.step, spring, (gap, before), share_outside, row.k)
    };
    row.slot = RowSlots::new(context.world).limit(model.links()[index].v + axis);
}

/// Returns target and softness, given gap and velocity at the start of the step, the share of the step that passes before
/// the limit is reached, and the inverse inertia of the row.
fn target_within_step(
    h: f64,
    spring: &LimitSpring,
    (gap, w): (f64, f64),
    share_outside: f64,
    inverse_inertia: f64,
) -> (f64, f64) {
    let is_stiff = h * h * spring.stiffness * inverse_inertia > MAX_STIFFNESS;
    let (damping, share) = if is_stiff {
        let strongest = 2.0 / (h * inverse_inertia);
        (if share_outside > 0.0 { 0.0 } else { spring.damping.min(strongest) }, 0.5)
    } else {
        let damping = (1.0 - share_outside) * spring.damping;
        (damping, share_of_step(h * damping * inverse_inertia))
    };
    let pull = 0.5 * h * spring.stiffness * if share_outside > 0.0 { 1.0 } else { share };
    let (l, m) = (pull + (1.0 - share) * damping, pull + share * damping);
    (-(spring.stiffness * gap + l * w) / m, 1.0 / (h * m))
}

/// Returns target and softness, given gap and velocity at the end of a step that has been made without the spring.
fn target_after_step(h: f64, spring: &LimitSpring, gap: f64, w: f64) -> (f64, f64) {
    let damping = if gap - h * w < 0.0 { spring.damping } else { 0.0 };
    let m = 0.5 * h * spring.stiffness + damping;
    (-(gap - 0.5 * h * w) * (spring.stiffness / m), 1.0 / (h * m))
}
