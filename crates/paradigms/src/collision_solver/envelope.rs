//! What counts as a collision (Fontijne 2000, section 3.8.2): a contact that is inside the collision envelope and
//! approaches; and at what speed it shall leave.
//!
//! A contact that comes at u leaves at `e u`, with e boosted where it is slow ([`MicroImpulse`]). It leaves no slower
//! than
//!
//! ```text
//!   0.2 sqrt(2 a epsilon) (1 - d / epsilon)        d the distance, epsilon the envelope, a what presses the two together
//! ```
//!
//! however slowly it came. Without this a stack would sink: what rests on a brick turns its micro-collisions into an
//! approach that is too slow to be one. a is gravity, or more where motors and fields press harder. Joint limits are
//! envelopes, too, with angles in place of distances.

use burgess_geometry::Pose;
use burgess_simulation::constraint_solver::contact_problem::Law;
use burgess_simulation::constraint_solver::nearest_limit;
use burgess_simulation::contact_space::{ContactSpace, RowEnd};
use burgess_simulation::{Collider, SimulationData, World, WorldContact};
use glam::DVec3;

use super::MicroImpulse;

/// Approaching slower than this share of the micro-collision's threshold is resting.
const REST: f64 = 1e-2;
/// Bodies that touch leave each other at least at this share of the micro-collision's threshold.
const RECOVERY: f64 = 0.2;
/// Pressing harder than this (m/s^2 or rad/s^2) does not boost any more: a stiff servo is not as hard as it looks.
const MOST_PRESSING: f64 = 2000.0;

/// The collision envelope around all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// Its thickness, the collision epsilon, in m.
    pub epsilon: f64,
    /// The acceleration with which resting contacts are pressed together at least, in m/s^2: gravity.
    pub pressing: f64,
    /// The restitution of slow contacts that touch (Fontijne 2000, eq. 3.38), between 2 and 5 as a rule.
    pub max_restitution: f64,
    /// Joints this near to a limit are at it, in rad or m.
    pub limit_margin: f64,
}

/// The speeds, in m/s, at which a contact shall leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leaving {
    /// Always.
    pub least: f64,
    /// When it collides for the first time.
    pub first: f64,
}

impl Envelope {
    /// An envelope whose thickness is a share of the size of the smallest body that moves: half the side of a cube as
    /// large as its box.
    pub fn of_world(world: &World, share: f64) -> Self {
        let moving = world.colliders().iter().filter(|collider| collider.link.is_some());
        let size = |collider: &Collider| {
            let half = collider.shape.aabb(&Pose::IDENTITY).half_extents();
            libm::cbrt(half.x * half.y * half.z)
        };
        let epsilon = share * moving.map(size).reduce(f64::min).unwrap_or(1.0);
        let pressing = world.model().gravity.length();
        Self { epsilon, pressing, max_restitution: 2.0, limit_margin: 1e-3 }
    }

    /// Approaching slower than this is resting, in m/s.
    pub(super) fn tolerance(&self) -> f64 {
        REST * self.micro_impulse(self.epsilon, 0.0).threshold() + 1e-9
    }

    /// Is a contact in the envelope?
    pub(super) fn holds(&self, contact: &WorldContact) -> bool {
        contact.distance < self.epsilon
    }

    /// How a contact shall leave that closes at a speed. The workspace has the accelerations of the present state.
    pub(super) fn leaving(&self, data: &SimulationData, contact: &WorldContact, speed: f64) -> Leaving {
        let micro = self.micro_impulse(self.epsilon, -opening_acceleration(data, contact));
        leaving(&micro, contact.surface.restitution, contact.distance, speed)
    }

    fn micro_impulse(&self, envelope: f64, pressing: f64) -> MicroImpulse {
        let gravity = self.pressing.max(pressing.min(MOST_PRESSING));
        MicroImpulse { envelope, gravity, max_restitution: self.max_restitution }
    }

    /// Does any contact or joint limit in the envelope approach?
    pub(super) fn anything_collides(&self, data: &SimulationData) -> bool {
        let tolerance = self.tolerance();
        let micro = self.micro_impulse(self.epsilon, 0.0);
        let least = |distance: f64| leaving(&micro, 0.0, distance, 0.0).least;
        let collides = |contact: &WorldContact| {
            self.holds(contact) && contact.opening_speed(&data.workspace) < least(contact.distance) - tolerance
        };
        let mut limit = false;
        for_each_limit(data, self.limit_margin, |_, rate, _| limit |= rate < 0.0);
        limit || data.detection.contacts().iter().any(collides)
    }

    /// Does any joint that is at a limit move on towards it?
    pub(super) fn limit_approached(&self, data: &SimulationData) -> bool {
        let mut approached = false;
        for_each_limit(data, self.limit_margin, |_, rate, _| approached |= rate < -self.tolerance());
        approached
    }

    /// Adds a row for each joint that is at a limit. The workspace has the accelerations of the present state.
    pub(super) fn add_limits(&self, data: &SimulationData, space: &mut ContactSpace) {
        for_each_limit(data, self.limit_margin, |gap, rate, end| {
            let micro = self.micro_impulse(self.limit_margin, -limit_rate(&end, data.workspace.joint_acceleration()));
            let Leaving { least, first } = leaving(&micro, 0.0, gap, -rate);
            let ends = [end, RowEnd::Nothing];
            let row = space.add_row(&data.world, &data.workspace, ends, Law::Unilateral);
            // What leaves already may not come back, what comes has to leave.
            row.target = if rate < 0.0 { first } else { least.min(rate) };
        });
    }
}

/// The speeds at which something shall leave that closes at a speed, a distance away.
fn leaving(micro: &MicroImpulse, restitution: f64, distance: f64, speed: f64) -> Leaving {
    // How deep in the envelope: 0 at its border, 1 where bodies touch.
    let depth = (1.0 - distance / micro.envelope).clamp(0.0, 2.0);
    let least = RECOVERY * micro.threshold() * depth;
    Leaving { least, first: least.max(micro.restitution(restitution, distance, speed) * speed) }
}

/// Acceleration of b against a along the normal, as if nothing touched.
fn opening_acceleration(data: &SimulationData, contact: &WorldContact) -> f64 {
    let model = data.world.model();
    let acceleration = |link: Option<usize>| {
        link.map_or(DVec3::ZERO, |link| data.workspace.acceleration_at(model, link, contact.point).linear)
    };
    (acceleration(contact.link_b) - acceleration(contact.link_a)).dot(contact.normal)
}

/// The rows that act on the trees of a contact group.
pub(super) fn rows_of_group(space: &ContactSpace, trees: &[u32], rows: &mut Vec<u32>) {
    rows.clear();
    for (index, row) in space.rows().iter().enumerate() {
        if space.tree_of_row(row).is_some_and(|tree| trees.contains(&tree)) {
            rows.push(index as u32);
        }
    }
}

/// Calls with the gap (rad or m), its rate (rad/s or m/s) and the direction away from the limit, for every joint nearer
/// to a limit than a margin.
fn for_each_limit(data: &SimulationData, margin: f64, mut call: impl FnMut(f64, f64, RowEnd)) {
    let model = data.world.model();
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            if let Some((gap, end)) = nearest_limit(model, &data.state.q, index, axis)
                && gap <= margin
            {
                call(gap, limit_rate(&end, &data.state.v), end);
            }
        }
    }
}

/// How fast the gap to a limit grows, given velocities; its acceleration, given accelerations.
pub(crate) fn limit_rate(end: &RowEnd, v: &[f64]) -> f64 {
    match *end {
        RowEnd::Joint { dof, coefficients, .. } => {
            let own = coefficients.to_array();
            own.iter().zip(&v[dof..]).map(|(coefficient, v)| coefficient * v).sum()
        }
        _ => 0.0,
    }
}
