//! The contact region during its computation: candidates for contacts.

use burgess_geometry::Feature;
use glam::DVec3;

use super::{Contact, ContactId};

/// Candidates and the criteria for them.
pub(super) struct Region<'a> {
    /// Contact normal, from a to b.
    pub normal: DVec3,
    /// Maximum gap of a contact.
    pub margin: f64,
    /// Points closer than this, projected along the normal, coincide; a corner this far outside a side is on it. So two
    /// boxes of the same size, one exactly on the other, have four contacts with constant ids.
    pub snap: f64,
    pub candidates: &'a mut Vec<Contact>,
}

impl Region<'_> {
    /// Adds a candidate by its point on a and the gap, unless the gap is too wide.
    pub fn push(&mut self, point_a: DVec3, distance: f64, a: Feature, b: Feature) {
        self.push_with_normal(point_a, self.normal, distance, a, b);
    }

    /// Adds a candidate with a normal of its own.
    pub fn push_with_normal(&mut self, point_a: DVec3, normal: DVec3, distance: f64, a: Feature, b: Feature) {
        if distance <= self.margin {
            self.candidates.push(Contact::new(point_a, normal, distance, ContactId::new(a, b)));
        }
    }

    /// Returns whether two points coincide, projected along the normal.
    pub fn is_near(&self, point: DVec3, other: DVec3) -> bool {
        (point - other).reject_from_normalized(self.normal).length_squared() <= 4.0 * self.snap * self.snap
    }

    /// Returns whether there is a candidate at this point, projected along the normal.
    pub fn has_near(&self, point: DVec3) -> bool {
        self.candidates.iter().any(|c| self.is_near(point, c.point_a))
    }
}
