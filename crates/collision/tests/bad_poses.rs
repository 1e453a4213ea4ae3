//! Poses that are NaN, infinite or enormous: any result is accepted, but the query must return one and not panic.

use crate::slab_oracle::{KINDS, random_shape};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::shape::{Compound, HalfSpace, HeightField, NodeBounds};
use burgess_geometry::{Pose, Shape};
use glam::{DQuat, DVec2, DVec3};
use rand::SeedableRng;
use rand_pcg::Pcg64;

#[test]
fn every_pair_returns_a_result() {
    let rng = &mut Pcg64::seed_from_u64(11);
    let mut shapes: Vec<Shape> = KINDS.iter().map(|&kind| random_shape(kind, 1.0, rng)).collect();
    let parts: Vec<_> = shapes.iter().map(|shape| (shape.clone(), Pose::from_translation(DVec3::X))).collect();
    shapes.push(Shape::Compound(Compound::new(&parts, NodeBounds::Hull).unwrap().into()));
    shapes.push(Shape::HalfSpace(HalfSpace));
    shapes.push(Shape::HeightField(HeightField::new(3, 3, DVec2::ONE, vec![0.0; 9]).unwrap().into()));
    let poses = [
        Pose::from_translation(DVec3::NAN),
        Pose::from_translation(DVec3::new(f64::INFINITY, 0.0, 0.0)),
        Pose::from_translation(DVec3::splat(1e300)),
        Pose::from_translation(DVec3::splat(1e-310)),
        Pose::new(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DVec3::ZERO),
        Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO),
    ];
    let mut scratch = NarrowScratch::default();
    for a in &shapes {
        for b in &shapes {
            for pose in &poses {
                let mut cache = PairCache::default();
                let _ = closest(a, &Pose::IDENTITY, b, pose, &mut cache, &mut scratch);
                // Caches filled by invalid poses do no harm.
                let sound = Pose::from_translation(DVec3::new(0.3, 8.0, 0.2));
                let after = closest(a, &Pose::IDENTITY, b, &sound, &mut cache, &mut scratch);
                let fresh = closest(a, &Pose::IDENTITY, b, &sound, &mut PairCache::default(), &mut scratch);
                match (after, fresh) {
                    (Some(after), Some(fresh)) => {
                        let difference = after.proximity.distance - fresh.proximity.distance;
                        assert!(difference.abs() < 1e-9, "{} {} {pose:?}: {after:?} {fresh:?}", a.kind(), b.kind());
                    }
                    (after, fresh) => assert_eq!(after, fresh),
                }
            }
        }
    }
}
