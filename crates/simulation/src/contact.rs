//! Contacts of the world: where shapes of two links touch, and what their surfaces are like there.

use burgess_collision::contact_determination::PartContactId;
use burgess_collision::contact_determination::PartMemory;
use burgess_collision::narrow_phase::{Forgetful, PairCache};
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
    /// Half way between the surfaces, in m.
    pub point: DVec3,
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// Gap along the normal, in m; negative: depth.
    pub distance: f64,
    /// How the surfaces meet.
    pub surface: Surface,
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

/// What a pair of colliders remembers from step to step: all of it decides the next bits, so it is part of the state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairRecord {
    /// Of the narrow phase.
    pub cache: PairCache,
    /// Of contact determination.
    pub memory: PartMemory,
    /// Of the constraint solver.
    pub impulses: Vec<StoredImpulse>,
    /// Of the penalty solver.
    pub stretches: Vec<StoredStretch>,
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

impl Forgetful for PairRecord {
    fn forget(&mut self) {
        self.cache.clear();
        self.memory.clear();
        self.impulses.clear();
        self.stretches.clear();
    }
}
