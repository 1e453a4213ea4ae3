//! A contact point, and the contact points of a pair of shapes.

use arrayvec::ArrayVec;
use burgess_geometry::{Feature, Pose};
use glam::DVec3;

use crate::narrow_phase::{FeaturePair, Proximity};

/// Persistent id of a contact: it stays the same while the same two features touch, so that a solver can start from the
/// last step's impulse. Features of round shapes are numbered as well: see [`super::FullManifold`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(u64);

impl ContactId {
    /// Creates the id of the contact between two features.
    pub fn new(a: Feature, b: Feature) -> Self {
        Self(u64::from(pack(a)) << 32 | u64::from(pack(b)))
    }

    /// Returns the two features.
    pub fn features(self) -> FeaturePair {
        FeaturePair { a: unpack((self.0 >> 32) as u32), b: unpack(self.0 as u32) }
    }

    /// Returns the id of the same contact with the roles exchanged.
    pub fn swapped(self) -> Self {
        Self(self.0.rotate_left(32))
    }

    /// Returns the id as a number, for storing and hashing.
    pub fn to_bits(self) -> u64 {
        self.0
    }
}

impl From<FeaturePair> for ContactId {
    fn from(pair: FeaturePair) -> Self {
        Self::new(pair.a, pair.b)
    }
}

const INDEX_MASK: u32 = (1 << 30) - 1;

/// Packs a feature: two bits for the kind, thirty for the index.
fn pack(feature: Feature) -> u32 {
    match feature {
        Feature::Vertex(i) => i & INDEX_MASK,
        Feature::Edge(i) => 1 << 30 | i & INDEX_MASK,
        Feature::Face(i) => 2 << 30 | i & INDEX_MASK,
    }
}

fn unpack(bits: u32) -> Feature {
    match bits >> 30 {
        0 => Feature::Vertex(bits & INDEX_MASK),
        1 => Feature::Edge(bits & INDEX_MASK),
        _ => Feature::Face(bits & INDEX_MASK),
    }
}

/// A contact point. All coordinates are in one frame: that of a in the result of contact determination, that of the
/// world after [`Manifold::transform`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Midpoint between the surfaces, in metres.
    pub point: DVec3,
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// Gap along the normal, in metres; negative values are depths of penetration.
    pub distance: f64,
    /// The point on the surface of a.
    pub point_a: DVec3,
    /// The point on the surface of b: `point_a + distance * normal`.
    pub point_b: DVec3,
    /// Persistent id.
    pub id: ContactId,
}

impl Contact {
    /// Creates a contact from its point on a, the direction to b and the gap.
    pub fn new(point_a: DVec3, normal: DVec3, distance: f64, id: ContactId) -> Self {
        let point = point_a + 0.5 * distance * normal;
        Self { point, normal, distance, point_a, point_b: point_a + distance * normal, id }
    }

    /// Creates the contact of the closest points.
    pub fn from_proximity(proximity: &Proximity, id: ContactId) -> Self {
        let Proximity { distance, normal, point_a, point_b } = *proximity;
        Self { point: 0.5 * (point_a + point_b), normal, distance, point_a, point_b, id }
    }

    /// Returns the contact with the roles exchanged, in the same frame.
    pub fn swapped(&self) -> Self {
        let id = self.id.swapped();
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, id, ..*self }
    }

    /// Transforms the contact from the local frame of `pose` to the outer frame.
    pub fn transformed(&self, pose: &Pose) -> Self {
        Self {
            point: pose.transform_point(self.point),
            normal: pose.transform_vector(self.normal),
            point_a: pose.transform_point(self.point_a),
            point_b: pose.transform_point(self.point_b),
            ..*self
        }
    }
}

/// The contacts of one pair of convex shapes, stored without heap allocation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifold {
    contacts: ArrayVec<Contact, { Self::CAPACITY }>,
}

impl Manifold {
    /// Maximum number of contacts of a pair: two quadrilaterals overlap in at most an octagon.
    pub const CAPACITY: usize = 8;

    /// Creates a manifold without contacts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Returns the number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Returns whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Removes all contacts.
    pub fn clear(&mut self) {
        self.contacts.clear();
    }

    /// Adds a contact. Returns false if the manifold is full.
    pub fn push(&mut self, contact: Contact) -> bool {
        self.contacts.try_push(contact).is_ok()
    }

    /// Returns the smallest gap or the greatest depth (negative), in metres; infinite without contacts.
    pub fn distance(&self) -> f64 {
        self.contacts.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min)
    }

    /// Returns the contact with this id.
    pub fn find(&self, id: ContactId) -> Option<&Contact> {
        self.contacts.iter().find(|c| c.id == id)
    }

    /// Exchanges the roles of a and b, in the same frame.
    pub fn swap(&mut self) {
        self.contacts.iter_mut().for_each(|c| *c = c.swapped());
    }

    /// Transforms from the frame of a to the world, with `pose` the pose of a. This is the only place where this is
    /// done.
    pub fn transform(&mut self, pose: &Pose) {
        self.contacts.iter_mut().for_each(|c| *c = c.transformed(pose));
    }
}
