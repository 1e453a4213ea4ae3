//! Shapes, and contacts of all their parts.

use burgess_collision::contact_determination::{FullManifold, PartContact, PartMemory, PartScratch, determine_parts};
use burgess_collision::narrow_phase::{NarrowScratch, NearParts, PairCache, near_parts};
use burgess_geometry::shape::{Cuboid, HalfSpace, HeightField, tessellation};
use burgess_geometry::{Pose, Shape};
use glam::{DVec2, DVec3};

pub const MARGIN: f64 = 0.01;

pub fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace)
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(x, y, z)).unwrap())
}

pub fn tube(outer: f64, inner: f64, height: f64, sides: usize) -> Shape {
    Shape::Compound(tessellation::tube(outer, inner, height, sides).unwrap().into())
}

pub fn torus(major: f64, minor: f64) -> Shape {
    Shape::Compound(tessellation::torus(major, minor, 16, 8).unwrap().into())
}

/// Terrain of 6 m by 6 m in cells of 0.3 m.
pub fn terrain(height: impl Fn(f64, f64) -> f64) -> Shape {
    let at = |i: usize| (i as f64 / 20.0 - 0.5) * 6.0;
    let heights = (0..21 * 21).map(|k| height(at(k % 21), at(k / 21))).collect();
    Shape::HeightField(HeightField::new(21, 21, DVec2::splat(6.0), heights).unwrap().into())
}

pub fn near(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f64) -> Vec<NearParts> {
    let mut found = Vec::new();
    let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
    near_parts(a, pose_a, b, pose_b, margin, &mut cache, &mut scratch, &mut found);
    found
}

/// Returns all contacts by full manifolds.
pub fn contacts(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<PartContact> {
    let near = near(a, pose_a, b, pose_b, MARGIN);
    let (mut memory, mut scratch, mut found) = (PartMemory::default(), PartScratch::default(), Vec::new());
    determine_parts(&mut FullManifold::new(MARGIN), (a, b), &near, &mut memory, &mut scratch, &mut found);
    let mut names: Vec<_> = found.iter().map(PartContact::id).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), found.len(), "an id occurs twice");
    found
}

/// Returns twice the area of the largest triangle of three of the points.
pub fn largest_triangle(points: &[DVec3]) -> f64 {
    let mut largest: f64 = 0.0;
    for p in points {
        for q in points {
            for r in points {
                largest = largest.max((*q - *p).cross(*r - *p).length());
            }
        }
    }
    largest
}

/// Returns whether a point is within the convex hull of others, all projected along `up`: no line through it leaves all
/// of them on one side.
pub fn supports(points: &[DVec3], center: DVec3, up: DVec3) -> bool {
    let (u, v) = up.any_orthonormal_pair();
    (0..360).all(|degree| {
        let (s, c) = libm::sincos(f64::from(degree).to_radians());
        points.iter().any(|p| (*p - center).dot(c * u + s * v) > 0.0)
    })
}
