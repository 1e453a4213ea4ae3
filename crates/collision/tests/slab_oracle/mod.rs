//! Independent oracles for convex pairs.
//!
//! For every unit vector n the slab between the shapes, `min over b of n.x - max over a of n.x`, is a lower bound on
//! the signed distance, and the best n attains it, separated or penetrating. So a proximity can be certified: its
//! points lie in the shapes, its distance is the slab along its normal, and no other direction has a wider slab.
#![allow(dead_code)]

use burgess_collision::narrow_phase::Proximity;
use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, Sphere};
use burgess_geometry::{Convex, Polyhedron, Pose, RelativePose, Shape};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Returns the farthest point along a direction, directly from the shape's definition.
pub fn support(shape: &Shape, direction: DVec3) -> DVec3 {
    match shape {
        Shape::Sphere(s) => s.support(direction),
        Shape::Cuboid(s) => s.support(direction),
        Shape::Capsule(s) => s.support(direction),
        Shape::Cylinder(s) => s.support(direction),
        Shape::Cone(s) => s.support(direction),
        Shape::Frustum(s) => s.support(direction),
        Shape::Ellipsoid(s) => s.support(direction),
        Shape::Polyhedron(p) => p
            .vertices()
            .iter()
            .copied()
            .max_by(|x, y| direction.dot(*x).total_cmp(&direction.dot(*y)))
            .expect("a polyhedron has vertices"),
        other => panic!("{other:?} is not bounded and convex"),
    }
}

/// Returns an upper bound on how far a point is outside a shape, which is zero or negative inside.
pub fn excess(shape: &Shape, p: DVec3) -> f64 {
    let radial = (p.x * p.x + p.y * p.y).sqrt();
    let frustum = |bottom: f64, top: f64, h: f64| {
        let radius_here = bottom + (top - bottom) * (p.z + h) / (2.0 * h);
        (p.z.abs() - h).max(radial - radius_here)
    };
    match shape {
        Shape::Sphere(s) => p.length() - s.radius,
        Shape::Cuboid(s) => (p.abs() - s.half_extents).max_element(),
        Shape::Capsule(s) => (p - DVec3::new(0.0, 0.0, p.z.clamp(-s.half_length, s.half_length))).length() - s.radius,
        Shape::Cylinder(s) => frustum(s.radius, s.radius, s.half_length),
        Shape::Cone(s) => frustum(s.radius, 0.0, s.half_length),
        Shape::Frustum(s) => frustum(s.bottom_radius, s.top_radius, s.half_length),
        Shape::Ellipsoid(s) => ((p / s.semi_axes).length() - 1.0) * s.semi_axes.min_element(),
        Shape::Polyhedron(s) => s.faces().iter().map(|f| f.plane.distance(p)).fold(f64::NEG_INFINITY, f64::max),
        other => panic!("{other:?} is not bounded and convex"),
    }
}

/// Returns the width of the slab between the shapes along `n`, in the frame of a.
pub fn slab(a: &Shape, b: &Shape, b_in_a: &RelativePose, n: DVec3) -> f64 {
    let far_a = support(a, n);
    let near_b = b_in_a.b_to_a(support(b, b_in_a.rotation_inverse * -n));
    n.dot(near_b - far_a)
}

/// Returns the widest slab found by a search over directions that is independent of the result, then around `hint`.
pub fn widest_slab(a: &Shape, b: &Shape, b_in_a: &RelativePose, hint: DVec3, rng: &mut Pcg64) -> f64 {
    let mut widest = f64::NEG_INFINITY;
    let mut best = DVec3::Z;
    for _ in 0..200 {
        let n = random_direction(rng);
        let width = slab(a, b, b_in_a, n);
        if width > widest {
            (widest, best) = (width, n);
        }
    }
    for start in [best, hint] {
        let mut n = start;
        let mut here = slab(a, b, b_in_a, n);
        let mut spread = 0.3;
        while spread > 1e-7 {
            let mut better = false;
            for _ in 0..8 {
                let candidate = (n + spread * random_direction(rng)).normalize();
                let width = slab(a, b, b_in_a, candidate);
                if width > here {
                    (here, n, better) = (width, candidate, true);
                }
            }
            if !better {
                spread *= 0.6;
            }
        }
        widest = widest.max(here);
    }
    widest
}

/// Returns false for NaN as well.
fn within(value: f64, bound: f64) -> bool {
    value <= bound
}

/// Certifies a proximity to within `tolerance` metres. `Err` says which check failed.
pub fn certify(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    p: &Proximity,
    tolerance: f64,
    rng: &mut Pcg64,
) -> Result<(), String> {
    certify_points(a, b, b_in_a, p, tolerance, tolerance, rng)
}

/// Like [`certify`], with a separate tolerance for the points.
pub fn certify_points(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    p: &Proximity,
    tolerance: f64,
    point_tolerance: f64,
    rng: &mut Pcg64,
) -> Result<(), String> {
    let fail = |what: &str, value: f64| Err(format!("{what}: {value:e} against {tolerance:e} in {p:?}"));
    if !within((p.normal.length() - 1.0).abs(), 1e-12) {
        return fail("the normal's length", p.normal.length());
    }
    let rest = (p.point_b - p.point_a - p.distance * p.normal).length();
    if !within(rest, tolerance) {
        return fail("point_b is not point_a + distance * normal", rest);
    }
    let width = slab(a, b, b_in_a, p.normal);
    if !within((width - p.distance).abs(), tolerance) {
        return fail("the distance is not the slab along the normal; difference", width - p.distance);
    }
    // The points are where the slab touches the shapes, both when separated and in penetration.
    for (which, excess) in [("a", excess(a, p.point_a)), ("b", excess(b, b_in_a.a_to_b(p.point_b)))] {
        if !within(excess, point_tolerance) {
            return fail(&format!("the point of {which} is outside"), excess);
        }
    }
    if p.distance < 0.0 {
        let widest = widest_slab(a, b, b_in_a, p.normal, rng);
        if !within(widest, p.distance + tolerance) {
            return fail("another direction separates sooner, by", widest - p.distance);
        }
    }
    Ok(())
}

pub fn random_direction(rng: &mut Pcg64) -> DVec3 {
    loop {
        let v = DVec3::from_array([(); 3].map(|()| rng.random_range(-1.0..1.0)));
        if v.length_squared() > 1e-4 && v.length_squared() <= 1.0 {
            return v.normalize();
        }
    }
}

pub fn random_rotation(rng: &mut Pcg64) -> DQuat {
    loop {
        let q = DQuat::from_xyzw(
            rng.random_range(-1.0..1.0),
            rng.random_range(-1.0..1.0),
            rng.random_range(-1.0..1.0),
            rng.random_range(-1.0..1.0),
        );
        if q.length_squared() > 1e-2 && q.length_squared() <= 1.0 {
            return q.normalize();
        }
    }
}

/// Returns a length between 1e-3 and 1e3 around `scale`, uniform by order of magnitude.
fn length(rng: &mut Pcg64, scale: f64) -> f64 {
    scale * libm::exp(rng.random_range(-1.2..1.2))
}

/// The kinds of bounded convex shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sphere,
    Cuboid,
    Capsule,
    Cylinder,
    Cone,
    Frustum,
    Ellipsoid,
    Polyhedron,
}

pub const KINDS: [Kind; 8] = [
    Kind::Sphere,
    Kind::Cuboid,
    Kind::Capsule,
    Kind::Cylinder,
    Kind::Cone,
    Kind::Frustum,
    Kind::Ellipsoid,
    Kind::Polyhedron,
];

pub fn random_shape(kind: Kind, scale: f64, rng: &mut Pcg64) -> Shape {
    let mut l = || length(rng, scale);
    match kind {
        Kind::Sphere => Shape::Sphere(Sphere::new(l()).unwrap()),
        Kind::Cuboid => Shape::Cuboid(Cuboid::new(DVec3::new(l(), l(), l())).unwrap()),
        Kind::Capsule => Shape::Capsule(Capsule::new(l(), l()).unwrap()),
        Kind::Cylinder => Shape::Cylinder(Cylinder::new(l(), l()).unwrap()),
        Kind::Cone => Shape::Cone(Cone::new(l(), l()).unwrap()),
        Kind::Frustum => Shape::Frustum(Frustum::new(l(), l(), l()).unwrap()),
        Kind::Ellipsoid => Shape::Ellipsoid(Ellipsoid::new(DVec3::new(l(), l(), l())).unwrap()),
        Kind::Polyhedron => {
            let points: Vec<DVec3> = (0..24).map(|_| scale * random_direction(rng)).collect();
            Shape::Polyhedron(Polyhedron::hull(&points).unwrap().into())
        }
    }
}

pub fn size(shape: &Shape) -> f64 {
    DVec3::AXES.iter().map(|&n| support(shape, n).dot(n).max(-support(shape, -n).dot(n))).fold(0.0, f64::max)
}

/// Two shapes with poses: separated, near, or penetrating.
#[derive(Debug, Clone)]
pub struct Scene {
    pub a: Shape,
    pub b: Shape,
    pub pose_a: Pose,
    pub pose_b: Pose,
    /// The larger size, in metres.
    pub size: f64,
    pub rng: Pcg64,
}

impl Scene {
    pub fn new(kind_a: Kind, kind_b: Kind, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        let scale = libm::pow(10.0, rng.random_range(-3.0..3.0));
        // Mostly comparable sizes, sometimes very different ones.
        let ratio = libm::pow(10.0, rng.random_range(-1.0..1.0) * if rng.random_bool(0.3) { 3.0 } else { 0.5 });
        let a = random_shape(kind_a, scale, &mut rng);
        let b = random_shape(kind_b, scale * ratio, &mut rng);
        let size = size(&a).max(size(&b));
        let n = random_direction(&mut rng);
        let pose_a = Pose::new(random_rotation(&mut rng), size * random_direction(&mut rng));
        let mut pose_b = Pose::new(random_rotation(&mut rng), pose_a.translation);
        // Along n they touch at `reach`; continue from deep inside to far away.
        let reach = -slab(&a, &b, &RelativePose::new(&pose_a, &pose_b), pose_a.rotation.conjugate() * n);
        pose_b.translation += rng.random_range(0.0..2.0) * reach * n;
        Self { a, b, pose_a, pose_b, size, rng }
    }

    pub fn b_in_a(&self) -> RelativePose {
        RelativePose::new(&self.pose_a, &self.pose_b)
    }
}

pub fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(&KINDS[..])
}
