//! Contacts of shapes of several convex parts: one manifold for each pair of parts, in the world.

use burgess_geometry::shape::PrismShape;
use burgess_geometry::{RelativePose, Shape};

use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, PairMemory};
use crate::narrow_phase::NearParts;

/// Id of a contact that is unique among all contacts of two shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartContactId {
    /// Part of a; 0 for a convex shape.
    pub part_a: u32,
    /// Part of b; 0 for a convex shape.
    pub part_b: u32,
    /// Id among the contacts of these two parts.
    pub contact: ContactId,
}

impl PartContactId {
    /// Returns the id of the same contact with the roles exchanged.
    pub fn swapped(self) -> Self {
        Self { part_a: self.part_b, part_b: self.part_a, contact: self.contact.swapped() }
    }
}

/// A contact of two parts, in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartContact {
    /// Part of a; 0 for a convex shape.
    pub part_a: u32,
    /// Part of b; 0 for a convex shape.
    pub part_b: u32,
    /// The contact. Its own id is unique only among those of these two parts.
    pub contact: Contact,
}

impl PartContact {
    /// Returns the id among all contacts of the two shapes.
    pub fn id(&self) -> PartContactId {
        PartContactId { part_a: self.part_a, part_b: self.part_b, contact: self.contact.id }
    }
}

/// Memory of contact determination for the parts of one pair of shapes. It is part of the state of a world, like
/// [`PairMemory`]. Parts that are no longer near each other are removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PartMemory {
    /// By ascending part of a, then of b.
    pairs: Vec<PartPairMemory>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PartPairMemory {
    parts: (u32, u32),
    memory: PairMemory,
}

impl PartMemory {
    /// Creates an empty memory with capacity for this many pairs of parts.
    pub fn with_capacity(pairs: usize) -> Self {
        Self { pairs: Vec::with_capacity(pairs) }
    }

    /// Removes everything and keeps the capacity.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    fn of_parts(&self, parts: (u32, u32)) -> PairMemory {
        let known = self.pairs.binary_search_by_key(&parts, |pair| pair.parts);
        known.map_or_else(|_| PairMemory::default(), |index| self.pairs[index].memory.clone())
    }
}

/// Reused memory of [`determine_parts`]. Its contents never change a result.
#[derive(Debug, Clone, Default)]
pub struct PartScratch {
    ground: PrismShape,
    manifold: Manifold,
    pairs: Vec<PartPairMemory>,
}

/// Replaces `contacts` by those of all pairs of parts in `near`, the near parts of `a` and `b` found by the narrow
/// phase, by ascending part of a, then of b. `memory` belongs to this pair of shapes.
///
/// ```
/// use burgess_collision::contact_determination::{FullManifold, PartMemory, PartScratch, determine_parts};
/// use burgess_collision::narrow_phase::{NarrowScratch, PairCache, near_parts};
/// use burgess_geometry::shape::{HalfSpace, tessellation::tube};
/// use burgess_geometry::{Pose, Shape};
/// use glam::DVec3;
///
/// let ground = Shape::HalfSpace(HalfSpace);
/// let tube = Shape::Compound(tube(0.5, 0.4, 1.0, 6).unwrap().into());
/// let (pose_ground, pose_tube) = (Pose::IDENTITY, Pose::from_translation(DVec3::new(0.0, 0.0, 0.5)));
/// let (mut near, mut contacts) = (Vec::new(), Vec::new());
/// let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
/// near_parts(&ground, &pose_ground, &tube, &pose_tube, 0.01, &mut cache, &mut scratch, &mut near);
/// let (mut memory, mut scratch) = (PartMemory::default(), PartScratch::default());
/// determine_parts(&mut FullManifold::new(0.01), (&ground, &tube), &near, &mut memory, &mut scratch, &mut contacts);
/// // Six wedges stand on four corners each.
/// assert_eq!(contacts.len(), 24);
/// ```
pub fn determine_parts<D: ContactDetermination + ?Sized>(
    determination: &mut D,
    (a, b): (&Shape, &Shape),
    near: &[NearParts],
    memory: &mut PartMemory,
    scratch: &mut PartScratch,
    contacts: &mut Vec<PartContact>,
) {
    contacts.clear();
    let PartScratch { ground, manifold, pairs } = scratch;
    pairs.clear();
    for parts in near {
        let Some((shape_a, shape_b)) = parts.shapes(a, b, ground) else { continue };
        let b_in_a = RelativePose::new(&parts.pose_a, &parts.pose_b);
        let NearParts { part_a, part_b, features, .. } = *parts;
        let pair = ClosePair { a: shape_a, b: shape_b, b_in_a: &b_in_a, proximity: &parts.proximity, features };
        let mut remembered = memory.of_parts((part_a, part_b));
        determination.determine(&pair, &mut remembered, manifold);
        manifold.transform(&parts.pose_a);
        contacts.extend(manifold.contacts().iter().map(|&contact| PartContact { part_a, part_b, contact }));
        pairs.push(PartPairMemory { parts: (part_a, part_b), memory: remembered });
    }
    pairs.sort_unstable_by_key(|pair| pair.parts);
    // Copied instead of swapped: swapped buffers would move between pairs of shapes and never all be large enough.
    memory.pairs.clear();
    memory.pairs.append(pairs);
}
