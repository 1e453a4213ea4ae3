//! Every pair of bounded convex shapes, by closed form, V-Clip or GJK. Every result is certified.

use crate::slab_oracle::{Kind, Scene, certify_points, kind, random_direction, random_rotation};
use burgess_collision::narrow_phase::{
    NarrowScratch, PairCache, PolytopeScratch, Proximity, closest, closest_convex_convex, gap_beyond,
};
use burgess_geometry::{Pose, RelativePose, Shape};
use glam::DVec3;
use proptest::prelude::*;

/// Rounding of the closed forms and of polyhedra, relative to the larger size.
const EXACT_TOLERANCE: f64 = 1e-12;
/// Accuracy of GJK and the expanding polytope on curved surfaces, relative to the larger size.
const CURVED_TOLERANCE: f64 = 1e-9;

fn tolerance(a: Kind, b: Kind) -> f64 {
    let flat = |k: Kind| matches!(k, Kind::Cuboid | Kind::Capsule | Kind::Polyhedron);
    if a == Kind::Sphere || b == Kind::Sphere || (flat(a) && flat(b)) { EXACT_TOLERANCE } else { CURVED_TOLERANCE }
}

fn query(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Proximity {
    closest(a, pose_a, b, pose_b, &mut PairCache::default(), &mut NarrowScratch::default())
        .expect("both are bounded and convex")
        .proximity
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_result_is_certified(a in kind(), b in kind(), seed: u64) {
        let mut scene = Scene::new(a, b, seed);
        let pose_b = scene.pose_a.inverse().compose(&scene.pose_b);
        let b_in_a = RelativePose::new(&Pose::IDENTITY, &pose_b);
        let found = query(&scene.a, &Pose::IDENTITY, &scene.b, &pose_b);
        let tolerance = tolerance(a, b) * scene.size;
        // On curved surfaces the points follow the normal, whose error is of the order of the root of the distance
        // error.
        let point_tolerance = if tolerance > EXACT_TOLERANCE * scene.size { 1000.0 * tolerance } else { tolerance };
        let Scene { a: shape_a, b: shape_b, rng, .. } = &mut scene;
        if let Err(why) = certify_points(shape_a, shape_b, &b_in_a, &found, tolerance, point_tolerance, rng) {
            prop_assert!(false, "{a:?} {b:?} size {:e}: {why}", scene.size);
        }
    }

    #[test]
    fn exchanging_the_shapes_exchanges_the_result(a in kind(), b in kind(), seed: u64) {
        let scene = Scene::new(a, b, seed);
        let there = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let back = query(&scene.b, &scene.pose_b, &scene.a, &scene.pose_a);
        // Points and normal may differ where the closest points are not unique; the distance may not.
        prop_assert!((there.distance - back.distance).abs() <= tolerance(a, b) * scene.size);
        if there.distance > 1e-3 * scene.size {
            prop_assert!((there.normal + back.normal).length() < 1e-5, "{there:?} {back:?}");
        }
    }

    #[test]
    fn moving_both_together_changes_nothing(a in kind(), b in kind(), seed: u64) {
        let mut scene = Scene::new(a, b, seed);
        let here = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let motion = Pose::new(random_rotation(&mut scene.rng), scene.size * random_direction(&mut scene.rng));
        let there =
            query(&scene.a, &motion.compose(&scene.pose_a), &scene.b, &motion.compose(&scene.pose_b));
        prop_assert!((here.distance - there.distance).abs() <= tolerance(a, b) * scene.size);
        if here.distance > 1e-3 * scene.size {
            prop_assert!((motion.transform_vector(here.normal) - there.normal).length() < 1e-5);
        }
    }

    #[test]
    fn moving_b_by_the_distance_brings_contact(a in kind(), b in kind(), seed: u64) {
        let scene = Scene::new(a, b, seed);
        let before = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let moved = Pose { translation: scene.pose_b.translation - before.distance * before.normal, ..scene.pose_b };
        let after = query(&scene.a, &scene.pose_a, &scene.b, &moved);
        prop_assert!(after.distance.abs() <= 2.0 * tolerance(a, b) * scene.size, "{before:?} {after:?}");
    }

    #[test]
    fn closed_forms_agree_with_gjk(a in kind(), b in kind(), seed: u64) {
        let scene = Scene::new(a, b, seed);
        let b_in_a = scene.b_in_a();
        let table = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let (mut direction, mut scratch) = (DVec3::ZERO, PolytopeScratch::default());
        let gjk = closest_convex_convex(&scene.a, &scene.b, &b_in_a, &mut direction, &mut scratch)
            .expect("both are bounded and convex");
        // A sphere in the middle of a solid of revolution has nearly the same depth in all directions, which is hard
        // for a polytope: its depth was 3.9e-6 too large once. The closed form is certified by `every_result_is_certified`.
        let has_sphere = a == Kind::Sphere || b == Kind::Sphere;
        let tolerance = if table.distance > 0.0 { CURVED_TOLERANCE } else if has_sphere { 1e-5 } else { 1e-6 };
        prop_assert!((table.distance - gjk.distance).abs() <= tolerance * scene.size, "{table:?} {gjk:?}");
    }

    #[test]
    fn a_warm_start_changes_nothing_that_matters(a in kind(), b in kind(), seed: u64) {
        let mut scene = Scene::new(a, b, seed);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        for _ in 0..5 {
            let warm = closest(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b, &mut cache, &mut scratch).unwrap().proximity;
            let cold = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
            prop_assert!((warm.distance - cold.distance).abs() <= tolerance(a, b) * scene.size);
            scene.pose_b.translation += 0.05 * scene.size * random_direction(&mut scene.rng);
            scene.pose_b.rotation =
                (scene.pose_b.rotation + random_rotation(&mut scene.rng) * 0.05).normalize();
        }
    }

    #[test]
    fn a_gap_beyond_the_margin_is_found_when_there_is_one(a in kind(), b in kind(), seed: u64, share in 0.0..0.9) {
        let mut scene = Scene::new(a, b, seed);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        for _ in 0..5 {
            let distance = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b).distance;
            let (tolerance, margin) = (tolerance(a, b) * scene.size, share * distance.abs());
            let gap = gap_beyond(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b, margin, &mut cache, &mut scratch);
            match gap {
                Some(gap) => prop_assert!(gap > margin && gap <= distance + tolerance, "{gap:e} of {distance:e}"),
                None => prop_assert!(distance <= margin + tolerance, "none of {distance:e} beyond {margin:e}"),
            }
            scene.pose_b.translation += 0.05 * scene.size * random_direction(&mut scene.rng);
            scene.pose_b.rotation =
                (scene.pose_b.rotation + random_rotation(&mut scene.rng) * 0.05).normalize();
        }
    }
}

/// Seeds that once failed, each with the reason.
#[test]
fn regressions() {
    let cases = [
        // Rounding took a flat tetrahedron for one that contains the origin, and separated shapes for touching ones.
        (Kind::Cone, Kind::Cuboid, 4760304089837312750),
        // Slightly separated, GJK stopped far above the true distance.
        (Kind::Cuboid, Kind::Cylinder, 10461845784129841852),
        (Kind::Polyhedron, Kind::Cylinder, 13343289699405462326),
        // The polytope's direction was used although GJK had a better bound.
        (Kind::Frustum, Kind::Capsule, 17502707953742478741),
        // A segment in a cylinder has nearly the same depth in all directions.
        (Kind::Capsule, Kind::Cylinder, 8318517635645383517),
        // In contact, the search over features ended far from the closest ones.
        (Kind::Polyhedron, Kind::Polyhedron, 8161346823741258298),
        // The contact point was searched on one triangle of a face that has several.
        (Kind::Cylinder, Kind::Capsule, 8565423455246820575),
    ];
    for (a, b, seed) in cases {
        let mut scene = Scene::new(a, b, seed);
        for _ in 0..2 {
            let found = query(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
            let b_in_a = scene.b_in_a();
            let rotation = scene.pose_a.matrix().transpose();
            let in_a = found.transformed(&rotation, -(rotation * scene.pose_a.translation));
            let (tolerance, size) = (tolerance(a, b), scene.size);
            let Scene { a: shape_a, b: shape_b, rng, .. } = &mut scene;
            certify_points(shape_a, shape_b, &b_in_a, &in_a, tolerance * size, 1e-6 * size, rng).unwrap();
            // Again, in contact.
            scene.pose_b.translation -= found.distance * found.normal;
        }
    }
}
