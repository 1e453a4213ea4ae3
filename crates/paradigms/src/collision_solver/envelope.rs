//! The definition of a collision (Fontijne 2000, section 3.8.2): a contact inside the collision envelope that
//! approaches; and its required separation speed.
//! A contact that approaches at u separates at `e u`, with e boosted where it is slow ([`MicroImpulse`]). It separates
//! no slower than
//!
//! ```text
//!   0.2 sqrt(2 a epsilon) (1 - d / epsilon)        d the distance, epsilon the envelope, a what presses the two together
//! ```
//!
//! however slowly it approached. Without this a stack would sink: the load on a brick turns its micro-collisions into
//! an approach that is too slow to be one. a is gravity, or more where motors and fields press harder. Joint limits
//! have envelopes as well, with angles in place of distances.

use burgess_geometry::Pose;
use burgess_simulation::constraint_solver::contact_problem::Law;
use burgess_simulation::constraint_solver::nearest_limit;
use burgess_simulation::contact_space::{ContactSpace, RowEnd};
use burgess_simulation::{Collider, SimulationData, World, WorldContact};
use glam::DVec3;

use super::MicroImpulse;

/// Approach speed below which a contact rests, relative to the threshold of micro-collisions.
const REST_FRACTION: f64 = 1e-2;
/// Minimum separation speed of touching bodies, relative to the threshold of micro-collisions.
const RECOVERY_FRACTION: f64 = 0.2;
/// Maximum pressing acceleration (m/s^2 or rad/s^2) used for the boost: a stiff servo presses less than its gain
/// suggests.
const MAX_PRESSING: f64 = 2000.0;

/// The collision envelope around all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// Thickness, the collision epsilon, in m.
    pub epsilon: f64,
    /// Minimum acceleration with which resting contacts are pressed together, in m/s^2: gravity.
    pub pressing: f64,
    /// Restitution of slow touching contacts (Fontijne 2000, eq. 3.38), usually between 2 and 5.
    pub max_restitution: f64,
    /// Distance to a limit below which a joint is at it, in rad or m.
    pub limit_margin: f64,
}

/// Required separation speeds of a contact, in m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leaving {
    /// Minimum separation speed.
    pub least: f64,
    /// Separation speed at the first collision.
    pub first: f64,
}

impl Envelope {
    /// Creates an envelope whose thickness is a fraction of the size of the smallest moving body: half the side of a
    /// cube with the volume of its box.
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

    /// Returns the approach speed below which a contact rests, in m/s.
    pub(super) fn tolerance(&self) -> f64 {
        REST_FRACTION * self.micro_impulse(self.epsilon, 0.0).threshold() + 1e-9
    }

    /// Returns whether a contact is in the envelope.
    pub(super) fn holds(&self, contact: &WorldContact) -> bool {
        contact.distance < self.epsilon
    }

    /// Returns the required separation speeds of a contact with a relative velocity, and the slip that undoes its creep.
    /// The workspace has the accelerations of the present state.
    pub(super) fn leaving(&self, data: &SimulationData, contact: &WorldContact, velocity: DVec3) -> Leaving {
        let micro = self.micro_impulse(self.epsilon, -opening_acceleration(data, contact));
        leaving(&micro, contact.surface.restitution, contact.distance, -velocity.dot(contact.normal))
    }

    /// Returns how far a contact in a series of micro-collisions has crept (m, a vector in the world), from how far it
    /// had at its last look, `elapsed` s ago. Between two looks it moves freely. Creep beyond the envelope is sliding
    /// and forgotten.
    pub(super) fn creep(&self, data: &SimulationData, contact: &WorldContact, velocity: DVec3, elapsed: f64) -> DVec3 {
        let before = data.pairs.record(contact.pair as usize).stretches.iter().find(|stored| stored.id == contact.id);
        let (Some(before), true) = (before, self.is_slow(velocity, contact.normal)) else { return DVec3::ZERO };
        let moved = elapsed * (velocity - 0.5 * elapsed * relative_acceleration(data, contact));
        let creep = (before.stretch + moved).reject_from_normalized(contact.normal);
        if creep.length() < self.epsilon { creep } else { DVec3::ZERO }
    }

    /// Returns the rate at which creep is undone, in 1/s: half of it in the time of a fall through the envelope.
    pub(super) fn creep_rate(&self) -> f64 {
        let fall = self.micro_impulse(self.epsilon, 0.0).threshold() / self.pressing;
        if fall > 0.0 && fall.is_finite() { 0.5 / fall } else { 0.0 }
    }

    /// Returns whether a contact neither collides nor slides faster than a fall through the envelope.
    fn is_slow(&self, velocity: DVec3, normal: DVec3) -> bool {
        let (threshold, speed) = (self.micro_impulse(self.epsilon, 0.0).threshold(), velocity.dot(normal));
        speed.abs() < threshold && (velocity - normal * speed).length() < threshold
    }

    fn micro_impulse(&self, envelope: f64, pressing: f64) -> MicroImpulse {
        let gravity = self.pressing.max(pressing.min(MAX_PRESSING));
        MicroImpulse { envelope, gravity, max_restitution: self.max_restitution }
    }

    /// Returns whether any contact or joint limit in the envelope approaches.
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

    /// Returns whether any joint at a limit moves towards it.
    pub(super) fn limit_approached(&self, data: &SimulationData) -> bool {
        let mut approached = false;
        for_each_limit(data, self.limit_margin, |_, rate, _| approached |= rate < -self.tolerance());
        approached
    }

    /// Adds a row for each joint at a limit. The workspace has the accelerations of the present state.
    pub(super) fn add_limits(&self, data: &SimulationData, space: &mut ContactSpace) {
        for_each_limit(data, self.limit_margin, |gap, rate, end| {
            let micro = self.micro_impulse(self.limit_margin, -limit_rate(&end, data.workspace.joint_acceleration()));
            let Leaving { least, first } = leaving(&micro, 0.0, gap, -rate);
            let ends = [end, RowEnd::Nothing];
            let row = space.add_row(&data.world, &data.workspace, ends, Law::Unilateral);
            // A joint that already separates must not return; one that approaches must separate.
            row.target = if rate < 0.0 { first } else { least.min(rate) };
        });
    }
}

/// Returns the required separation speeds at a distance and closing speed.
fn leaving(micro: &MicroImpulse, restitution: f64, distance: f64, speed: f64) -> Leaving {
    // Depth in the envelope: 0 at its border, 1 where bodies touch.
    let depth = (1.0 - distance / micro.envelope).clamp(0.0, 2.0);
    let least = RECOVERY_FRACTION * micro.threshold() * depth;
    Leaving { least, first: least.max(micro.restitution(restitution, distance, speed) * speed) }
}

/// Returns the acceleration of b relative to a along the normal, without contact forces.
fn opening_acceleration(data: &SimulationData, contact: &WorldContact) -> f64 {
    relative_acceleration(data, contact).dot(contact.normal)
}

/// Returns the acceleration of b relative to a without contact forces, in m/s^2.
fn relative_acceleration(data: &SimulationData, contact: &WorldContact) -> DVec3 {
    let model = data.world.model();
    let acceleration = |link: Option<usize>| {
        link.map_or(DVec3::ZERO, |link| data.workspace.acceleration_at(model, link, contact.point).linear)
    };
    acceleration(contact.link_b) - acceleration(contact.link_a)
}

/// Collects the rows that act on the trees of a contact group.
pub(super) fn rows_of_group(space: &ContactSpace, trees: &[u32], rows: &mut Vec<u32>) {
    rows.clear();
    for (index, row) in space.rows().iter().enumerate() {
        if space.tree_of_row(row).is_some_and(|tree| trees.contains(&tree)) {
            rows.push(index as u32);
        }
    }
}

/// Calls `call` with the gap (rad or m), its rate (rad/s or m/s) and the direction away from the limit, for every joint
/// nearer to a limit than a margin.
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

/// Returns the rate of the gap to a limit from velocities, or its acceleration from accelerations.
pub(crate) fn limit_rate(end: &RowEnd, v: &[f64]) -> f64 {
    match *end {
        RowEnd::Joint { dof, coefficients, .. } => {
            let own = coefficients.to_array();
            own.iter().zip(&v[dof..]).map(|(coefficient, v)| coefficient * v).sum()
        }
        _ => 0.0,
    }
}
