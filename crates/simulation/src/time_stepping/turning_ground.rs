//! Contacts with turning scripted bodies, such as turntables: where the contact will be at the end of a step.
//!
//! Time stepping asks for no slip with the velocities of the end of a step, but at the points of its start. On still
//! ground it does not matter; on a turntable the surface is otherwise fast where the contact goes, and everything would
//! lag by a step and spiral outward, by a share of `W^2 h` a second. So the surface gets the velocity that the contact
//! will meet: with the accelerations of both bodies' points at constant velocities, and what wandering over the
//! surfaces adds ([`MovingContact`]), slip changes over the step by
//!
//! ```text
//!   h (w_b x (w_b x r_b) - w_a x (w_a x r_a) + w_b x u_b - w_a x u_a)
//! ```
//!
//! Levers r are from the anchor of the tree's first link: right for bodies, and for trees that turn as a whole.
//! Contacts between bodies that are free to move do without; their spins are what the solver looks for.

use glam::DVec3;

use crate::constraint_solver::contact_kinematics::MovingContact;
use crate::constraint_solver::curvature::radii;
use crate::contact::WorldContact;
use crate::simulation_data::SimulationData;

/// Returns the change of slip at a contact with a rotating scripted body over a step while all velocities stay the
/// same, in m/s; none for other contacts.
pub(super) fn change_of_slip(data: &SimulationData, contact: &WorldContact, step: f64) -> Option<DVec3> {
    let SimulationData { world, workspace, detection, .. } = data;
    let is_scripted = |link: Option<usize>| link.is_some_and(|link| world.trees()[world.tree_of_link(link)].is_fixed);
    if !is_scripted(contact.link_a) && !is_scripted(contact.link_b) {
        return None;
    }
    let links = [contact.link_a, contact.link_b];
    let spins =
        links.map(|link| link.map_or(DVec3::ZERO, |link| workspace.velocity_at(link, workspace.anchor(link)).angular));
    let turns = links.iter().zip(&spins).any(|(link, spin)| is_scripted(*link) && *spin != DVec3::ZERO);
    if !turns {
        return None;
    }
    let mut velocities = [DVec3::ZERO; 2];
    let mut inward = [DVec3::ZERO; 2];
    for (side, link) in links.iter().enumerate() {
        let Some(link) = *link else { continue };
        let root = world.trees()[world.tree_of_link(link)].links.start;
        // Contact points are carried along with the anchors, from where they were found.
        let point = contact.point + (workspace.anchor(link) - detection.anchors()[link]);
        velocities[side] = workspace.velocity_at(link, point).linear;
        inward[side] = spins[side].cross(spins[side].cross(point - workspace.anchor(root)));
    }
    let moving = MovingContact {
        normal: contact.normal,
        radii: [false, true].map(|of_b| radii(world, detection, contact, of_b)),
        spins,
        velocity: velocities[1] - velocities[0],
    };
    let change = step * (inward[1] - inward[0] + moving.acceleration());
    // Along the normal, gaps say how fast a contact may close.
    Some(change.reject_from_normalized(contact.normal))
}
