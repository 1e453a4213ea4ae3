//! Joint limits, dry friction of joints, and constraints, at the acceleration level.
//!
//! A row has a force f and an acceleration `a = A f + a_0`. Its required value is not zero but
//!
//! ```text
//!   a + 2 alpha e' + alpha^2 e = 0          e the row's error (or gap), alpha the rate of the feedback
//! ```
//!
//! so that drift is corrected like by a critically damped spring (Baumgarte). `a_0` holds the velocity-dependent terms:
//! for a direction that rotates with link a, the Coriolis term; for a distance, the centripetal one.
//!
//! | row | effect |
//! |---|---|
//! | pin, hinge, slide, weld, distance | holds, with any force |
//! | joint limit, rope | pushes (pulls) only; a limit that is reached stops inelastically, within some `1 / alpha` |
//! | dry friction of a joint | holds up to its largest effort, then slips with it |
//! | spring, tendon | a known force `-k (l - l_0) - c l'`; explicit, so the step has to resolve it |
//! | soft limit | the same, with damping that stops an impact within one step at the soonest; the motion solver
//! resolves it in sub-steps |

use burgess_dynamics::{LimitSpring, Tendon, Workspace};
use burgess_geometry::Pose;
use burgess_simulation::constraint_solver::contact_problem::Law;
use burgess_simulation::constraint_solver::{explicit_damping, limit_gap, nearest_limit, opening_velocity};
use burgess_simulation::contact_space::{ContactSpace, RowEnd};
use burgess_simulation::{Anchor, Constraint, ConstraintKind};
use glam::DVec3;

use crate::modules::ForceMoment;

/// Distance below which limits are included however slow the joint is, in rad or m.
const NEAR_LIMIT: f64 = 1e-3;

/// Allowed forces of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RowForce {
    /// Any force.
    Any,
    /// A non-negative force, and only where the row would close.
    Pushing,
    /// Up to this, in N or N m.
    Bounded(f64),
    /// This, in N or N m.
    Known(f64),
}

/// A row of the contact space with its acceleration data.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccelerationRow {
    pub force: RowForce,
    /// Acceleration without constraint forces, with the feedback added, in m/s^2 or rad/s^2.
    pub free: f64,
}

/// Adds rows to a contact space and to `rows`, in parallel.
pub(super) struct RowFiller<'a> {
    pub at: &'a ForceMoment<'a>,
    /// Workspace after the three passes, without constraint forces.
    pub free: &'a Workspace,
    /// Rate of the feedback, in 1/s.
    pub rate: f64,
    /// Step, in s.
    pub usual_step: f64,
    pub space: &'a mut ContactSpace,
    pub rows: &'a mut Vec<AccelerationRow>,
}

impl RowFiller<'_> {
    pub fn fill(&mut self) {
        self.rows.clear();
        let model = self.at.world.model();
        for (index, link) in model.links().iter().enumerate() {
            for axis in 0..link.dofs as usize {
                let properties = &model.properties()[link.v + axis];
                if properties.friction > 0.0 {
                    self.add_dry_friction(index, link.v + axis, properties.friction);
                }
                if properties.limit.is_some() {
                    match properties.limit_spring {
                        None => self.add_limit(index, axis),
                        Some(spring) => self.add_soft_limit(&spring, index, axis),
                    }
                }
            }
        }
        let world = self.at.world;
        for constraint in world.constraints() {
            self.add_constraint(constraint);
        }
        for (index, tendon) in world.tendons().iter().enumerate() {
            self.add_tendon(index, tendon);
        }
    }

    fn add_tendon(&mut self, index: usize, tendon: &Tendon) {
        let force = tendon.force(tendon.length(self.at.moment.q), tendon.rate(self.at.moment.v));
        let free = tendon.rate(self.free.joint_acceleration());
        if self.space.add_tendon(self.at.world, self.free, index).k > 0.0 {
            self.rows.push(AccelerationRow { force: RowForce::Known(force), free });
        } else {
            self.space.drop_last_row();
        }
    }

    fn push(&mut self, ends: [RowEnd; 2], force: RowForce, free: f64) -> f64 {
        let k = self.space.add_row(self.at.world, self.free, ends, Law::Bilateral).k;
        // Degrees of freedom that joints already constrain need no force.
        if k > 0.0 {
            self.rows.push(AccelerationRow { force, free });
        } else {
            self.space.drop_last_row();
        }
        k
    }

    fn add_dry_friction(&mut self, link: usize, dof: usize, limit: f64) {
        let velocity = self.at.moment.v[dof];
        let end = RowEnd::Joint { link, dof, coefficients: DVec3::X };
        let free = self.free.joint_acceleration()[dof] + 2.0 * self.rate * velocity;
        let k = self.push([end, RowEnd::Nothing], RowForce::Bounded(limit), free);
        // Faster than friction can stop within a step.
        if k > 0.0 && velocity.abs() > limit * k * self.usual_step {
            self.rows.last_mut().expect("was pushed").force = RowForce::Known(-limit.copysign(velocity));
        }
    }

    fn add_limit(&mut self, index: usize, axis: usize) {
        let model = self.at.world.model();
        let Some((gap, end)) = nearest_limit(model, self.at.moment.q, index, axis) else { return };
        let RowEnd::Joint { dof, coefficients, .. } = end else { return };
        let along = |of: &[f64]| coefficients.to_array().iter().zip(&of[dof..]).map(|(c, x)| c * x).sum::<f64>();
        let speed = along(self.at.moment.v);
        if gap <= (2.0 * speed.abs() / self.rate).max(NEAR_LIMIT) {
            let free = along(self.free.joint_acceleration()) + self.feedback(gap, speed);
            self.push([end, RowEnd::Nothing], RowForce::Pushing, free);
        }
    }

    fn add_soft_limit(&mut self, spring: &LimitSpring, index: usize, axis: usize) {
        let Some((gap, end)) = limit_gap(self.at.world.model(), self.at.moment.q, index, axis) else { return };
        if gap < 0.0 {
            let free = opening_velocity(&end, self.free.joint_acceleration());
            let k = self.push([end, RowEnd::Nothing], RowForce::Known(0.0), free);
            if k > 0.0 {
                let damping = explicit_damping(spring, k, self.usual_step);
                let push = -spring.stiffness * gap - damping * opening_velocity(&end, self.at.moment.v);
                self.rows.last_mut().expect("was pushed").force = RowForce::Known(push.max(0.0));
            }
        }
    }

    fn feedback(&self, error: f64, rate: f64) -> f64 {
        self.rate * (2.0 * rate + self.rate * error)
    }

    fn place(&self, anchor: &Anchor) -> Pose {
        match anchor.link {
            Some(link) => self.free.pose(self.at.world.model(), link).compose(&anchor.pose),
            None => anchor.pose,
        }
    }

    /// Returns velocity and acceleration of a link's point and of its rotation: linear, angular, linear, angular.
    fn motion(&self, link: Option<usize>, point: DVec3) -> [DVec3; 4] {
        let Some(link) = link else { return [DVec3::ZERO; 4] };
        let velocity = self.free.velocity_at(link, point);
        let acceleration = self.free.acceleration_at(self.at.world.model(), link, point);
        [velocity.linear, velocity.angular, acceleration.linear, acceleration.angular]
    }

    fn add_constraint(&mut self, constraint: &Constraint) {
        let (a, b) = (self.place(&constraint.a), self.place(&constraint.b));
        let point = b.translation;
        let ends = |angular: DVec3, linear: DVec3| {
            let end = |link, sign: f64| RowEnd::Link { link, point, angular: angular * sign, linear: linear * sign };
            // Both forces act at the same point, so that they have no net moment.
            [end(constraint.a.link, -1.0), end(constraint.b.link, 1.0)]
        };
        let [v_a, w_a, a_a, alpha_a] = self.motion(constraint.a.link, point);
        let [v_b, w_b, a_b, alpha_b] = self.motion(constraint.b.link, point);
        let gap = b.translation - a.translation;
        let (slip, turn) = (v_b - v_a, w_b - w_a);
        // Relative to a, along directions that rotate with it.
        let slip_rate = a_b - a_a - 2.0 * w_a.cross(slip);
        let turn_rate = alpha_b - alpha_a - w_a.cross(turn);
        let mut hold = |axis: DVec3, error: DVec3| {
            let free = axis.dot(slip_rate) + self.feedback(axis.dot(error), axis.dot(slip));
            self.push(ends(DVec3::ZERO, axis), RowForce::Any, free);
        };
        match constraint.kind {
            ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Weld => {
                DVec3::AXES.into_iter().for_each(|axis| hold(axis, gap));
            }
            ConstraintKind::Slide => {
                [DVec3::X, DVec3::Y].into_iter().for_each(|axis| hold(a.rotation * axis, gap));
            }
            ConstraintKind::Distance { length } | ConstraintKind::Rope { length } => {
                let (along, now, speed, rate) = self.stretching(constraint, a.translation, gap);
                if constraint.kind == (ConstraintKind::Distance { length }) {
                    let free = rate + self.feedback(now - length, speed);
                    self.push(ends(DVec3::ZERO, along), RowForce::Any, free);
                } else if length - now <= (2.0 * speed.abs() / self.rate).max(NEAR_LIMIT) {
                    let free = -rate + self.feedback(length - now, -speed);
                    self.push(ends(DVec3::ZERO, -along), RowForce::Pushing, free);
                }
            }
            ConstraintKind::Spring { length, stiffness, damping } => {
                let (along, now, speed, rate) = self.stretching(constraint, a.translation, gap);
                let force = -stiffness * (now - length) - damping * speed;
                self.push(ends(DVec3::ZERO, along), RowForce::Known(force), rate);
            }
        }
        let mut keep_turned = |axis: DVec3, error: DVec3| {
            let free = axis.dot(turn_rate) + self.feedback(axis.dot(error), axis.dot(turn));
            self.push(ends(axis, DVec3::ZERO), RowForce::Any, free);
        };
        match constraint.kind {
            ConstraintKind::Weld | ConstraintKind::Slide => {
                let error = (b.rotation * a.rotation.inverse()).to_scaled_axis();
                DVec3::AXES.into_iter().for_each(|axis| keep_turned(axis, error));
            }
            ConstraintKind::Hinge => {
                let (axis, other) = (a.rotation * DVec3::Z, b.rotation * DVec3::Z);
                let (first, second) = axis.any_orthonormal_pair();
                [first, second].into_iter().for_each(|across| keep_turned(across, axis.cross(other)));
            }
            _ => {}
        }
    }

    /// Returns the direction from a to b, their distance, its rate, and its acceleration without constraint forces.
    fn stretching(&self, constraint: &Constraint, from: DVec3, gap: DVec3) -> (DVec3, f64, f64, f64) {
        let [v_a, _, a_a, _] = self.motion(constraint.a.link, from);
        let [v_b, _, a_b, _] = self.motion(constraint.b.link, from + gap);
        let now = gap.length();
        let along = gap.try_normalize().unwrap_or(DVec3::Z);
        let velocity = v_b - v_a;
        let speed = along.dot(velocity);
        let swing = if now > 0.0 { (velocity - along * speed).length_squared() / now } else { 0.0 };
        (along, now, speed, along.dot(a_b - a_a) + swing)
    }
}
