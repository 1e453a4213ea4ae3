//! Contact determination by tracked features ('improved contact handling', 000 sections 2.4.2 and 3.10).
//!
//! A cube at rest trembles: now this corner is the closest, now that. Impulses only at the closest corner make it spin
//! and creep. So feature pairs that were the closest are remembered; each time, the closest points of these features
//! are found anew, and they count as contacts as long as each point is in the Voronoi region of the other's feature and
//! the gap is small.

use arrayvec::ArrayVec;
use burgess_geometry::{Feature, Polyhedron, Shape};
use glam::DVec3;

use super::closest_pair::closest_contact;
use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, WHOLE};
use crate::narrow_phase::{FeaturePair, closest_points_of_features, distance_beyond_voronoi_planes};

/// What contact determination remembers of one pair of shapes. Part of the state of a world: it decides what the next
/// step finds. Start with the default, and again when a shape is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PairMemory {
    /// Feature pairs that were the closest; the last one most recently.
    tracked: ArrayVec<FeaturePair, { Manifold::CAPACITY }>,
}

impl PairMemory {
    /// The tracked feature pairs; the last one was the closest most recently.
    pub fn tracked(&self) -> &[FeaturePair] {
        &self.tracked
    }

    /// Remembers the closest pair; if there is no room, the one that was closest longest ago is forgotten.
    fn remember(&mut self, closest: FeaturePair) {
        self.tracked.retain(|pair| *pair != closest);
        if self.tracked.is_full() {
            self.tracked.remove(0);
        }
        self.tracked.push(closest);
    }
}

/// Closest points of all features that were closest before and still touch. Polyhedra (boxes too) against each other or
/// against a half-space; other shapes have no features, for them it is [`super::ClosestPair`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackedFeatures {
    /// Gaps (and depths) up to this are contacts, in metres: the collision epsilon of 000.
    pub threshold: f64,
    /// How far a point may be outside the other feature's Voronoi region, in metres.
    pub tolerance: f64,
}

impl TrackedFeatures {
    /// Tracking with one length for both: what is within `threshold` of touching may also be that far off sideways.
    pub fn new(threshold: f64) -> Self {
        Self { threshold, tolerance: threshold }
    }

    /// The contact of two features, if it is still valid.
    fn contact(&self, pair: &ClosePair, sides: &[Tracked; 2], features: FeaturePair) -> Option<Contact> {
        let [a, b] = sides;
        if !a.has(features.a) || !b.has(features.b) {
            return None;
        }
        let (point_a, point_b) = match (a, b) {
            (Tracked::Polyhedron(a), Tracked::Polyhedron(b)) => {
                closest_points_of_features(a, features.a, b, features.b, pair.b_in_a)
            }
            (Tracked::HalfSpace, Tracked::Polyhedron(b)) => {
                let point = pair.b_in_a.b_to_a(b.vertices()[vertex(features.b)?]);
                (DVec3::new(point.x, point.y, 0.0), point)
            }
            (Tracked::Polyhedron(a), Tracked::HalfSpace) => {
                let point = a.vertices()[vertex(features.a)?];
                let above = pair.b_in_a.a_to_b(point);
                (point, pair.b_in_a.b_to_a(DVec3::new(above.x, above.y, 0.0)))
            }
            (Tracked::HalfSpace, Tracked::HalfSpace) => return None,
        };
        let beyond_a = a.distance_beyond(features.a, point_b);
        let beyond_b = b.distance_beyond(features.b, pair.b_in_a.a_to_b(point_a));
        let contact = signed_contact(pair, point_a, point_b, features);
        (beyond_a <= self.tolerance && beyond_b <= self.tolerance && contact.distance.abs() <= self.threshold)
            .then_some(contact)
    }
}

impl ContactDetermination for TrackedFeatures {
    fn determine(&mut self, pair: &ClosePair, memory: &mut PairMemory, manifold: &mut Manifold) {
        manifold.clear();
        let sides = [Tracked::new(pair.a), Tracked::new(pair.b)];
        let ([Some(a), Some(b)], Some(closest)) = (sides, closest_features(pair)) else {
            memory.tracked.clear();
            if pair.proximity.distance <= self.threshold {
                manifold.push(closest_contact(pair));
            }
            return;
        };
        let sides = [a, b];
        // Two features that share their closest point, as a corner and its edge may, are one contact.
        let coincide =
            |c: &Contact, d: &Contact| c.point.distance_squared(d.point) <= 1e-6 * self.tolerance * self.tolerance;

        let mut room = Manifold::CAPACITY;
        let closest_contact = Contact::from_proximity(pair.proximity, closest.into());
        let touching = pair.proximity.distance <= self.threshold;
        // In penetration V-Clip's features are those where it noticed, not the deepest: not worth remembering.
        let features_are_closest =
            pair.proximity.distance >= 0.0 || sides.iter().any(|s| matches!(s, Tracked::HalfSpace));
        if touching && features_are_closest {
            memory.remember(closest);
            manifold.push(closest_contact);
            room -= 1;
        }
        memory.tracked.retain(|features| {
            if manifold.contacts().first().is_some_and(|c| c.id == ContactId::from(*features)) {
                return true;
            }
            match self.contact(pair, &sides, *features) {
                Some(contact) if room > 0 && !manifold.contacts().iter().any(|c| coincide(c, &contact)) => {
                    room -= 1;
                    manifold.push(contact)
                }
                _ => false,
            }
        });
        let deepest = manifold.distance() <= pair.proximity.distance + 1e-3 * self.threshold;
        if touching && !features_are_closest && !deepest {
            manifold.push(closest_contact);
        }
    }
}

/// A shape whose features can be tracked.
#[derive(Clone, Copy)]
enum Tracked<'a> {
    Polyhedron(&'a Polyhedron),
    /// Its one feature is called [`WHOLE`].
    HalfSpace,
}

impl<'a> Tracked<'a> {
    fn new(shape: &'a Shape) -> Option<Self> {
        match shape {
            Shape::HalfSpace(_) => Some(Self::HalfSpace),
            _ => shape.as_polyhedron().map(Self::Polyhedron),
        }
    }

    fn has(&self, feature: Feature) -> bool {
        match self {
            Self::HalfSpace => feature == WHOLE,
            Self::Polyhedron(polyhedron) => polyhedron.has(feature),
        }
    }

    /// How far a point is outside the feature's Voronoi region, sideways.
    fn distance_beyond(&self, feature: Feature, point: DVec3) -> f64 {
        match self {
            Self::HalfSpace => f64::NEG_INFINITY,
            Self::Polyhedron(p) => distance_beyond_voronoi_planes(p, feature, point),
        }
    }
}

fn vertex(feature: Feature) -> Option<usize> {
    match feature {
        Feature::Vertex(v) => Some(v as usize),
        _ => None,
    }
}

/// The closest features: as the narrow phase says, or the corner that is deepest in a half-space.
fn closest_features(pair: &ClosePair) -> Option<FeaturePair> {
    let n = pair.proximity.normal;
    match (Tracked::new(pair.a)?, Tracked::new(pair.b)?) {
        (Tracked::Polyhedron(_), Tracked::Polyhedron(_)) => pair.features,
        (Tracked::HalfSpace, Tracked::Polyhedron(b)) => {
            let lowest = b.support_from(-(pair.b_in_a.rotation_inverse * n), 0);
            Some(FeaturePair { a: WHOLE, b: Feature::Vertex(lowest) })
        }
        (Tracked::Polyhedron(a), Tracked::HalfSpace) => {
            Some(FeaturePair { a: Feature::Vertex(a.support_from(n, 0)), b: WHOLE })
        }
        (Tracked::HalfSpace, Tracked::HalfSpace) => None,
    }
}

/// A contact from two points. Points that have passed each other, seen along the normal of the pair, penetrate.
fn signed_contact(pair: &ClosePair, point_a: DVec3, point_b: DVec3, features: FeaturePair) -> Contact {
    let offset = point_b - point_a;
    let along = offset.dot(pair.proximity.normal);
    let (normal, distance) = match offset.try_normalize() {
        Some(normal) if along >= 0.0 => (normal, offset.length()),
        Some(normal) => (-normal, -offset.length()),
        None => (pair.proximity.normal, 0.0),
    };
    Contact { point: 0.5 * (point_a + point_b), normal, distance, point_a, point_b, id: features.into() }
}
