//! Contact determination by the closest points alone.

use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, PairMemory, WHOLE};

/// One contact: the closest points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPair {
    /// Gaps up to this are contacts, in metres.
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

/// The contact of the closest points, named by the closest features where they are known.
pub(super) fn closest_contact(pair: &ClosePair) -> Contact {
    let id = pair.features.map_or(ContactId::new(WHOLE, WHOLE), ContactId::from);
    Contact::from_proximity(pair.proximity, id)
}
