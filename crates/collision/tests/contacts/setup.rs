//! Shapes, and contacts from the real narrow phase.

use std::sync::Arc;

use burgess_collision::contact_determination::{
    ClosePair, ContactDetermination, ContactId, FullManifold, Manifold, PairMemory,
};
use burgess_collision::narrow_phase::{ConvexCache, FeaturePair, NarrowScratch, PairCache, Proximity, closest};
use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Sphere};
use burgess_geometry::{Polyhedron, Pose, RelativePose, Shape};
use glam::DVec3;

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(x, y, z)).unwrap())
}

pub fn hull(points: &[DVec3]) -> Option<Shape> {
    Polyhedron::hull(points).ok().map(|p| Shape::Polyhedron(Arc::new(p)))
}

pub fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

pub fn capsule(radius: f64, half_length: f64) -> Shape {
    Shape::Capsule(Capsule::new(radius, half_length).unwrap())
}

pub fn cylinder(radius: f64, half_length: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(radius, half_length).unwrap())
}

pub fn cone(radius: f64, half_length: f64) -> Shape {
    Shape::Cone(Cone::new(radius, half_length).unwrap())
}

pub fn frustum(bottom: f64, top: f64, half_length: f64) -> Shape {
    Shape::Frustum(Frustum::new(bottom, top, half_length).unwrap())
}

pub fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).unwrap())
}

pub fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace)
}

/// Returns the result of the narrow phase in the frame of a, and the features if there are any.
pub fn proximity(a: &Shape, b: &Shape, pose_b: &Pose) -> (Proximity, Option<FeaturePair>) {
    let mut cache = PairCache::default();
    let found = closest(a, &Pose::IDENTITY, b, pose_b, &mut cache, &mut NarrowScratch::default()).unwrap();
    let features = if let ConvexCache::Features(features) = cache.convex { Some(features) } else { None };
    (found.proximity, features)
}

/// Returns the full manifold in the frame of a, with the narrow phase's distance.
pub fn full(a: &Shape, b: &Shape, pose_b: &Pose, margin: f64) -> (Manifold, f64) {
    let (proximity, _) = proximity(a, b, pose_b);
    (full_of(a, b, pose_b, &proximity, margin), proximity.distance)
}

pub fn full_of(a: &Shape, b: &Shape, pose_b: &Pose, proximity: &Proximity, margin: f64) -> Manifold {
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose_b);
    let pair = ClosePair { a, b, b_in_a: &b_in_a, proximity, features: None };
    let mut manifold = Manifold::new();
    FullManifold::new(margin).determine(&pair, &mut PairMemory::default(), &mut manifold);
    manifold
}

pub fn ids(manifold: &Manifold) -> Vec<ContactId> {
    let mut ids: Vec<_> = manifold.contacts().iter().map(|c| c.id).collect();
    ids.sort_unstable();
    ids
}

/// Returns the signed distance of a point from the surface of a shape, in the shape's frame, by a narrow-phase query
/// with a tiny ball.
pub fn signed_distance(shape: &Shape, point: DVec3) -> f64 {
    const TINY: f64 = 1e-7;
    proximity(shape, &sphere(TINY), &Pose::from_translation(point)).0.distance + TINY
}

/// Asserts that these are the contact points, in any order.
pub fn assert_points(manifold: &Manifold, expected: &[[f64; 3]], tolerance: f64) {
    let points: Vec<_> = manifold.contacts().iter().map(|c| c.point).collect();
    assert_eq!(points.len(), expected.len(), "{points:?}");
    for &e in expected {
        assert!(points.iter().any(|p| p.distance(DVec3::from(e)) <= tolerance), "{e:?} is not in {points:?}");
    }
}
