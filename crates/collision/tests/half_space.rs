//! Every bounded convex shape over, on and in the ground.

use crate::slab_oracle::{Kind, Scene, excess, kind, support};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::shape::HalfSpace;
use burgess_geometry::{Pose, Shape};
use glam::DVec3;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_lowest_point_decides(a in kind(), seed: u64) {
        let Scene { a, pose_a, pose_b: pose_ground, size, .. } = Scene::new(a, Kind::Sphere, seed);
        let ground = Shape::HalfSpace(HalfSpace);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let found = closest(&a, &pose_a, &ground, &pose_ground, &mut cache, &mut scratch).unwrap().proximity;
        let tolerance = 1e-13 * size.max(pose_ground.translation.length());

        let up = pose_ground.matrix() * DVec3::Z;
        let lowest = pose_a.transform_point(support(&a, pose_a.inverse_transform_vector(-up)));
        prop_assert!((found.distance - up.dot(lowest - pose_ground.translation)).abs() <= tolerance);
        prop_assert!((found.normal + up).length() < 1e-14);
        prop_assert!(excess(&a, pose_a.inverse_transform_point(found.point_a)) <= tolerance);
        prop_assert!(pose_ground.inverse_transform_point(found.point_b).z.abs() <= tolerance);
        prop_assert!((found.point_a + found.distance * found.normal - found.point_b).length() <= tolerance);

        let again = closest(&a, &pose_a, &ground, &pose_ground, &mut cache, &mut scratch).unwrap().proximity;
        prop_assert_eq!(again.distance, found.distance);
        let back = closest(&ground, &pose_ground, &a, &pose_a, &mut PairCache::default(), &mut scratch).unwrap().proximity;
        prop_assert!((back.distance - found.distance).abs() <= tolerance);
        prop_assert!((back.normal + found.normal).length() < 1e-14);
        prop_assert!((back.point_a - found.point_b).length() <= 2.0 * tolerance);
    }
}

#[test]
fn two_half_spaces_have_no_distance() {
    let ground = Shape::HalfSpace(HalfSpace);
    let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
    assert!(closest(&ground, &Pose::IDENTITY, &ground, &Pose::IDENTITY, &mut cache, &mut scratch).is_none());
}
