//! Contact determination by tracked features ("improved contact handling", Fontijne 2000, sections 2.4.2 and 3.10).
//!
//! When a cube jitters at rest, the closest corner keeps changing. Impulses only at the closest corner make it spin and
//! drift. So feature pairs that were closest are remembered. In each step their closest points are computed again, and
//! they are contacts as long as each point is in the Voronoi region of the other feature and the gap is small.

use arrayvec::ArrayVec;
use burgess_geometry::{Feature, Polyhedron, Shape};
use glam::DVec3;

use super::closest_pair::closest_contact;
use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, WHOLE};
use crate::narrow_phase::{FeaturePair, closest_points_of_features, distance_beyond_voronoi_planes};

/// Memory of contact determination for one pair of shapes. It is part of the state of a world, because it affects the
/// next step. Reset it to the default when a shape is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PairMemory {
    /// Feature pairs that were the closest; the last one most recently.
    tracked: ArrayVec<FeaturePair, { Manifold::CAPACITY }>,
}

impl PairMemory {
    /// Returns the tracked feature pairs; the last one was the closest most recently.
    pub fn tracked(&self) -> &[FeaturePair] {
        &self.tracked
    }

    /// Stores the closest pair. If the memory is full, the pair that was closest longest ago is removed.
    fn store(&mut self, closest: FeaturePair) {
        self.tracked.retain(|pair| *pair != closest);
        if self.tracked.is_full() {
            self.tracked.remove(0);
        }
        self.tracked.push(closest);
    }
}

/// Gives the closest points of all features that were closest before and still touch. It applies to polyhedra
/// (including boxes) against each other or against a half-space; for other shapes it is equivalent to
/// [`super::ClosestPair`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackedFeatures {
    /// Maximum gap (or depth) of a contact, in metres: the collision epsilon of Fontijne (2000).
    pub threshold: f64,
    /// Maximum distance of a point from the other feature's Voronoi region, in metres.
    pub tolerance: f64,
}

impl TrackedFeatures {
    /// Creates a method with the same length for both: features within `threshold` may also be that far off sideways.
    pub fn new(threshold: f64) -> Self {
        Self { threshold, tolerance: threshold }
    }

    /// Returns the contact of two features, if it is still valid.
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
        // Two feature pairs with the same closest points, such as a corner and its edge, are one contact.
        let coincide =
            |c: &Contact, d: &Contact| c.point.distance_squared(d.point) <= 1e-6 * self.tolerance * self.tolerance;

        let mut room = Manifold::CAPACITY;
        let closest_contact = Contact::from_proximity(pair.proximity, closest.into());
        let touching = pair.proximity.distance <= self.threshold;
        // In penetration, V-Clip's features are those where it was detected, not the deepest ones, so they are not
        // stored.
        let features_are_closest =
            pair.proximity.distance >= 0.0 || sides.iter().any(|s| matches!(s, Tracked::HalfSpace));
        if touching && features_are_closest {
            memory.store(closest);
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
    /// A half-space, whose only feature is [`WHOLE`].
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

    /// Returns how far a point is outside the feature's Voronoi region, sideways.
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

/// Returns the closest features: those of the narrow phase, or the corner that is deepest in a half-space.
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

/// Creates a contact from two points. Points that have passed each other along the normal of the pair penetrate.
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
