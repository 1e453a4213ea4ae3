//! Contacts of the world: where shapes of two links touch, and what their surfaces are like there.

use burgess_collision::contact_determination::{Manifold, PartContactId, PartMemory};
use burgess_collision::narrow_phase::{PairCache, Reusable};
use burgess_dynamics::Workspace;
use burgess_geometry::Pose;
use glam::DVec3;

use crate::material::Surface;

/// A point at which two colliders touch or are about to.
///
/// Everywhere in this crate the impulse of a contact acts on b, its opposite on a, and relative velocities are those of b
/// against a: along the normal, positive separates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldContact {
    /// The first collider.
    pub collider_a: u32,
    /// The second collider.
    pub collider_b: u32,
    /// The link of the first; none for the world.
    pub link_a: Option<usize>,
    /// The link of the second; none for the world.
    pub link_b: Option<usize>,
    /// Which pair of colliders, in the order of the detection's list.
    pub pair: u32,
    /// Name among the contacts of the two colliders.
    pub id: PartContactId,
    /// Half way between the surfaces, whatever the margins, in m.
    pub point: DVec3,
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// Gap along the normal less the margins of both colliders, in m; negative: depth.
    pub distance: f64,
    /// How the surfaces meet.
    pub surface: Surface,
}

impl WorldContact {
    /// Velocity of b against a along the normal, at the state of a workspace, in m/s; negative: the gap closes.
    pub fn opening_speed(&self, workspace: &Workspace) -> f64 {
        let velocity =
            |link: Option<usize>| link.map_or(DVec3::ZERO, |link| workspace.velocity_at(link, self.point).linear);
        (velocity(self.link_b) - velocity(self.link_a)).dot(self.normal)
    }
}

/// The impulse that a contact had in the last step, where the next solve begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredImpulse {
    /// Which contact.
    pub id: PartContactId,
    /// On b, in N s, along the axes of the world.
    pub impulse: DVec3,
}

/// How far the friction spring of a penalty contact is stretched (see [`crate::constraint_solver::penalty_law`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredStretch {
    /// Which contact.
    pub id: PartContactId,
    /// From its anchor to where b is now, in m, along the axes of the world.
    pub stretch: DVec3,
}

/// A contact in the frames of its two colliders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptContact {
    /// Which contact.
    pub id: PartContactId,
    /// On the surface of a, in the frame of a.
    pub point_a: DVec3,
    /// On the surface of b, in the frame of b.
    pub point_b: DVec3,
    /// From a to b, in the frame of a.
    pub normal: DVec3,
}

/// The contacts of a pair as they were last determined: as long as the two hardly move against each other, these are
/// carried along instead of being found anew.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeptContacts {
    /// How b stood in the frame of a; none if nothing is kept.
    pub b_in_a: Option<Pose>,
    /// Gaps up to this were contacts, in m; where there are none, the gap was at least this.
    pub margin: f64,
    /// The contacts.
    pub contacts: Vec<KeptContact>,
}

impl KeptContacts {
    /// Do they still hold, when no point within `reach` of b's origin may have moved by more than `tolerance` (m)? Where there
    /// are none, points may have moved until a gap within `margin` could have come about.
    pub fn hold(&self, b_in_a: &Pose, margin: f64, reach: f64, tolerance: f64) -> bool {
        self.b_in_a.is_some_and(|then| {
            let moved = (b_in_a.translation - then.translation).length();
            // The vector part of the relative rotation is half its angle.
            let turned = 2.0 * (then.rotation.conjugate() * b_in_a.rotation).xyz().length();
            let way = if self.contacts.is_empty() { tolerance.max(self.margin - margin) } else { tolerance };
            margin <= self.margin && moved + turned * reach <= way
        })
    }
}

/// Two colliders that touch (see [`crate::collision_solver::TransientImpulses`] for what that means).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Time since which they do, in s.
    pub since: f64,
    /// For long enough that forces hold them?
    pub lasting: bool,
}

/// What a pair of colliders remembers from step to step: all of it decides the next bits, so it is part of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRecord {
    /// Of the narrow phase.
    pub cache: PairCache,
    /// Of contact determination.
    pub memory: PartMemory,
    /// Of the constraint solver.
    pub impulses: Vec<StoredImpulse>,
    /// Of the penalty solver.
    pub stretches: Vec<StoredStretch>,
    /// Of the collision solver that tells transient contacts from lasting ones.
    pub touch: Option<Touch>,
    /// Of collision detection.
    pub kept: KeptContacts,
}

impl Default for PairRecord {
    /// Nothing yet, but room for what most pairs need, so that meeting somebody new takes no memory in the middle of a step.
    fn default() -> Self {
        Self {
            cache: PairCache::default(),
            memory: PartMemory::with_capacity(1),
            impulses: Vec::with_capacity(Manifold::CAPACITY),
            stretches: Vec::new(),
            touch: None,
            kept: KeptContacts { b_in_a: None, margin: 0.0, contacts: Vec::with_capacity(Manifold::CAPACITY) },
        }
    }
}

impl PairRecord {
    /// The last impulse of a contact; zero for a new one.
    pub fn impulse(&self, id: &PartContactId) -> DVec3 {
        self.impulses.iter().find(|stored| stored.id == *id).map_or(DVec3::ZERO, |stored| stored.impulse)
    }

    /// The stretch of a contact's friction spring; zero for a new one.
    pub fn stretch(&self, id: &PartContactId) -> DVec3 {
        self.stretches.iter().find(|stored| stored.id == *id).map_or(DVec3::ZERO, |stored| stored.stretch)
    }
}

impl Reusable for PairRecord {
    fn reset(&mut self) {
        self.cache.clear();
        self.memory.clear();
        self.impulses.clear();
        self.stretches.clear();
        self.touch = None;
        self.kept.b_in_a = None;
        self.kept.margin = 0.0;
        self.kept.contacts.clear();
    }
}
