//! Tracked features: the cube of Fontijne (2000) figure 3.9, and others.

use burgess_collision::contact_determination::{
    ClosePair, ContactDetermination, Manifold, PairMemory, TrackedFeatures,
};
use burgess_collision::narrow_phase::FeaturePair;
use burgess_geometry::{Feature, Pose, RelativePose, Shape};
use glam::{DQuat, DVec3};

use super::setup::*;

const THRESHOLD: f64 = 0.01;

fn track(a: &Shape, b: &Shape, pose: &Pose, memory: &mut PairMemory) -> Manifold {
    let (proximity, features) = proximity(a, b, pose);
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose);
    let pair = ClosePair { a, b, b_in_a: &b_in_a, proximity: &proximity, features };
    let mut manifold = Manifold::new();
    TrackedFeatures::new(THRESHOLD).determine(&pair, memory, &mut manifold);
    let closest = manifold.distance();
    assert!(manifold.is_empty() == (proximity.distance > THRESHOLD), "{}", proximity.distance);
    assert!(
        manifold.is_empty() || (closest - proximity.distance).abs() < 1e-3 * THRESHOLD,
        "{closest} {}",
        proximity.distance
    );
    manifold
}

/// Returns the pose of a unit cube at height `z`, tilted a little towards each corner in turn.
fn rocking(step: usize, z: f64) -> Pose {
    let lean = 0.002;
    let towards = std::f64::consts::FRAC_PI_4 + std::f64::consts::FRAC_PI_2 * step as f64;
    let axis = DVec3::new(libm::cos(towards), libm::sin(towards), 0.0);
    Pose::new(DQuat::from_axis_angle(axis, lean), DVec3::new(0.0, 0.0, z))
}

#[test]
fn rocking_cube_is_held_at_all_four_corners() {
    let cube = cuboid(0.5, 0.5, 0.5);
    for (below, top) in [(ground(), 0.0), (cuboid(2.0, 2.0, 0.5), 0.5)] {
        let mut memory = PairMemory::default();
        for step in 0..4 {
            assert_eq!(track(&below, &cube, &rocking(step, top + 0.502), &mut memory).len(), step + 1);
        }
        // From now on all four are contacts, whichever is the closest, identified by corner and face.
        for step in 4..20 {
            let manifold = track(&below, &cube, &rocking(step, top + 0.502), &mut memory);
            assert_eq!(manifold.len(), 4);
            for contact in manifold.contacts() {
                let FeaturePair { a, b } = contact.id.features();
                assert!(matches!((a, b), (Feature::Face(_), Feature::Vertex(_))));
                assert!((contact.point_b - contact.point_a).distance(contact.distance * contact.normal) < 1e-12);
            }
        }
        // Pressed in a little, they remain contacts; none is found twice.
        let pressed = track(&below, &cube, &rocking(0, top + 0.4985), &mut memory);
        assert_eq!(pressed.len(), 4);
        assert!(pressed.contacts().iter().filter(|c| c.distance < 0.0).count() >= 3);
        assert!(pressed.contacts().iter().all(|c| c.normal.dot(DVec3::Z) > 0.99));
        // After sliding and turning, the same corners are tracked at their new positions.
        let slid = Pose::new(DQuat::from_axis_angle(DVec3::Z, 0.1), DVec3::new(0.2, 0.1, 0.0))
            .compose(&rocking(0, top + 0.502));
        let manifold = track(&below, &cube, &slid, &mut memory);
        assert_eq!(manifold.len(), 4);
        for contact in manifold.contacts() {
            assert!((contact.point.xy_distance(slid.translation) - 0.5f64.sqrt()).abs() < 0.01);
        }
        // Tipped up, only the corners of the low edge remain; lifted, none does.
        let tipped = Pose::new(DQuat::from_axis_angle(DVec3::X, 0.1), DVec3::new(0.2, 0.1, top + 0.5475));
        assert!(track(&below, &cube, &tipped, &mut memory).len() <= 2);
        assert!(track(&below, &cube, &rocking(0, top + 0.6), &mut memory).is_empty());
        assert!(memory.tracked().is_empty());
    }
}

trait Sideways {
    fn xy_distance(self, other: DVec3) -> f64;
}

impl Sideways for DVec3 {
    fn xy_distance(self, other: DVec3) -> f64 {
        (self - other).truncate().length()
    }
}

#[test]
fn corner_that_slid_off_the_rim_is_dropped() {
    let (plate, cube) = (cuboid(2.0, 2.0, 0.5), cuboid(0.5, 0.5, 0.5));
    let mut memory = PairMemory::default();
    let over = |x: f64, step: usize| Pose::from_translation(DVec3::X * x).compose(&rocking(step, 1.002));
    for step in 0..4 {
        track(&plate, &cube, &over(1.0, step), &mut memory);
    }
    assert_eq!(track(&plate, &cube, &over(1.45, 0), &mut memory).len(), 4);
    let beyond = track(&plate, &cube, &over(1.6, 0), &mut memory);
    assert!(beyond.contacts().iter().all(|c| c.point.x < 2.0 + THRESHOLD), "{beyond:?}");
    assert!(beyond.len() >= 2);
}

#[test]
fn memory_of_other_shapes_does_no_harm() {
    let (plate, cube) = (cuboid(2.0, 2.0, 0.5), cuboid(0.5, 0.5, 0.5));
    let mut memory = PairMemory::default();
    for step in 0..4 {
        track(&plate, &cube, &rocking(step, 1.002), &mut memory);
    }
    let corners = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [0.0, 0.0, 0.0]].map(DVec3::from);
    track(&plate, &hull(&corners).unwrap(), &Pose::from_translation(DVec3::Z * 0.505), &mut memory);
    assert_eq!(track(&plate, &sphere(0.5), &Pose::from_translation(DVec3::Z * 1.001), &mut memory).len(), 1);
    assert!(memory.tracked().is_empty());
}
