//! Detection in pieces, for time controls that look at some pairs more often than at others: boxes as the caller wants
//! them, distances pair by pair, contacts of the pairs that are close.

use burgess_collision::broad_phase::Pair;
use burgess_collision::contact_determination::{ContactId, PartContactId};
use burgess_collision::narrow_phase::{PairTable, closest};
use burgess_dynamics::Workspace;
use burgess_geometry::{Aabb, Feature};
use glam::DVec3;

use super::CollisionDetection;
use crate::contact::{PairRecord, WorldContact};
use crate::world::World;

/// Distance of two colliders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// Gap minus the margins of both, in m; negative values are depths.
    pub distance: f64,
    /// Unit vector from a to b between the closest points.
    pub normal: DVec3,
    /// Closest point on the surface of a.
    pub point_a: DVec3,
    /// Closest point on the surface of b.
    pub point_b: DVec3,
    /// Whether both shapes are convex, so that the plane between the closest points separates them.
    pub convex: bool,
}

impl CollisionDetection {
    /// Moves the colliders to the poses of the workspace. Boxes, pairs and contacts stay as they are.
    pub fn place_colliders(&mut self, world: &World, workspace: &Workspace) {
        self.place(world, workspace);
    }

    /// The box of a collider and its margin where it is now.
    pub fn tight_box(&self, world: &World, collider: usize) -> Aabb {
        world.colliders[collider].shape.aabb(&self.poses[collider]).inflated(self.margins[collider])
    }

    /// Sets the box of a collider, which must contain all that it may reach. Takes effect with
    /// [`pair_boxes`](Self::pair_boxes).
    pub fn set_box(&mut self, collider: usize, aabb: Aabb) {
        // A box with a NaN is refused: the step that made it has been reported.
        let _ = self.broad_phase.set_box(self.proxies[collider], aabb);
        self.placed = None;
    }

    /// Broad phase: finds the pairs whose boxes overlap.
    pub fn pair_boxes(&mut self, pairs: &mut PairTable<PairRecord>) {
        self.broad_phase.update();
        pairs.synchronise(self.broad_phase.pairs());
    }

    /// The pairs of the last broad phase, ascending.
    pub fn pairs(&self) -> &[Pair] {
        self.broad_phase.pairs()
    }

    /// Narrow phase of one pair. Nothing for shapes that have no distance.
    pub fn nearness(&mut self, world: &World, pairs: &mut PairTable<PairRecord>, index: usize) -> Option<Nearness> {
        let pair = self.broad_phase.pairs()[index];
        let (a, b) = (pair.a.index(), pair.b.index());
        let (shape_a, shape_b) = (&*world.colliders[a].shape, &*world.colliders[b].shape);
        let cache = &mut pairs.cache_mut(index).cache;
        let found = closest(shape_a, &self.poses[a], shape_b, &self.poses[b], cache, &mut self.scratch)?.proximity;
        Some(Nearness {
            distance: found.distance - self.held_apart(a, b),
            normal: found.normal,
            point_a: found.point_a,
            point_b: found.point_b,
            convex: is_convex(world, a) && is_convex(world, b),
        })
    }

    /// Contacts no farther apart than `margin` m of some pairs only, by rising index, and their groups. The closest
    /// points of a pair are a contact, whatever contact determination makes of it (Fontijne 2000, section 3.10).
    pub fn detect_among(
        &mut self,
        world: &World,
        pairs: &mut PairTable<PairRecord>,
        which: impl Iterator<Item = (u32, Nearness)>,
        margin: f64,
    ) {
        self.contacts.clear();
        for (index, near) in which {
            let Pair { a, b } = self.broad_phase.pairs()[index as usize];
            let (a, b) = (a.index(), b.index());
            let record = pairs.cache_mut(index as usize);
            self.determine(world, (a, b), margin + self.held_apart(a, b), record);
            // They are for now: not to be kept while the pair stands still.
            record.kept.b_in_a = None;
            let first = self.contacts.len();
            self.carry(world, (a, b), index as usize, &record.kept);
            let found = |contact: &WorldContact| contact.distance <= near.distance + 0.1 * margin;
            if !self.contacts[first..].iter().any(found) {
                self.contacts.push(closest_contact(world, (a, b), index, &near));
            }
        }
        self.find_groups(world);
    }
}

fn closest_contact(world: &World, (a, b): (usize, usize), pair: u32, near: &Nearness) -> WorldContact {
    let whole = ContactId::new(Feature::Face(0), Feature::Face(0));
    WorldContact {
        collider_a: a as u32,
        collider_b: b as u32,
        link_a: world.colliders[a].link,
        link_b: world.colliders[b].link,
        pair,
        id: PartContactId { part_a: 0, part_b: 0, contact: whole },
        point: 0.5 * (near.point_a + near.point_b),
        normal: near.normal,
        distance: near.distance,
        surface: *world.surface(a, b),
    }
}

pub(super) fn is_convex(world: &World, collider: usize) -> bool {
    let shape = &world.colliders[collider].shape;
    // A half-space is convex, too, though it has no support function.
    shape.as_convex().is_some() || shape.kind() == "half-space"
}
