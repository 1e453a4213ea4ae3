//! Joint limits that act as springs (Arnold 1997, section 3.2.1), as soft rows, implicit in time: stable at any
//! stiffness.
//!
//! The step moves along the mean of the velocities w before and w' after it (of the opening gap), so with the gap g at
//! its start the gap at a share t of it is `g + t h/2 (w + w')`. Spring k and damper d push, and never pull:
//!
//! ```text
//!   p = -h (k (g + t h/2 (w + w')) + d (w + w')/2) = -h (k g + m (w + w')) >= 0,      m = t h/2 k + d/2
//!   softness = 1 / (h m),    target = -k g / m - w
//! ```
//!
//! A limit that is exceeded during the whole step has t = 1/2, the midpoint rule: the work of p is that of the spring
//! minus `h d ((w + w')/2)^2`, so energy is only lost. A limit that is passed within the step has t = 1, which never
//! adds energy either, and no damping. A limit that is not exceeded at the end does not act. The gap at the end is
//! predicted by the motion of the step without the spring. A damper that would reverse velocities within a step instead
//! of stopping them is weakened to what a step can stop: `d <= 2 / (h K)` with K the inverse inertia of the row.
//!
//! If the step has been made without the spring, up to the gap g and the velocity w, the impulse of the row moves
//! positions by `h/2 (w' - w)`. Spring and damper then act as at the end: `p = -h (k (g + h/2 (w' - w)) + d w')`.

use burgess_dynamics::LimitSpring;

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
    } else {
        target_within_step(context.step, spring, gap, before, row.k)
    };
    row.slot = RowSlots::new(context.world).limit(model.links()[index].v + axis);
}

/// Returns target and softness, given gap and velocity at the start of the step and the inverse inertia of the row.
fn target_within_step(h: f64, spring: &LimitSpring, gap: f64, w: f64, inverse_inertia: f64) -> (f64, f64) {
    let m = if gap < 0.0 {
        0.25 * h * spring.stiffness + 0.5 * spring.damping.min(2.0 / (h * inverse_inertia))
    } else {
        0.5 * h * spring.stiffness
    };
    (-gap * (spring.stiffness / m) - w, 1.0 / (h * m))
}

/// Returns target and softness, given gap and velocity at the end of a step that has been made without the spring.
fn target_after_step(h: f64, spring: &LimitSpring, gap: f64, w: f64) -> (f64, f64) {
    let damping = if gap - h * w < 0.0 { spring.damping } else { 0.0 };
    let m = 0.5 * h * spring.stiffness + damping;
    (-(gap - 0.5 * h * w) * (spring.stiffness / m), 1.0 / (h * m))
}
