//! Motion of constraints within a step.
//!
//! Rows act at the middle of the step, and the velocities of its end must satisfy the constraint there. Along a row the
//! velocity changes from the middle to the end, at constant joint velocities, by `h/2` times the second derivative of
//! the constrained quantity: with a the relative acceleration of the two points (that of the first body taken at the
//! point of the second), w the angular velocities and u the relative velocity,
//!
//! ```text
//!   a point held at a point         n . a
//!   a point held on an axis of a    n . (a - 2 w_a x u)
//!   a distance L                    n . a + |u - n (n . u)|^2 / L
//!   an orientation held to a        n . (w_b' - w_a' - w_a x (w_b - w_a))
//! ```

use burgess_dynamics::spatial::Motion;
use glam::{DQuat, DVec3};

use super::rows::RowContext;
use crate::constraint::{Anchor, Constraint, ConstraintKind};

/// A constraint at the middle of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingConstraint {
    half: f64,
    /// Axes of the first anchor.
    pub frame: DQuat,
    /// Vector from the first point to the second, in m.
    pub gap: DVec3,
    spin_a: DVec3,
    relative: Motion,
    relative_bias: Motion,
}

impl MovingConstraint {
    /// Returns a constraint at the positions and velocities of the workspace.
    pub fn new(context: &RowContext, biases: &[Motion], constraint: &Constraint) -> Self {
        let (a, b) = (&constraint.a, &constraint.b);
        let (first, second) = (position(context, a), position(context, b));
        let [(velocity_a, bias_a), (velocity_b, bias_b)] =
            [a, b].map(|anchor| motion(context, biases, anchor.link, second));
        let frame = match a.link {
            Some(link) => context.workspace.pose(context.world.model(), link).compose(&a.pose).rotation,
            None => a.pose.rotation,
        };
        Self {
            half: 0.5 * context.step,
            frame,
            gap: second - first,
            spin_a: velocity_a.angular,
            relative: velocity_b - velocity_a,
            relative_bias: bias_b - bias_a,
        }
    }

    /// Returns the change of a row's velocity until the end of the step, in m/s or rad/s.
    pub fn drift(&self, kind: ConstraintKind, angular: DVec3, linear: DVec3) -> f64 {
        let Self { half, gap, spin_a, relative, relative_bias, .. } = *self;
        let turning = relative_bias.angular - spin_a.cross(relative.angular);
        let mut moving = relative_bias.linear;
        match kind {
            ConstraintKind::Slide => moving -= 2.0 * spin_a.cross(relative.linear),
            ConstraintKind::Distance { .. } | ConstraintKind::Rope { .. } => {
                let across = relative.linear - linear * linear.dot(relative.linear);
                let sign = linear.dot(gap).signum();
                moving += linear * (sign * across.length_squared() / gap.length().max(f64::MIN_POSITIVE));
            }
            _ => {}
        }
        half * (angular.dot(turning) + linear.dot(moving))
    }
}

fn position(context: &RowContext, anchor: &Anchor) -> DVec3 {
    anchor.link.map_or(anchor.pose.translation, |link| {
        context.workspace.position(context.world.model(), link, anchor.pose.translation)
    })
}

/// Returns velocity and bias acceleration of a link's point.
fn motion(context: &RowContext, biases: &[Motion], link: Option<usize>, point: DVec3) -> (Motion, Motion) {
    let Some(link) = link else { return (Motion::ZERO, Motion::ZERO) };
    let arm = point - context.workspace.anchor(link);
    let velocity = context.workspace.velocity_at(link, point);
    let mut bias = biases[link].shifted(arm);
    bias.linear += velocity.angular.cross(velocity.angular.cross(arm));
    (velocity, bias)
}
