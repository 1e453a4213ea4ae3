//! The times at which contacts collide.
//!
//! A contact that closes faster than what the forces of a few steps cause collides: at the time at which its gap, d at
//! the middle of a part of h seconds, has closed with its speed w, which is `h/2 + d / w` after the start.

use crate::constraint::{Anchor, ConstraintKind};
use crate::contact::WorldContact;
use crate::simulation_data::SimulationData;
use crate::time_stepping::ContactMotion;
use crate::world::Collider;

/// Speed above which contacts collide, relative to that of a fall over one step. Slower ones land: the constraint solver
/// stops them at the middle of the step.
const COLLIDING_SPEED: f64 = 1.0;
/// The same for surfaces that bounce.
const BOUNCING_SPEED: f64 = 2.0;
/// The same without gravity, in m/s.
const MIN_COLLIDING_SPEED: f64 = 1e-9;

/// Way to the middle of a step, relative to the thinnest body, from which on contacts are detected at the start, too.
const FAR_SHARE: f64 = 0.25;

/// Returns the time after the start of a part of `part` s at which the next impact happens, in s; none if there is none
/// in it. The state is at the middle of the part.
pub(super) fn next_impact(data: &SimulationData, part: f64) -> Option<f64> {
    let contacts = data.detection.contacts().iter().zip(&data.contact_motions);
    let of_contacts = contacts.filter_map(|(contact, motion)| impact(data, contact, motion, part));
    let times = of_contacts.chain(taut_ropes(data, part)).filter(|time| *time < part);
    times.min_by(f64::total_cmp).map(|time| time.max(0.0))
}

/// Returns whether any collider moves so far until the middle of a part that it could pass another one unseen.
pub(super) fn moves_far(data: &SimulationData, part: f64) -> bool {
    let speed = |collider: &Collider| {
        let link = collider.link?;
        let velocity = data.workspace.velocity_at(link, data.workspace.anchor(link));
        let turning = if collider.reach.is_finite() { velocity.angular.length() * collider.reach } else { 0.0 };
        Some(velocity.linear.length() + turning)
    };
    let fastest = data.world.colliders().iter().filter_map(speed).fold(0.0, f64::max);
    0.5 * part * fastest > FAR_SHARE * data.thinnest
}

/// Returns the time after the present state at which the first impact happens, in s; none if there is none within `part`
/// s. Contacts have been detected there.
pub(super) fn first_impact(data: &SimulationData, part: f64) -> Option<f64> {
    let time = |contact: &WorldContact| {
        let speed = -contact.opening_speed(&data.workspace);
        (speed > colliding_speed(data, contact.surface.restitution)).then(|| contact.distance.max(0.0) / speed)
    };
    let times = data.detection.contacts().iter().filter_map(time).filter(|time| *time < part);
    times.min_by(f64::total_cmp)
}

/// Marks the contacts that collide after the part, so that nothing slows them in it. If collisions of the whole step have
/// been resolved, what would still collide in the part is held instead.
pub(super) fn mark_flying(data: &mut SimulationData, part: f64, are_resolved: bool) {
    let mut motions = std::mem::take(&mut data.contact_motions);
    for (contact, motion) in data.detection.contacts().iter().zip(&mut motions) {
        motion.flies = impact(data, contact, motion, part).is_some_and(|time| !are_resolved || time >= part);
    }
    data.contact_motions = motions;
}

/// Returns the time of the impact of a contact after the start of the part; none if it does not collide.
fn impact(data: &SimulationData, contact: &WorldContact, motion: &ContactMotion, part: f64) -> Option<f64> {
    let speed = motion.closing_speed(contact);
    (speed > colliding_speed(data, contact.surface.restitution))
        .then(|| 0.5 * part + motion.start_gap(contact, part) / speed)
}

fn colliding_speed(data: &SimulationData, restitution: f64) -> f64 {
    let falls = if restitution > 0.0 { BOUNCING_SPEED } else { COLLIDING_SPEED };
    falls * data.world.model().gravity.length() * data.whole_step + MIN_COLLIDING_SPEED
}

/// Returns the times at which ropes become taut.
fn taut_ropes(data: &SimulationData, part: f64) -> impl Iterator<Item = f64> {
    data.world.constraints().iter().filter_map(move |constraint| {
        let ConstraintKind::Rope { length } = constraint.kind else { return None };
        let point = |anchor: &Anchor| match anchor.link {
            Some(link) => data.workspace.position(data.world.model(), link, anchor.pose.translation),
            None => anchor.pose.translation,
        };
        let velocity = |anchor: &Anchor| {
            let of = |link| data.workspace.velocity_at(link, point(anchor)).linear;
            anchor.link.map_or(glam::DVec3::ZERO, of)
        };
        let apart = point(&constraint.b) - point(&constraint.a);
        let speed = (velocity(&constraint.b) - velocity(&constraint.a)).dot(apart.try_normalize()?);
        let gap = length - apart.length();
        // A rope that is taut already does not become so.
        let was_slack = gap + 0.5 * part * speed > 1e-9 * length;
        (was_slack && speed > colliding_speed(data, 0.0)).then(|| 0.5 * part + gap / speed)
    })
}
