//! Contacts at the middle of the step.
//!
//! Contacts are detected at the start of a step. Its impulses act at the middle, and its end velocities must satisfy the
//! laws at its end. In between the contact moves over both surfaces, its normal rotates, and the bodies' own points are
//! accelerated ([`MovingContact`]). With c the velocity of the contact point, n' the derivative of the normal, and a the
//! relative acceleration at the contact while all joint accelerations are zero,
//!
//! ```text
//!   point = p + h/2 c        normal = n + h/2 n'        drift = h/2 a
//! ```
//!
//! The relative velocity at the end of the step is that at the middle plus the drift. With both corrections a contact
//! that rolls or sticks does no work over the step: by symmetry, the relative velocities at its start and its end
//! cancel in the mean velocity, along which the bodies move. Without them rolling bodies leave the surface in every
//! step, or enter it, and the energy is wrong by a share proportional to the step.

use burgess_dynamics::spatial::Motion;
use glam::DVec3;

use crate::constraint_solver::contact_kinematics::MovingContact;
use crate::constraint_solver::curvature::radii;
use crate::contact::WorldContact;
use crate::simulation_data::SimulationData;

/// A contact at the middle of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MidStepContact {
    /// Position, in m.
    pub point: DVec3,
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// Change of the relative velocity from the middle to the end of the step at constant joint velocities, in m/s.
    pub drift: DVec3,
    /// Whether the contact lasts and is not too deep, so that its motion over the surfaces is known.
    pub is_followed: bool,
}

impl MidStepContact {
    /// Returns a contact that stays as it was detected, carried along by one of its links.
    fn carried(data: &SimulationData, contact: &WorldContact, is_followed: bool) -> Self {
        let carrier = contact.link_b.or(contact.link_a);
        let shift = carrier.map_or(DVec3::ZERO, |link| data.workspace.anchor(link) - data.detection.anchors()[link]);
        Self { point: contact.point + shift, normal: contact.normal, drift: DVec3::ZERO, is_followed }
    }
}

/// Depth up to which a contact is followed through the step, relative to gravity times the step squared and to the
/// reach of the smaller collider. The motion of deeper contacts says little about that of the surfaces.
const FOLLOWED_FALL: f64 = 1.0;
const FOLLOWED_SIZE: f64 = 1e-4;
/// Depth up to which a contact is followed besides, relative to the depth that a step leaves in which it is not: the rim
/// of a coin that wobbles sinks by twice its fall in the first step, and by the same in every step until it is followed.
/// Recovery removes a fifth of the depth per step, so the depth of such a contact stays below five times that of a step.
const FOLLOWED_STEPS: f64 = 6.0;
/// Rotation of both bodies within half a step up to which a contact is followed, in rad.
const MAX_FOLLOWED_TURN: f64 = 0.25;
/// Rotation of two rigid bodies within half a step below which they rest on each other, in rad: the motion of the contact
/// over their surfaces is negligible.
const RESTING_TURN: f64 = 1e-6;

/// Returns the depth up to which a contact is followed through the step, besides what its own motion leaves, in m; none if
/// it is not followed: only one that lasts or already touches is, since a body that is about to land meets the surface at
/// another place.
fn followed_depth(data: &SimulationData, contact: &WorldContact, step: f64) -> Option<f64> {
    let [reach_a, reach_b] = contact.reaches(&data.world).map(|reach| if reach > 0.0 { reach } else { f64::INFINITY });
    // Depths are those that whole steps leave.
    let whole = data.whole_step.max(step);
    let fall = FOLLOWED_FALL * data.world.model().gravity.length() * whole * whole;
    let touching = FOLLOWED_SIZE * reach_a.min(reach_b);
    let lasts = !data.pairs.record(contact.pair as usize).impulses.is_empty() || contact.distance.abs() <= touching;
    (lasts && !is_within_tree(data, contact)).then_some(fall + touching)
}

/// Returns whether both links of a contact belong to one tree. Where joints hardly allow any motion along the normal, an
/// impulse that compensates for the motion of the contact would fling links about.
fn is_within_tree(data: &SimulationData, contact: &WorldContact) -> bool {
    let tree = |link: Option<usize>| link.map(|link| data.world.tree_of_link(link));
    tree(contact.link_a).is_some() && tree(contact.link_a) == tree(contact.link_b)
}

/// Returns whether no link of a contact belongs to an articulated tree.
pub(super) fn is_between_rigid_bodies(data: &SimulationData, contact: &WorldContact) -> bool {
    let is_rigid = |link: Option<usize>| {
        let tree = link.map(|link| &data.world.trees()[data.world.tree_of_link(link)]);
        tree.is_none_or(|tree| tree.is_free_body || tree.is_fixed)
    };
    is_rigid(contact.link_a) && is_rigid(contact.link_b)
}

/// One side of a contact at the middle of the step.
#[derive(Debug, Clone, Copy)]
struct SideMotion {
    spin: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
}

/// Predicts a contact at the middle of the step, at which the workspace is, with the mean velocities. `biases` are the
/// accelerations of the links at joint accelerations of zero.
pub(super) fn at_mid_step(
    data: &SimulationData,
    biases: &[Motion],
    contact: &WorldContact,
    step: f64,
) -> MidStepContact {
    let Some(depth) = followed_depth(data, contact, step) else {
        return MidStepContact::carried(data, contact, false);
    };
    let SimulationData { world, workspace, detection, .. } = data;
    let of = |link: Option<usize>| {
        let Some(link) = link else {
            return SideMotion { spin: DVec3::ZERO, velocity: DVec3::ZERO, acceleration: DVec3::ZERO };
        };
        let arm = contact.point - detection.anchors()[link];
        let Motion { angular: spin, linear } = workspace.velocity_at(link, workspace.anchor(link));
        let swing = spin.cross(arm);
        let acceleration = biases[link].shifted(arm).linear + spin.cross(swing);
        SideMotion { spin, velocity: linear + swing, acceleration }
    };
    let (a, b) = (of(contact.link_a), of(contact.link_b));
    let half = 0.5 * step;
    let turn = half * (a.spin.length() + b.spin.length());
    if turn > MAX_FOLLOWED_TURN || turn < RESTING_TURN && is_between_rigid_bodies(data, contact) {
        return MidStepContact::carried(data, contact, contact.distance >= -depth);
    }
    let moving = MovingContact {
        normal: contact.normal,
        radii: [false, true].map(|of_b| radii(world, detection, contact, of_b)),
        spins: [a.spin, b.spin],
        velocity: b.velocity - a.velocity,
    };
    let motion = moving.bounded_motion(contact.reaches(world));
    let drift = half * (b.acceleration - a.acceleration + motion.acceleration);
    if contact.distance < -depth - FOLLOWED_STEPS * step * drift.dot(contact.normal).abs() {
        return MidStepContact::carried(data, contact, false);
    }
    MidStepContact {
        point: contact.point + half * (b.velocity + motion.over_b),
        normal: (contact.normal + half * motion.turn).normalize_or(contact.normal),
        drift,
        is_followed: true,
    }
}
