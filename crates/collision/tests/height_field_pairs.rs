//! Height fields compared with brute force over their prisms, and with half-spaces where they are flat.

use crate::slab_oracle;
use crate::slab_oracle::{kind, random_direction, random_rotation, random_shape};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest, closest_within};
use burgess_geometry::shape::{HalfSpace, HeightField};
use burgess_geometry::{Polyhedron, Pose, Shape};
use glam::{DQuat, DVec2, DVec3};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn field(columns: usize, rows: usize, size: DVec2, height: impl Fn(f64, f64) -> f64) -> HeightField {
    let at = |i: usize, n: usize, length: f64| (i as f64 / (n - 1) as f64 - 0.5) * length;
    let heights = (0..rows)
        .flat_map(|j| (0..columns).map(move |i| (i, j)))
        .map(|(i, j)| height(at(i, columns, size.x), at(j, rows, size.y)))
        .collect();
    HeightField::new(columns, rows, size, heights).unwrap()
}

fn hills(rng: &mut Pcg64) -> HeightField {
    let heights = (0..6 * 8).map(|_| rng.random_range(-0.4..0.4)).collect();
    HeightField::new(6, 8, DVec2::new(5.0, 7.0), heights).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn apart_the_nearest_prism_counts(kind in kind(), seed: u64) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let field = hills(rng);
        let shape = random_shape(kind, 0.3, rng);
        let place = DVec3::new(rng.random_range(-4.0..4.0), rng.random_range(-5.0..5.0), rng.random_range(-0.5..4.0));
        let pose = Pose::new(random_rotation(rng), place);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let mut expected = f64::INFINITY;
        for index in 0..field.triangle_count() {
            let prism = Shape::Polyhedron(Polyhedron::hull(&field.prism(index).vertices()).unwrap().into());
            let found =
                closest(&prism, &Pose::IDENTITY, &shape, &pose, &mut PairCache::default(), &mut scratch).unwrap();
            expected = expected.min(found.proximity.distance);
        }
        let terrain = Shape::HeightField(field.into());
        let world = Pose::new(random_rotation(rng), random_direction(rng));
        let placed = world.compose(&pose);
        let found = closest(&terrain, &world, &shape, &placed, &mut cache, &mut scratch).unwrap();
        let p = found.proximity;
        prop_assert!(found.exact && (p.normal.length() - 1.0).abs() < 1e-12);
        prop_assert!((p.point_a + p.distance * p.normal - p.point_b).length() < 1e-10);
        if expected > 1e-9 {
            prop_assert!((p.distance - expected).abs() < 1e-9, "{p:?} {expected}");
        } else {
            // The normal points up, never through a wall between prisms; at most sideways at the outer walls.
            let up = p.normal.dot(world.matrix() * DVec3::Z);
            prop_assert!(p.distance <= 1e-9 && up > -1e-9, "{p:?} {up}");
        }
        let back = closest(&shape, &placed, &terrain, &world, &mut cache, &mut scratch).unwrap();
        prop_assert_eq!(back, found.swapped());
    }

    #[test]
    fn a_slope_is_a_half_space(kind in kind(), seed: u64, depth in -1.0f64..0.5) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let slope = DVec2::new(rng.random_range(-0.5..0.5), rng.random_range(-0.5..0.5));
        let terrain = Shape::HeightField(field(41, 31, DVec2::new(20.0, 15.0), |x, y| slope.dot(DVec2::new(x, y))).into());
        let up = DVec3::new(-slope.x, -slope.y, 1.0).normalize();
        let plane = Pose::new(DQuat::from_rotation_arc(DVec3::Z, up), DVec3::ZERO);
        let shape = random_shape(kind, 0.3, rng);
        let mut pose = Pose::new(random_rotation(rng), DVec3::new(rng.random_range(-2.0..2.0), 1.0, 0.0));
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let ground = Shape::HalfSpace(HalfSpace);
        // Place it at the wanted depth, from a metre above the ground to half a metre below, which is deeper than a
        // cell is wide.
        let now = closest(&ground, &plane, &shape, &pose, &mut cache, &mut scratch).unwrap().proximity.distance;
        pose.translation -= (now + depth) * up;
        let expected = closest(&ground, &plane, &shape, &pose, &mut PairCache::default(), &mut scratch).unwrap();
        let found = closest(&terrain, &Pose::IDENTITY, &shape, &pose, &mut PairCache::default(), &mut scratch).unwrap();
        let (p, q) = (found.proximity, expected.proximity);
        prop_assert!((p.distance - q.distance).abs() < 1e-8, "{p:?} {q:?}");
        prop_assert!((p.normal - q.normal).length() < 1e-4, "{p:?} {q:?}");
    }

    #[test]
    fn pushing_out_of_hills_ends(kind in kind(), seed: u64) {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let terrain = Shape::HeightField(hills(rng).into());
        let shape = random_shape(kind, 0.3, rng);
        let place = DVec3::new(rng.random_range(-2.0..2.0), rng.random_range(-3.0..3.0), rng.random_range(-0.4..0.4));
        let mut pose = Pose::new(random_rotation(rng), place);
        let mut scratch = NarrowScratch::default();
        let mut last = f64::NEG_INFINITY;
        for _ in 0..200 {
            let found = closest(&terrain, &Pose::IDENTITY, &shape, &pose, &mut PairCache::default(), &mut scratch);
            let p = found.unwrap().proximity;
            last = p.distance;
            if last > -1e-6 {
                break;
            }
            pose.translation -= p.distance * p.normal;
        }
        prop_assert!(last > -1e-6, "still {last} deep");
    }
}

#[test]
fn beyond_the_threshold_the_boxes_give_the_result() {
    let rng = &mut Pcg64::seed_from_u64(2);
    let terrain = Shape::HeightField(hills(rng).into());
    let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
    for _ in 0..200 {
        let shape = random_shape(slab_oracle::Kind::Ellipsoid, 0.3, rng);
        let pose = Pose::new(random_rotation(rng), 10.0 * random_direction(rng));
        let near = closest(&terrain, &Pose::IDENTITY, &shape, &pose, &mut cache, &mut scratch).unwrap();
        let far = closest_within(&terrain, &Pose::IDENTITY, &shape, &pose, 0.5, &mut cache, &mut scratch).unwrap();
        assert!(near.exact);
        if far.exact {
            assert_eq!(near, far);
        } else {
            let p = far.proximity;
            assert!(p.distance > 0.5 && p.distance <= near.proximity.distance + 1e-9);
            assert!((p.point_a + p.distance * p.normal - p.point_b).length() < 1e-12);
        }
    }
}
