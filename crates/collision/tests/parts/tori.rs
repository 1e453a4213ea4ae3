//! Near parts compared with brute force over all pairs.

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest, near_parts};
use burgess_geometry::shape::Compound;
use burgess_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::setup::*;

fn parts(shape: &Shape) -> &Compound {
    let Shape::Compound(compound) = shape else { panic!("a compound") };
    compound
}

/// Returns the distances of all pairs of parts, by part of a, then of b.
fn brute_force(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<(u32, u32, f64)> {
    let mut scratch = NarrowScratch::default();
    let mut all = Vec::new();
    for (i, p) in parts(a).parts().iter().enumerate() {
        for (j, q) in parts(b).parts().iter().enumerate() {
            let (at, to) = (pose_a.compose(p.pose()), pose_b.compose(q.pose()));
            let found = closest(p.shape(), &at, q.shape(), &to, &mut PairCache::default(), &mut scratch).unwrap();
            all.push((i as u32, j as u32, found.proximity.distance));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn interlocked_tori_are_near_where_brute_force_says(
        axis in (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64),
        angle in 0.0..6.3f64,
        offset in (-0.4..0.4f64, -0.4..0.4f64, -0.4..0.4f64),
        margin in prop_oneof![Just(0.0), 0.0..0.3f64],
    ) {
        let (a, b) = (torus(1.0, 0.25), torus(1.0, 0.25));
        let pose_a = Pose::from_translation(DVec3::new(5.0, 1.0, -2.0));
        let linked = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let wobble = DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), 0.3 * angle);
        let mut pose_b = Pose::new(wobble * linked, pose_a.translation + DVec3::X + DVec3::from(offset));
        let (mut cache, mut scratch, mut found) = (PairCache::default(), NarrowScratch::default(), Vec::new());
        // The cache is warm after the first query.
        for _ in 0..3 {
            near_parts(&a, &pose_a, &b, &pose_b, margin, &mut cache, &mut scratch, &mut found);
            prop_assert!(found.is_sorted_by_key(|n| (n.part_a, n.part_b)));
            let mut expected = brute_force(&a, &pose_a, &b, &pose_b);
            let name = |part_a, part_b| found.binary_search_by_key(&(part_a, part_b), |n| (n.part_a, n.part_b));
            for &(part_a, part_b, distance) in &expected {
                match name(part_a, part_b) {
                    Ok(index) => prop_assert!((found[index].proximity.distance - distance).abs() < 1e-9),
                    Err(_) => prop_assert!(distance > margin - 1e-9, "{part_a} {part_b} {distance}"),
                }
            }
            expected.retain(|&(_, _, distance)| distance <= margin + 1e-9);
            prop_assert!(found.len() <= expected.len());
            for n in &found {
                let p = n.in_world().proximity;
                prop_assert!((p.point_a + p.distance * p.normal - p.point_b).length() < 1e-9);
                prop_assert!(n.features.is_some());
            }

            let back = near(&b, &pose_b, &a, &pose_a, margin);
            let mut swapped: Vec<_> = back.iter().map(|n| n.swapped()).collect();
            swapped.sort_unstable_by_key(|n| (n.part_a, n.part_b));
            prop_assert_eq!(swapped.len(), found.len());
            for (p, q) in swapped.iter().zip(&found) {
                prop_assert_eq!((p.part_a, p.part_b, p.pose_a, p.pose_b), (q.part_a, q.part_b, q.pose_a, q.pose_b));
                prop_assert!((p.proximity.distance - q.proximity.distance).abs() < 1e-9);
            }
            // The ids are checked in `contacts`.
            contacts(&a, &pose_a, &b, &pose_b);
            pose_b.translation += DVec3::new(0.02, -0.01, 0.015);
        }
    }
}

#[test]
fn far_tori_are_not_expanded() {
    let (mut cache, mut scratch, mut found) = (PairCache::default(), NarrowScratch::default(), Vec::new());
    let far = Pose::from_translation(DVec3::new(4.0, 0.0, 0.0));
    let ring = torus(1.0, 0.25);
    near_parts(&ring, &Pose::IDENTITY, &ring, &far, 0.1, &mut cache, &mut scratch, &mut found);
    assert_eq!((found.len(), scratch.statistics.queries, cache.nodes.len()), (0, 1, 1));
}

#[test]
fn convex_shapes_are_their_own_part() {
    let body = cuboid(0.5, 0.5, 0.5);
    let found = near(&body, &Pose::IDENTITY, &body, &Pose::from_translation(DVec3::new(0.0, 0.0, 1.005)), MARGIN);
    assert_eq!((found.len(), found[0].part_a, found[0].part_b), (1, 0, 0));
    assert!((found[0].proximity.distance - 0.005).abs() < 1e-15);
    assert_eq!(contacts(&body, &Pose::IDENTITY, &body, &Pose::from_translation(DVec3::Z)).len(), 4);
    assert!(near(&ground(), &Pose::IDENTITY, &ground(), &Pose::IDENTITY, MARGIN).is_empty());
    assert!(near(&terrain(|_, _| 0.0), &Pose::IDENTITY, &ground(), &Pose::IDENTITY, MARGIN).is_empty());
}
