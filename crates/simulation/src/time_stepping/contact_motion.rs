//! The motion of contacts within a step.
//!
//! Contacts are detected at the middle of a step, at q*. With J the relative velocity at a contact there, r = J v is that
//! of the start of the step and s = J v' that of its end. A contact moves over both surfaces and its normal turns, so a
//! contact that holds from step to step does not have `s = 0`: at q' its velocity would not be zero. The last step stored
//! its own `s_1` with the contact, which is `J_1 v` with the same v. Therefore
//!
//! ```text
//!   r - s_1 = (J - J_1) v
//! ```
//!
//! is how much the velocity has changed between the two middles because the contact has moved and turned. The *drift* is
//! half of it, the change in half a step. What it does not explain of r is the *rest* u:
//!
//! ```text
//!   drift = (r - s_1) / 2,    u = r - drift
//! ```
//!
//! (with other factors if the parts of a step differ in length; after a collision the velocities there are remembered).
//! A contact that holds has a small u. Its law is that the mean velocity at q*, along which bodies move, is zero, so that
//! it does no work:
//!
//! ```text
//!   s = -r + d (u - 2 u_1 + u_2),    u_1, u_2 those of the last two steps
//! ```
//!
//! The term with d damps a disturbance that alternates from step to step, by a third in each, and hardly changes a smooth
//! motion. A contact that was slipping or approaching has a large u, which must not be reversed: it stops relative to
//! its drift, `s = -drift`. Normal and tangent are decided for themselves. No curvature of a surface is needed.

use glam::DVec3;

use crate::constraint_solver::resting_speed;
use crate::contact::{StoredImpulse, WorldContact};
use crate::simulation_data::SimulationData;
use crate::world::World;

/// Drifts below this, relative to the speed of a fall over one step, are rounding and errors of the solver.
const NEGLIGIBLE_DRIFT: f64 = 1e-4;

/// The factor d of the damping: with it the three roots of the difference equation of u are at most 0.67.
pub(crate) const DAMPED_SHARE: f64 = 0.1;

/// Gap up to which bodies touch in any case, in m.
const MIN_TOUCHING_GAP: f64 = 1e-9;

/// The motion of a contact in the present step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactMotion {
    /// Velocity of b relative to a at the middle of the step with the velocities of its start, in m/s.
    pub velocity: DVec3,
    /// Change of the relative velocity within half a step at constant joint velocities, in m/s; zero for a contact that
    /// has not lasted, and for one between links of the same tree.
    pub drift: DVec3,
    /// What the drift does not explain of the velocity where the contact holds, in m/s.
    pub rest: DVec3,
    /// The same in the last step.
    pub last_rest: DVec3,
    /// What the law adds to the velocity of the end of the step.
    pub law_drift: DVec3,
    /// Whether it carried an impulse in the last step, or landed in a collision after it.
    pub lasts: bool,
    /// Whether it will collide later: the constraint solver leaves it alone.
    pub flies: bool,
}

impl SimulationData {
    /// Finds the motions of all contacts. The workspace must be at the middle of the step, with the velocities of its
    /// start.
    pub fn find_contact_motions(&mut self, step: f64) {
        let negligible = NEGLIGIBLE_DRIFT * self.world.model().gravity.length() * step;
        let passed = 0.5 * step + self.memory_age;
        let resting = resting_speed(self.world.model(), step);
        let Self { world, detection, workspace, pairs, contact_motions, .. } = self;
        contact_motions.clear();
        contact_motions.extend(detection.contacts().iter().map(|contact| {
            let velocity = contact.velocity(workspace);
            let stored = pairs.record(contact.pair as usize).stored(&contact.id);
            let mut motion = ContactMotion { velocity, lasts: stored.is_some(), ..Default::default() };
            let is_followed = |stored: &&StoredImpulse| stored.velocity.is_finite() && !is_within_tree(world, contact);
            if let Some(stored) = stored.filter(is_followed) {
                let drift = (velocity - stored.velocity) * (0.5 * step / passed);
                if drift.length_squared() > negligible * negligible {
                    let rest = velocity - drift;
                    let damped = (rest - 2.0 * stored.rests[0] + stored.rests[1]) * DAMPED_SHARE;
                    let split = |vector: DVec3| {
                        let normal = contact.normal * vector.dot(contact.normal);
                        [normal, vector - normal]
                    };
                    let [reversed, drifts, rests] = [velocity - damped, drift, rest].map(split);
                    (motion.drift, motion.last_rest) = (drift, stored.rests[0]);
                    for part in 0..2 {
                        if rests[part].length() <= drifts[part].length() + resting {
                            motion.law_drift += reversed[part];
                            motion.rest += rests[part];
                        } else {
                            motion.law_drift += drifts[part];
                        }
                    }
                }
            }
            motion
        }));
    }

    /// Remembers the velocities of contacts that last, and of those that have just landed, after a collision. The
    /// workspace must be at the state.
    pub(crate) fn remember_contact_velocities(&mut self) {
        let fall = self.world.model().gravity.length() * self.whole_step;
        let resting = resting_speed(self.world.model(), self.whole_step);
        let Self { detection, workspace, pairs, whole_step, .. } = self;
        for contact in detection.contacts() {
            let velocity = contact.velocity(workspace);
            let record = pairs.cache_mut(contact.pair as usize);
            let rests = [DVec3::ZERO; 2];
            match record.stored_mut(&contact.id) {
                Some(stored) => (stored.velocity, stored.rests) = (velocity, rests),
                None => {
                    let touches = contact.distance <= 0.5 * fall * *whole_step + MIN_TOUCHING_GAP;
                    if touches && velocity.dot(contact.normal).abs() <= resting {
                        record.impulses.push(StoredImpulse { id: contact.id, impulse: DVec3::ZERO, velocity, rests });
                    }
                }
            }
        }
    }
}

/// Returns whether both links of a contact belong to one tree. Where joints hardly allow any motion along the normal, an
/// impulse that compensates for the motion of the contact would fling links about.
fn is_within_tree(world: &World, contact: &WorldContact) -> bool {
    let tree = |link: Option<usize>| link.map(|link| world.tree_of_link(link));
    tree(contact.link_a).is_some() && tree(contact.link_a) == tree(contact.link_b)
}

impl ContactMotion {
    /// Returns the speed at which a contact closes, in m/s; negative if it opens.
    pub fn closing_speed(&self, contact: &WorldContact) -> f64 {
        -(self.velocity - self.drift).dot(contact.normal)
    }

    /// Returns the gap at the middle of the step, in m, without what the straight way to it has got wrong.
    pub fn start_gap(&self, contact: &WorldContact, step: f64) -> f64 {
        contact.distance - 0.25 * step * self.drift.dot(contact.normal)
    }
}
