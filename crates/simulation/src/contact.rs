//! Contacts between colliders, and the data that pairs of colliders keep.

use burgess_collision::contact_determination::{Manifold, PartContactId, PartMemory};
use burgess_collision::narrow_phase::{PairCache, Reusable};
use burgess_dynamics::Workspace;
use burgess_geometry::Pose;
use glam::DVec3;

use crate::material::Surface;
use crate::world::World;

/// A point at which two colliders touch or are about to.
///
/// Everywhere in this crate the impulse of a contact acts on b, its opposite on a, and relative velocities are those of
/// b relative to a: along the normal, positive separates.
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
    /// Index of the pair of colliders in the detection's list.
    pub pair: u32,
    /// Identifier among the contacts of the two colliders.
    pub id: PartContactId,
    /// Position half way between the surfaces, regardless of margins, in m.
    pub point: DVec3,
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// Gap along the normal less the margins of both colliders, in m; negative: depth.
    pub distance: f64,
    /// Combined surface properties.
    pub surface: Surface,
}

impl WorldContact {
    /// Returns the velocity of b relative to a along the normal, at the state of a workspace, in m/s; negative: the gap
    /// closes.
    pub fn opening_speed(&self, workspace: &Workspace) -> f64 {
        self.velocity(workspace).dot(self.normal)
    }

    /// Returns the velocity of b relative to a, at the state of a workspace, in m/s.
    pub fn velocity(&self, workspace: &Workspace) -> DVec3 {
        let of = |link: Option<usize>| link.map_or(DVec3::ZERO, |link| workspace.velocity_at(link, self.point).linear);
        of(self.link_b) - of(self.link_a)
    }

    /// Returns how far the two colliders reach from the anchors of their links, in m; zero for the world.
    pub fn reaches(&self, world: &World) -> [f64; 2] {
        let of = |link: Option<usize>, collider: u32| link.map_or(0.0, |_| world.colliders()[collider as usize].reach);
        [of(self.link_a, self.collider_a), of(self.link_b, self.collider_b)]
    }
}

/// The impulse of a contact in the last step, from which the next solve starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredImpulse {
    /// Identifier of the contact.
    pub id: PartContactId,
    /// Impulse on b, in N s, along the axes of the world.
    pub impulse: DVec3,
    /// Velocity of b relative to a at the middle of that step, with the velocities of its end, in m/s; infinite if it
    /// is not known.
    pub velocity: DVec3,
    /// What the drift did not explain of the velocity at the start of that step, and of the one before, in m/s.
    pub rests: [DVec3; 2],
}

/// The stretch of the friction spring of a penalty contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredStretch {
    /// Identifier of the contact.
    pub id: PartContactId,
    /// Vector from the anchor of the spring to the present place of b, in m, along the axes of the world.
    pub stretch: DVec3,
}

/// A contact in the frames of its two colliders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptContact {
    /// Identifier of the contact.
    pub id: PartContactId,
    /// Point on the surface of a, in the frame of a.
    pub point_a: DVec3,
    /// Point on the surface of b, in the frame of b.
    pub point_b: DVec3,
    /// Normal from a to b, in the frame of a.
    pub normal: DVec3,
}

/// The contacts of a pair as they were last determined. They are reused as long as the two colliders hardly move
/// relative to each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeptContacts {
    /// Pose of b in the frame of a at that time; none if nothing is kept.
    pub b_in_a: Option<Pose>,
    /// Maximum gap of a contact, in m. If there are no contacts, the gap was at least this.
    pub margin: f64,
    /// The contacts.
    pub contacts: Vec<KeptContact>,
}

impl KeptContacts {
    /// Returns whether the contacts are still valid: no point within `reach` of b's origin has moved by more than
    /// `tolerance` (m). Where there are none, points may have moved until a gap within `margin` is possible.
    pub fn hold(&self, b_in_a: &Pose, margin: f64, reach: f64, tolerance: f64) -> bool {
        self.b_in_a.is_some_and(|then| {
            let moved = (b_in_a.translation - then.translation).length();
            // The vector part of the relative rotation is half its angle.
            let turned = 2.0 * (then.rotation.conjugate() * b_in_a.rotation).xyz().length();
            let allowed = if self.contacts.is_empty() { tolerance.max(self.margin - margin) } else { tolerance };
            margin <= self.margin && moved + turned * reach <= allowed
        })
    }
}

/// Two colliders that touch, for collision solvers that treat lasting contacts differently.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Time at which they began to touch, in s.
    pub since: f64,
    /// Whether they have touched for long enough that forces hold them.
    pub lasting: bool,
}

/// The data that a pair of colliders keeps from step to step. All of it affects later results, so it is part of the
/// state.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRecord {
    /// Cache of the narrow phase.
    pub cache: PairCache,
    /// Memory of contact determination.
    pub memory: PartMemory,
    /// Impulses of the constraint solver.
    pub impulses: Vec<StoredImpulse>,
    /// Friction springs of the penalty solver.
    pub stretches: Vec<StoredStretch>,
    /// Time of touch, for collision solvers that distinguish transient contacts from lasting ones.
    pub touch: Option<Touch>,
    /// Contacts as last determined by collision detection.
    pub kept: KeptContacts,
}

impl Default for PairRecord {
    /// Creates an empty record with the capacity that most pairs need, so that a new pair does not allocate later in a
    /// step.
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
    /// Returns what a contact has stored; none for a new one.
    pub fn stored(&self, id: &PartContactId) -> Option<&StoredImpulse> {
        self.impulses.iter().find(|stored| stored.id == *id)
    }

    pub(crate) fn stored_mut(&mut self, id: &PartContactId) -> Option<&mut StoredImpulse> {
        self.impulses.iter_mut().find(|stored| stored.id == *id)
    }

    /// Returns the last impulse of a contact; zero for a new one.
    pub fn impulse(&self, id: &PartContactId) -> DVec3 {
        self.stored(id).map_or(DVec3::ZERO, |stored| stored.impulse)
    }

    /// Returns the stretch of a contact's friction spring; zero for a new one.
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
