//! Compounds compared with brute force over all pairs of parts.

use crate::slab_oracle;
use crate::slab_oracle::{KINDS, random_direction, random_rotation, random_shape};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, WorldProximity, closest, closest_within};
use burgess_geometry::shape::{Compound, HalfSpace, NodeBounds};
use burgess_geometry::{Pose, Shape};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A shape and its convex parts at their poses.
struct Body {
    shape: Shape,
    parts: Vec<(Shape, Pose)>,
}

fn random_body(rng: &mut Pcg64) -> Body {
    let count = rng.random_range(1..10);
    let parts: Vec<(Shape, Pose)> = (0..count)
        .map(|_| {
            let kind = KINDS[rng.random_range(0..KINDS.len())];
            let shape = random_shape(kind, 0.2, rng);
            (shape, Pose::new(random_rotation(rng), 2.0 * rng.random_range(0.0..1.0) * random_direction(rng)))
        })
        .collect();
    if count == 1 && rng.random_bool(0.5) {
        let shape = parts[0].0.clone();
        return Body { shape: shape.clone(), parts: vec![(shape, Pose::IDENTITY)] };
    }
    let bounds = if rng.random_bool(0.5) { NodeBounds::Hull } else { NodeBounds::Box };
    Body { shape: Shape::Compound(Compound::new(&parts, bounds).unwrap().into()), parts }
}

fn brute_force(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let mut least = f64::INFINITY;
    for (part_a, in_a) in &a.parts {
        for (part_b, in_b) in &b.parts {
            let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
            let (pose_a, pose_b) = (pose_a.compose(in_a), pose_b.compose(in_b));
            let found = closest(part_a, &pose_a, part_b, &pose_b, &mut cache, &mut scratch).unwrap();
            least = least.min(found.proximity.distance);
        }
    }
    least
}

fn check_points(found: &WorldProximity) -> Result<(), TestCaseError> {
    let p = &found.proximity;
    prop_assert!((p.normal.length() - 1.0).abs() < 1e-12);
    prop_assert!((p.point_a + p.distance * p.normal - p.point_b).length() < 1e-10);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_nearest_pair_of_parts_is_found(seed: u64) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let (a, b) = (random_body(rng), random_body(rng));
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let pose_a = Pose::new(random_rotation(rng), random_direction(rng));
        let mut pose_b = Pose::new(random_rotation(rng), rng.random_range(0.0..6.0) * random_direction(rng));
        // The cache is warm after the first query.
        for _ in 0..4 {
            let expected = brute_force(&a, &pose_a, &b, &pose_b);
            let found = closest(&a.shape, &pose_a, &b.shape, &pose_b, &mut cache, &mut scratch).unwrap();
            prop_assert!(found.exact);
            prop_assert!((found.proximity.distance - expected).abs() < 1e-8, "{found:?} {expected}");
            check_points(&found)?;

            // The reported parts are at the reported distance.
            let (part_a, in_a) = &a.parts[found.part_a.unwrap() as usize];
            let (part_b, in_b) = &b.parts[found.part_b.unwrap() as usize];
            let (place_a, place_b) = (pose_a.compose(in_a), pose_b.compose(in_b));
            let named =
                closest(part_a, &place_a, part_b, &place_b, &mut PairCache::default(), &mut scratch).unwrap();
            prop_assert!((named.proximity.distance - expected).abs() < 1e-8);

            let back =
                closest(&b.shape, &pose_b, &a.shape, &pose_a, &mut PairCache::default(), &mut scratch).unwrap();
            prop_assert!((back.proximity.distance - expected).abs() < 1e-8);
            pose_b.translation += 0.3 * random_direction(rng);
        }
    }

    #[test]
    fn below_the_threshold_the_distance_is_true_and_above_it_a_lower_bound(seed: u64) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let (a, b) = (random_body(rng), random_body(rng));
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let pose_b = Pose::new(random_rotation(rng), rng.random_range(0.0..8.0) * random_direction(rng));
        let expected = brute_force(&a, &Pose::IDENTITY, &b, &pose_b);
        for threshold in [0.0, 0.05, 0.5, 2.0] {
            let (ours, theirs) = (&a.shape, &b.shape);
            let found =
                closest_within(ours, &Pose::IDENTITY, theirs, &pose_b, threshold, &mut cache, &mut scratch).unwrap();
            check_points(&found)?;
            if found.exact {
                prop_assert!((found.proximity.distance - expected).abs() < 1e-8);
            } else {
                prop_assert!(found.proximity.distance > threshold && found.proximity.distance <= expected + 1e-9);
                prop_assert!(expected > threshold);
            }
        }
    }

    #[test]
    fn over_a_half_space_the_lowest_part_counts(seed: u64) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let body = random_body(rng);
        let ground = Body { shape: Shape::HalfSpace(HalfSpace), parts: vec![(Shape::HalfSpace(HalfSpace), Pose::IDENTITY)] };
        let pose = Pose::new(random_rotation(rng), rng.random_range(0.0..3.0) * random_direction(rng));
        let expected = brute_force(&body, &pose, &ground, &Pose::IDENTITY);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let found =
            closest(&body.shape, &pose, &ground.shape, &Pose::IDENTITY, &mut cache, &mut scratch).unwrap();
        prop_assert!((found.proximity.distance - expected).abs() < 1e-12);
        check_points(&found)?;
    }
}

#[test]
fn far_compounds_cost_one_pair_of_hulls() {
    let rng = &mut Pcg64::seed_from_u64(3);
    let parts: Vec<_> = (0..30)
        .map(|_| (random_shape(slab_oracle::Kind::Polyhedron, 0.2, rng), Pose::from_translation(random_direction(rng))))
        .collect();
    let shape = Shape::Compound(Compound::new(&parts, NodeBounds::Hull).unwrap().into());
    let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
    let far = Pose::from_translation(glam::DVec3::new(10.0, 0.0, 0.0));
    let found = closest_within(&shape, &Pose::IDENTITY, &shape, &far, 0.1, &mut cache, &mut scratch).unwrap();
    assert!(!found.exact && found.proximity.distance > 5.0);
    assert_eq!((scratch.statistics.queries, cache.nodes.len()), (1, 1));
}
