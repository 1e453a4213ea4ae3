//! Manifolds computed by hand.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};

use burgess_geometry::{Feature, Pose};
use glam::{DQuat, DVec3};

use super::setup::*;

const MARGIN: f64 = 0.01;
const EXACT_TOLERANCE: f64 = 1e-9;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn turned(axis: DVec3, angle: f64, x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::from_axis_angle(axis, angle), DVec3::new(x, y, z))
}

#[test]
fn box_on_a_larger_box_touches_at_its_four_corners() {
    let (plate, cube) = (cuboid(2.0, 2.0, 0.5), cuboid(0.5, 0.5, 0.5));
    for gap in [0.005, 0.0, -0.004] {
        let (manifold, distance) = full(&plate, &cube, &at(0.3, -0.2, 1.0 + gap), MARGIN);
        assert!((distance - gap).abs() < EXACT_TOLERANCE);
        let z = 0.5 + 0.5 * gap;
        assert_points(&manifold, &[[0.8, 0.3, z], [0.8, -0.7, z], [-0.2, 0.3, z], [-0.2, -0.7, z]], EXACT_TOLERANCE);
        for contact in manifold.contacts() {
            assert!(
                (contact.distance - gap).abs() < EXACT_TOLERANCE && contact.normal.distance(DVec3::Z) < EXACT_TOLERANCE
            );
            // Corners of the cube on the face of the plate.
            let features = contact.id.features();
            assert!(matches!((features.a, features.b), (Feature::Face(_), Feature::Vertex(_))), "{features:?}");
        }
    }
}

#[test]
fn stacked_equal_boxes_touch_at_four_corners() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let (manifold, _) = full(&cube, &cube, &at(0.0, 0.0, 1.0), MARGIN);
    assert_points(
        &manifold,
        &[[0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [-0.5, 0.5, 0.5], [-0.5, -0.5, 0.5]],
        EXACT_TOLERANCE,
    );
}

#[test]
fn shifted_boxes_touch_at_the_corners_of_the_common_rectangle() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let (manifold, _) = full(&cube, &cube, &at(0.25, 0.5, 0.999), MARGIN);
    let z = 0.4995;
    assert_points(&manifold, &[[-0.25, 0.0, z], [0.5, 0.0, z], [-0.25, 0.5, z], [0.5, 0.5, z]], EXACT_TOLERANCE);
}

#[test]
fn box_turned_by_45_degrees_touches_in_an_octagon() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let (manifold, _) = full(&cube, &cube, &turned(DVec3::Z, FRAC_PI_4, 0.0, 0.0, 1.002), MARGIN);
    // The sides of the turned square cross those of the other at this distance from their midpoints.
    let (h, t, z) = (0.5, (SQRT_2 - 1.0) / 2.0, 0.501);
    let octagon = [[h, t, z], [h, -t, z], [-h, t, z], [-h, -t, z], [t, h, z], [-t, h, z], [t, -h, z], [-t, -h, z]];
    assert_points(&manifold, &octagon, EXACT_TOLERANCE);
    for contact in manifold.contacts() {
        let features = contact.id.features();
        assert!(matches!((features.a, features.b), (Feature::Edge(_), Feature::Edge(_))), "{features:?}");
    }
}

#[test]
fn box_on_its_edge_touches_at_the_ends_of_the_edge() {
    let (plate, cube) = (cuboid(2.0, 2.0, 0.5), cuboid(0.5, 0.5, 0.5));
    let (manifold, distance) = full(&plate, &cube, &turned(DVec3::X, FRAC_PI_4, 0.1, 0.2, 0.5 + 0.5 * SQRT_2), MARGIN);
    assert!(distance.abs() < EXACT_TOLERANCE);
    assert_points(&manifold, &[[0.6, 0.2, 0.5], [-0.4, 0.2, 0.5]], EXACT_TOLERANCE);
    // The edge extends over the rim: there the contact is where it crosses the rim.
    let (manifold, _) = full(&plate, &cube, &turned(DVec3::X, FRAC_PI_4, 1.8, 0.2, 0.5 + 0.5 * SQRT_2), MARGIN);
    assert_points(&manifold, &[[1.3, 0.2, 0.5], [2.0, 0.2, 0.5]], 2e-4);
}

#[test]
fn box_on_its_corner_touches_there() {
    let (plate, cube) = (cuboid(2.0, 2.0, 0.5), cuboid(0.5, 0.5, 0.5));
    let tip = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
    let pose = Pose::new(tip, DVec3::new(0.1, 0.2, 0.5 + 0.5 * 3f64.sqrt()));
    let (manifold, _) = full(&plate, &cube, &pose, MARGIN);
    assert_points(&manifold, &[[0.1, 0.2, 0.5]], EXACT_TOLERANCE);
}

#[test]
fn crossing_edges_touch_at_the_crossing() {
    let cube = cuboid(0.5, 0.5, 0.5);
    // Edge up along x below, edge down along y above.
    let roof = Pose::new(DQuat::from_axis_angle(DVec3::X, FRAC_PI_4), DVec3::ZERO);
    let keel = turned(DVec3::Y, FRAC_PI_4, 0.2, 0.1, SQRT_2 + 0.002);
    let (mut manifold, distance) = full(&cube, &cube, &roof.inverse().compose(&keel), MARGIN);
    assert!((distance - 0.002).abs() < EXACT_TOLERANCE);
    manifold.transform(&roof);
    assert_points(&manifold, &[[0.2, 0.0, SQRT_2 / 2.0 + 0.001]], EXACT_TOLERANCE);
    assert!(manifold.contacts()[0].normal.distance(DVec3::Z) < EXACT_TOLERANCE);
}

#[test]
fn parallel_edges_touch_along_their_common_stretch() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let roof = Pose::new(DQuat::from_axis_angle(DVec3::X, FRAC_PI_4), DVec3::ZERO);
    let keel = turned(DVec3::X, FRAC_PI_4, 0.2, 0.0, SQRT_2 + 0.002);
    let (mut manifold, _) = full(&cube, &cube, &roof.inverse().compose(&keel), MARGIN);
    manifold.transform(&roof);
    let z = SQRT_2 / 2.0 + 0.001;
    assert_points(&manifold, &[[-0.3, 0.0, z], [0.5, 0.0, z]], 2e-4);
}

#[test]
fn bodies_on_the_ground_stand_on_all_their_lowest_points() {
    let ground = ground();
    let (manifold, _) = full(&ground, &cuboid(0.5, 0.4, 0.3), &at(1.0, 2.0, 0.299), MARGIN);
    let z = -0.0005;
    assert_points(&manifold, &[[1.5, 2.4, z], [1.5, 1.6, z], [0.5, 2.4, z], [0.5, 1.6, z]], EXACT_TOLERANCE);
    // The ground as shape b.
    let below = turned(DVec3::X, 0.0, 0.0, 0.0, -0.3);
    let (manifold, _) = full(&cuboid(0.5, 0.4, 0.3), &ground, &below, MARGIN);
    assert_points(
        &manifold,
        &[[0.5, 0.4, -0.3], [0.5, -0.4, -0.3], [-0.5, 0.4, -0.3], [-0.5, -0.4, -0.3]],
        EXACT_TOLERANCE,
    );
    assert!(manifold.contacts().iter().all(|c| c.normal.distance(DVec3::NEG_Z) < EXACT_TOLERANCE));
    // A corner inside the outline that is lower than the rest is kept as well.
    let bulge: Vec<_> = [[1., 1., 0.], [1., -1., 0.], [-1., 1., 0.], [-1., -1., 0.], [0., 0., -0.005], [0., 0., 1.]]
        .map(DVec3::from)
        .to_vec();
    let (manifold, _) = full(&ground, &hull(&bulge).unwrap(), &at(0.0, 0.0, 0.006), MARGIN);
    assert_eq!(manifold.len(), 5);
    assert!((manifold.distance() - 0.001).abs() < EXACT_TOLERANCE);
}

#[test]
fn round_bodies_touch_in_a_point() {
    let block = cuboid(1.0, 1.0, 1.0);
    for (shape, height) in [(sphere(0.3), 0.3), (ellipsoid(0.4, 0.5, 0.3), 0.3)] {
        for below in [block.clone(), ground()] {
            let top = if below == ground() { 0.0 } else { 1.0 };
            let (manifold, _) = full(&below, &shape, &at(0.2, 0.1, top + height), MARGIN);
            assert_points(&manifold, &[[0.2, 0.1, top]], 1e-6);
        }
    }
}

#[test]
fn lying_capsule_touches_at_two_points() {
    let capsule = capsule(0.1, 0.5);
    let lying = |x: f64, z: f64| turned(DVec3::Y, FRAC_PI_2, x, 0.0, z);
    for (below, top) in [(ground(), 0.0), (cuboid(1.0, 1.0, 1.0), 1.0)] {
        let (manifold, _) = full(&below, &capsule, &lying(0.2, top + 0.1), MARGIN);
        assert_points(&manifold, &[[-0.3, 0.0, top], [0.7, 0.0, top]], EXACT_TOLERANCE);
        let (manifold, _) = full(&below, &capsule, &at(0.2, 0.0, top + 0.6), MARGIN);
        assert_points(&manifold, &[[0.2, 0.0, top]], EXACT_TOLERANCE);
    }
    // Side by side with another capsule, shifted.
    let (manifold, _) = full(&capsule, &capsule, &at(0.201, 0.0, 0.3), MARGIN);
    assert_points(&manifold, &[[0.1005, 0.0, -0.2], [0.1005, 0.0, 0.5]], EXACT_TOLERANCE);
    // Across another capsule.
    let (manifold, _) = full(&capsule, &capsule, &turned(DVec3::X, FRAC_PI_2, 0.2, 0.0, 0.1), MARGIN);
    assert_points(&manifold, &[[0.1, 0.0, 0.1]], EXACT_TOLERANCE);
}

#[test]
fn standing_cylinder_touches_with_its_rim() {
    let h = 0.3 * std::f64::consts::FRAC_1_SQRT_2;
    for (below, top) in [(ground(), 0.0), (cuboid(1.0, 1.0, 1.0), 1.0)] {
        for shape in [cylinder(0.3, 0.5), cone(0.3, 0.5), frustum(0.3, 0.1, 0.5)] {
            let (manifold, _) = full(&below, &shape, &at(0.0, 0.0, top + 0.501), MARGIN);
            let z = top + 0.0005;
            let rim = [
                [0.3, 0.0, z],
                [h, h, z],
                [0.0, 0.3, z],
                [-h, h, z],
                [-0.3, 0.0, z],
                [-h, -h, z],
                [0.0, -0.3, z],
                [h, -h, z],
            ];
            assert_points(&manifold, &rim, 1e-6);
        }
    }
    // Wider than the body on which it stands.
    let (manifold, _) = full(&cuboid(0.1, 0.1, 1.0), &cylinder(0.3, 0.5), &at(0.0, 0.0, 1.5), MARGIN);
    assert_points(&manifold, &[[0.1, 0.1, 1.0], [0.1, -0.1, 1.0], [-0.1, 0.1, 1.0], [-0.1, -0.1, 1.0]], 1e-6);
}

#[test]
fn lying_cylinder_and_cone_touch_along_their_side() {
    for (below, top) in [(ground(), 0.0), (cuboid(2.0, 2.0, 1.0), 1.0)] {
        let lying = turned(DVec3::Y, FRAC_PI_2, 0.2, 0.0, top + 0.3);
        let (manifold, _) = full(&below, &cylinder(0.3, 0.5), &lying, MARGIN);
        assert_points(&manifold, &[[-0.3, 0.0, top], [0.7, 0.0, top]], 1e-6);
        // The side of this cone rises 0.3 over 0.4: rotate it by its slope to lay it flat.
        let slope = libm::atan2(0.3, 0.4);
        let (manifold, _) =
            full(&below, &cone(0.3, 0.2), &turned(DVec3::Y, FRAC_PI_2 + slope, 0.0, 0.0, top + 0.12), MARGIN);
        let [p, q] = [0, 1].map(|i| manifold.contacts()[i].point);
        assert_eq!(manifold.len(), 2);
        assert!((p.distance(q) - 0.5).abs() < 1e-6 && (p.z - top).abs() < 1e-6 && (q.z - top).abs() < 1e-6);
    }
    // Two cylinders side by side.
    let (manifold, _) = full(&cylinder(0.3, 0.5), &cylinder(0.2, 0.5), &at(0.5, 0.0, 0.4), MARGIN);
    assert_points(&manifold, &[[0.3, 0.0, -0.1], [0.3, 0.0, 0.5]], 1e-6);
}

#[test]
fn tilted_cylinder_keeps_its_deepest_point_between_rim_points() {
    // Tilted by one degree towards a direction between two of the numbered points.
    let angle = 1f64.to_radians();
    let towards = DVec3::new(libm::cos(0.39), libm::sin(0.39), 0.0);
    let tilt = DQuat::from_axis_angle(DVec3::Z.cross(towards), angle);
    let height = 0.5 * libm::cos(angle) + 0.3 * libm::sin(angle);
    let (manifold, distance) = full(&ground(), &cylinder(0.3, 0.5), &Pose::new(tilt, DVec3::Z * height), 0.02);
    assert!(distance.abs() < EXACT_TOLERANCE);
    assert!(manifold.len() >= 5, "{}", manifold.len());
    assert!((manifold.distance() - distance).abs() < EXACT_TOLERANCE);
}

#[test]
fn too_far_is_no_contact() {
    let cube = cuboid(0.5, 0.5, 0.5);
    assert!(full(&cube, &cube, &at(0.0, 0.0, 1.02), MARGIN).0.is_empty());
}
