//! What counts as a collision (000 section 3.8.2): a contact that is inside the collision envelope and approaches; and how
//! much it bounces.

use burgess_dynamics::{ImpulseResponse, Motor};
use burgess_geometry::Pose;
use glam::DVec3;

use super::MicroImpulse;
use crate::constraint_solver::contact_problem::Law;
use crate::constraint_solver::nearest_limit;
use crate::contact::WorldContact;
use crate::contact_space::{ContactSpace, RowEnd};
use crate::stage::Stage;
use crate::world::{Collider, World};

/// Approaching slower than this share of the micro-collision's threshold is resting.
const REST: f64 = 1e-2;
/// Bodies that touch leave each other at least at this share of the micro-collision's threshold.
const RECOVERY: f64 = 0.2;

/// The collision envelope around all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// Its thickness, the collision epsilon, in m.
    pub epsilon: f64,
    /// The acceleration with which resting contacts are pressed together, in m/s^2: gravity as a rule.
    pub pressing: f64,
    /// The restitution of slow contacts that touch (000 eq. 3.38), between 2 and 5 as a rule.
    pub max_restitution: f64,
    /// Joints this near to a limit are at it, in rad or m.
    pub limit_margin: f64,
    /// The acceleration with which joints are pressed against their limits, in rad/s^2 or m/s^2.
    pub limit_pressing: f64,
}

impl Envelope {
    /// An envelope whose thickness is a share of the size of the smallest body that moves (half the side of a cube as large
    /// as its box), with gravity and what motors can add as the pressing acceleration.
    pub fn of_world(world: &World, share: f64) -> Self {
        let moving = || world.colliders().iter().filter(|collider| collider.link.is_some());
        let size = |collider: &Collider| {
            let half = collider.shape.aabb(&Pose::IDENTITY).half_extents();
            libm::cbrt(half.x * half.y * half.z)
        };
        let epsilon = share * moving().map(size).reduce(f64::min).unwrap_or(1.0);
        let smallest = moving().map(|collider| collider.reach).fold(1.0, f64::min);
        let pressing = world.model().gravity.length() + drive_acceleration(world);
        // A hinge makes an acceleration of a link's end that is smaller, by its length, than that of its angle.
        let limit_pressing = pressing / smallest;
        Self { epsilon, pressing, max_restitution: 2.0, limit_margin: 1e-3, limit_pressing }
    }

    /// Approaching slower than this is resting, in m/s.
    pub(super) fn tolerance(&self) -> f64 {
        REST * self.micro_impulse().threshold() + 1e-10
    }

    /// Is a contact in the envelope?
    pub(super) fn holds(&self, contact: &WorldContact) -> bool {
        contact.distance < self.epsilon
    }

    /// The least speed (m/s) at which a contact shall leave: it is pushed out of the envelope, the faster the deeper it is. Without this a stack would sink: what rests on a brick makes of its micro-collisions
    /// an approach that is too slow to be one.
    pub(super) fn recovery(&self, distance: f64) -> f64 {
        RECOVERY * self.micro_impulse().threshold() * depth_in(distance, self.epsilon)
    }

    /// The least speed (rad/s or m/s) at which a joint shall leave its limit, at a gap (rad or m) from it to which it moves
    /// at a speed: boosted and pushed out like a contact, as limits are envelopes, too.
    fn leave_limit(&self, gap: f64, speed: f64) -> f64 {
        let (envelope, gravity) = (self.limit_margin, self.limit_pressing);
        let micro = MicroImpulse { envelope, gravity, max_restitution: self.max_restitution };
        let boosted = micro.restitution(0.0, gap, speed) * speed;
        boosted.max(RECOVERY * micro.threshold() * depth_in(gap, envelope))
    }

    /// The speed (m/s) at which a contact shall leave that closes at a speed, or more: boosted if it is slow.
    pub(super) fn leaving_speed(&self, contact: &WorldContact, speed: f64) -> f64 {
        let boosted = self.micro_impulse().restitution(contact.surface.restitution, contact.distance, speed);
        (boosted * speed).max(self.recovery(contact.distance))
    }

    fn micro_impulse(&self) -> MicroImpulse {
        MicroImpulse { envelope: self.epsilon, gravity: self.pressing, max_restitution: self.max_restitution }
    }

    /// Does any contact or joint limit in the envelope approach?
    pub(super) fn anything_collides(&self, stage: &Stage) -> bool {
        let tolerance = self.tolerance();
        let collides = |contact: &WorldContact| {
            self.holds(contact) && approach(stage, contact) < self.recovery(contact.distance) - tolerance
        };
        let mut limit = false;
        for_each_limit(stage, self.limit_margin, |gap, rate, _| limit |= rate < self.leave_limit(gap, 0.0) - tolerance);
        limit || stage.detection.contacts().iter().any(collides)
    }

    /// Does any joint that is at a limit move on towards it?
    pub(super) fn limit_approached(&self, stage: &Stage) -> bool {
        let mut approached = false;
        for_each_limit(stage, self.limit_margin, |_, rate, _| approached |= rate < -self.tolerance());
        approached
    }

    /// Adds a row for each joint that is at a limit.
    pub(super) fn add_limits(&self, stage: &Stage, space: &mut ContactSpace, response: &mut ImpulseResponse) {
        for_each_limit(stage, self.limit_margin, |gap, rate, end| {
            let ends = [end, RowEnd::Nothing];
            let row = space.add_row(&stage.world, &stage.workspace, response, ends, Law::Unilateral);
            // What leaves already may not come back, what comes has to leave.
            row.target = if rate < 0.0 { self.leave_limit(gap, -rate) } else { self.leave_limit(gap, 0.0).min(rate) };
        });
    }
}

/// Velocity of b against a along the normal at the state of the workspace; negative: the gap closes.
fn approach(stage: &Stage, contact: &WorldContact) -> f64 {
    let velocity =
        |link: Option<usize>| link.map_or(DVec3::ZERO, |link| stage.workspace.velocity_at(link, contact.point).linear);
    (velocity(contact.link_b) - velocity(contact.link_a)).dot(contact.normal)
}

/// The rows that act on the trees of a contact group.
pub(super) fn rows_of_group(space: &ContactSpace, world: &World, trees: &[u32], rows: &mut Vec<u32>) {
    rows.clear();
    for (index, row) in space.rows().iter().enumerate() {
        if space.tree_of_row(row, world).is_some_and(|tree| trees.contains(&tree)) {
            rows.push(index as u32);
        }
    }
}

/// How deep in an envelope: 0 at its border, 1 where bodies touch, 2 at most.
fn depth_in(distance: f64, epsilon: f64) -> f64 {
    (1.0 - distance / epsilon).clamp(0.0, 2.0)
}

/// Calls with the gap (rad or m), its rate (rad/s or m/s) and the direction away from the limit, for every joint nearer to a
/// limit than a margin.
fn for_each_limit(stage: &Stage, margin: f64, mut call: impl FnMut(f64, f64, RowEnd)) {
    let model = stage.world.model();
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            if let Some((gap, end)) = nearest_limit(model, &stage.state.q, index, axis)
                && gap <= margin
            {
                call(gap, limit_rate(&end, &stage.state.v), end);
            }
        }
    }
}

/// How fast the gap to a limit grows.
pub(crate) fn limit_rate(end: &RowEnd, v: &[f64]) -> f64 {
    match *end {
        RowEnd::Joint { dof, coefficients, .. } => {
            let own = coefficients.to_array();
            own.iter().zip(&v[dof..]).map(|(coefficient, v)| coefficient * v).sum()
        }
        _ => 0.0,
    }
}

/// The largest acceleration that the drive of a joint can give to the end of its link alone, in m/s^2.
fn drive_acceleration(world: &World) -> f64 {
    let model = world.model();
    let mut most = 0.0_f64;
    for (index, link) in model.links().iter().enumerate() {
        let reach = world.colliders().iter().filter(|c| c.link == Some(index)).map(|c| c.reach).fold(0.0, f64::max);
        for properties in &model.properties()[link.v..link.v + link.dofs as usize] {
            let motor = match properties.motor {
                Motor::None => 0.0,
                Motor::Effort(effort) => effort.abs().min(properties.max_effort),
                Motor::Velocity { .. } | Motor::Position { .. } if properties.max_effort.is_finite() => {
                    properties.max_effort
                }
                Motor::Velocity { gain, target } => gain * target.abs(),
                Motor::Position { stiffness, .. } => stiffness,
            };
            // A slide pushes the mass, a hinge turns it about its end: the same up to a factor.
            let inertia = link.inertia.mass * reach.max(1e-6);
            most = most.max(motor / inertia);
        }
    }
    most
}
