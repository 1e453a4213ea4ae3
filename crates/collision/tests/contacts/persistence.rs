//! Contact ids stay the same while the same features touch.

use burgess_collision::contact_determination::{
    ClosePair, ContactDetermination, ContactId, FullManifold, Manifold, PairMemory,
};
use burgess_geometry::{Pose, RelativePose, Shape};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};

use super::setup::*;

/// Moves b over a and asserts that the ids never change.
fn assert_steady(a: &Shape, b: &Shape, max_points: usize, poses: impl Iterator<Item = Pose>) -> Vec<ContactId> {
    let mut determination = FullManifold::new(0.01);
    determination.max_points = max_points;
    let mut first = None;
    for (step, pose) in poses.enumerate() {
        let (proximity, features) = proximity(a, b, &pose);
        let b_in_a = RelativePose::new(&Pose::IDENTITY, &pose);
        let pair = ClosePair { a, b, b_in_a: &b_in_a, proximity: &proximity, features };
        let mut manifold = Manifold::new();
        determination.determine(&pair, &mut PairMemory::default(), &mut manifold);
        let names = ids(&manifold);
        let first = first.get_or_insert(names.clone());
        assert_eq!(*first, names, "step {step}");
    }
    first.unwrap()
}

/// Returns poses of a jittering body at rest, each off the given one by up to `size` metres and radians.
fn jittering(rest: Pose, size: f64, seed: u64) -> impl Iterator<Item = Pose> {
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    (0..500).map(move |_| {
        let mut vector = || DVec3::from_array([0; 3].map(|_| random.random_range(-size..size)));
        Pose::new(DQuat::from_scaled_axis(vector()), vector()).compose(&rest)
    })
}

#[test]
fn sliding_and_turning_box_keeps_the_names_of_its_corners() {
    let path = (0..2000).map(|step| {
        let t = f64::from(step) * 1e-3;
        let tilt = 1e-5 * libm::sin(70.0 * t);
        let turn = DQuat::from_axis_angle(DVec3::Z, 0.3 * t) * DQuat::from_axis_angle(DVec3::X, tilt);
        Pose::new(turn, DVec3::new(0.5 * t - 0.5, 0.2 * t, 1.0 + 1e-5 * libm::cos(110.0 * t)))
    });
    assert_eq!(assert_steady(&cuboid(2.0, 2.0, 0.5), &cuboid(0.5, 0.5, 0.5), 8, path).len(), 4);
}

#[test]
fn jittering_bodies_keep_their_contacts() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let above = |z: f64| Pose::from_translation(DVec3::new(0.0, 0.0, z));
    for (seed, size) in [(1, 1e-12), (2, 1e-9), (3, 1e-6), (4, 1e-5)] {
        // Equal boxes, exactly stacked: corners on corners, sides on sides.
        assert_eq!(assert_steady(&cube, &cube, 8, jittering(above(1.0), size, seed)).len(), 4);
        assert_eq!(assert_steady(&ground(), &cube, 8, jittering(above(0.5), size, seed)).len(), 4);
        // One side flush, one overhanging.
        let flush = Pose::from_translation(DVec3::new(0.25, 0.0, 1.0));
        assert_eq!(assert_steady(&cube, &cube, 8, jittering(flush, size, seed)).len(), 4);
        // Round shapes: all eight points of the rim, or four that do not change.
        let standing = above(0.5);
        assert_eq!(assert_steady(&ground(), &cylinder(0.3, 0.5), 8, jittering(standing, size, seed)).len(), 8);
        assert_eq!(assert_steady(&ground(), &cylinder(0.3, 0.5), 4, jittering(standing, size, seed)).len(), 4);
        let lying = Pose::new(DQuat::from_axis_angle(DVec3::Y, std::f64::consts::FRAC_PI_2), DVec3::Z * 0.6);
        assert_eq!(assert_steady(&cube, &capsule(0.1, 0.4), 8, jittering(lying, size, seed)).len(), 2);
    }
    // An octagon of crossing sides.
    let octagon = Pose::new(DQuat::from_axis_angle(DVec3::Z, std::f64::consts::FRAC_PI_4), DVec3::Z);
    assert_eq!(assert_steady(&cube, &cube, 8, jittering(octagon, 1e-5, 5)).len(), 8);
}
