//! Sequential impulses between pairs of bodies that bounce.
//!
//! Pairs collide one after the other, the fastest first (a row of balls passes a blow on), each pair with all of its
//! contacts that meet or rest at once. A contact that is still apart takes no part: if the bounce makes it approach too
//! fast, it bounces next. Stopping it in the same collision would take energy. The speed after a bounce is that of a
//! body that hits the surface itself, d away, and comes back to where it is now: with a the approaching acceleration of
//! gravity,
//!
//! ```text
//!   w' = sqrt(e^2 (w^2 + 2 a d) - 2 a d)
//! ```
//!
//! so that elastic bodies neither gain nor lose energy, whatever the step, and heights are those of e.

use burgess_dynamics::joint::Joint;
use glam::DVec3;

use crate::constraint_solver::VelocitySolver;
use crate::contact::WorldContact;
use crate::contact_space::ContactSpace;
use crate::simulation_data::SimulationData;

/// Maximum number of pair collisions in one step, per contact of the group. What still approaches then is stopped.
const MAX_COLLISIONS_PER_CONTACT: usize = 8;

/// Lets the pairs of a group collide that approach faster than `threshold` m/s and have restitution. `pair` is scratch.
/// Returns the number of collisions.
pub(super) fn bounce_pairs(
    data: &mut SimulationData,
    space: &mut ContactSpace,
    solver: &mut VelocitySolver,
    (group, pair): (&[u32], &mut Vec<u32>),
    (threshold, step): (f64, f64),
) -> usize {
    let budget = MAX_COLLISIONS_PER_CONTACT * group.len();
    let mut collisions = 0;
    while collisions < budget {
        let contacts = data.detection.contacts();
        let Some(fastest) = fastest_arrival(contacts, space, group, threshold) else { break };
        let which = contacts[fastest as usize].pair;
        pair.clear();
        for block in group.iter().copied().filter(|&block| contacts[block as usize].pair == which) {
            let contact = &contacts[block as usize];
            let speed = -space.relative_velocity(block as usize).dot(contact.normal);
            let allowed = contact.distance.max(0.0) / step;
            let target = if speed > threshold && space.normal_excess(block as usize) < 0.0 {
                speed_after(data, contact, speed)
            } else if speed.abs() <= threshold && allowed <= threshold {
                -allowed
            } else {
                continue;
            };
            space.set_target(block as usize, target);
            space.set_impulse(block as usize, DVec3::ZERO);
            pair.push(block);
        }
        solver.bounce(space, pair);
        for &block in pair.iter() {
            space.set_target(block as usize, -contacts[block as usize].distance.max(0.0) / step);
            space.set_impulse(block as usize, DVec3::ZERO);
            data.bouncing[block as usize] = true;
        }
        collisions += 1;
    }
    collisions
}

/// The contact with restitution that exceeds its allowed approach speed the most.
fn fastest_arrival(contacts: &[WorldContact], space: &ContactSpace, group: &[u32], threshold: f64) -> Option<u32> {
    let speed = |block: u32| space.relative_velocity(block as usize).dot(contacts[block as usize].normal);
    let fastest = group
        .iter()
        .filter(|&&block| contacts[block as usize].surface.restitution > 0.0)
        .map(|&block| (block, space.normal_excess(block as usize)))
        .filter(|&(block, excess)| excess < 0.0 && speed(block) < -threshold)
        .min_by(|a, b| a.1.total_cmp(&b.1));
    fastest.map(|(block, _)| block)
}

/// The speed with which a pair separates at its present gap, after it has met at `speed` m/s a gap away.
fn speed_after(data: &SimulationData, contact: &WorldContact, speed: f64) -> f64 {
    let falls = |link: Option<usize>| {
        let root = link.map(|link| data.world.trees()[data.world.tree_of_link(link)].links.start);
        root.is_some_and(|root| data.world.model().links()[root].joint == Joint::Free)
    };
    let share = f64::from(u8::from(falls(contact.link_b))) - f64::from(u8::from(falls(contact.link_a)));
    let approaching = -share * data.world.model().gravity.dot(contact.normal);
    let e = contact.surface.restitution;
    let gain = 2.0 * approaching * contact.distance;
    (e * e * (speed * speed + gain) - gain).max(0.0).sqrt()
}
