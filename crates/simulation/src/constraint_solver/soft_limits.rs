//! Joint limits that act as springs (Arnold 1997, section 3.2.1), as soft rows, implicit in time: stable at any
//! stiffness.
//!
//! The force of a step is that at a share t of it. With the gap g at its start and the velocities w before and w' after it
//! (of the opening gap), the velocity there is `w + t (w' - w)` and the gap `g + t h w + t^2 h (w' - w)`. Spring k and
//! damper d push, and never pull:
//!
//! ```text
//!   p = -h (k g + m (w' + (1 - t)/t w)) >= 0,      m = t (d + t h k)
//!   softness = 1 / (h m),    target = -k g / m - (1 - t)/t w
//! ```
//!
//! With t = 1/2 this is the midpoint rule, with t = 1 backward Euler. The share is the one with which the damper alone
//! slows the axis exactly as it does in continuous time ([`share_of_step`]): 1/2 for weak dampers, so that springs keep
//! their energy, and 1 for dampers that stop the axis within the step. Otherwise limits would bounce more the longer the
//! step is, which creatures exploit.
//!
//! A limit that is passed within the step acts for the rest of it, from g = 0 on. A limit that is not exceeded at the end
//! does not act. Where the limit is passed, and the gap at the end, are predicted by the motion of the step without the
//! limit. None of this adds energy.
//!
//! If the step has been made without the spring, up to the gap g and the velocity w, the impulse of the row moves
//! positions by `h/2 (w' - w)`. Spring and damper then act as at the end: `p = -h (k (g + h/2 (w' - w)) + d w')`.

use burgess_dynamics::{LimitSpring, share_of_step};

use super::contact_problem::Law;
use super::limits::{limit_gap, opening_velocity};
use super::rows::{RowContext, RowSlots};
use crate::contact_space::{ContactSpace, RowEnd};

/// Returns the damping to use if forces are explicit, in N m s/rad or N s/m. A stronger damper would reverse the motion
/// within a step instead of stopping it. `inverse_inertia` is that of the axis.
pub fn explicit_damping(spring: &LimitSpring, inverse_inertia: f64, step: f64) -> f64 {
    spring.damping.min(1.0 / (step * inverse_inertia))
}

/// Adds the row of a limit if it acts in this step.
pub fn add_soft_limit(context: &RowContext, space: &mut ContactSpace, spring: &LimitSpring, index: usize, axis: usize) {
    let model = context.world.model();
    let Some((gap, end)) = limit_gap(model, context.q, index, axis) else { return };
    let [before, after] = [context.start_velocities, context.v].map(|v| opening_velocity(&end, v));
    let is_made = context.weight.is_none();
    let gap_at_end = if is_made { gap } else { gap + 0.5 * context.step * (before + after) };
    if gap_at_end >= 0.0 {
        return;
    }
    let row = space.add_row(context.world, context.workspace, [end, RowEnd::Nothing], Law::Unilateral);
    (row.target, row.softness) = if is_made {
        target_after_step(context.step, spring, gap, before)
    } else if gap > 0.0 {
        let remaining = context.step * gap_at_end / (gap_at_end - gap);
        target_within_step(remaining, spring, 0.0, before.min(0.0), row.k)
    } else {
        target_within_step(context.step, spring, gap, before, row.k)
    };
    row.slot = RowSlots::new(context.world).limit(model.links()[index].v + axis);
}

/// Returns target and softness, given gap and velocity at the start of the step and the inverse inertia of the row.
fn target_within_step(h: f64, spring: &LimitSpring, gap: f64, w: f64, inverse_inertia: f64) -> (f64, f64) {
    let share = share_of_step(h * spring.damping * inverse_inertia);
    let m = share * (spring.damping + share * h * spring.stiffness);
    (-gap * (spring.stiffness / m) - (1.0 - share) / share * w, 1.0 / (h * m))
}

/// Returns target and softness, given gap and velocity at the end of a step that has been made without the spring.
fn target_after_step(h: f64, spring: &LimitSpring, gap: f64, w: f64) -> (f64, f64) {
    let damping = if gap - h * w < 0.0 { spring.damping } else { 0.0 };
    let m = 0.5 * h * spring.stiffness + damping;
    (-(gap - 0.5 * h * w) * (spring.stiffness / m), 1.0 / (h * m))
}
