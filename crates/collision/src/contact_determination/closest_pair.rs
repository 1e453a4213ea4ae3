//! Contact determination by the closest points only.

use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, PairMemory, WHOLE};

/// Gives one contact: the closest points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPair {
    /// Maximum gap of a contact, in metres.
    pub margin: f64,
}

impl ContactDetermination for ClosestPair {
    fn determine(&mut self, pair: &ClosePair, _memory: &mut PairMemory, manifold: &mut Manifold) {
        manifold.clear();
        if pair.proximity.distance <= self.margin {
            manifold.push(closest_contact(pair));
        }
    }
}

/// Returns the contact of the closest points, identified by the closest features where they are known.
pub(super) fn closest_contact(pair: &ClosePair) -> Contact {
    let id = pair.features.map_or(ContactId::new(WHOLE, WHOLE), ContactId::from);
    Contact::from_proximity(pair.proximity, id)
}
