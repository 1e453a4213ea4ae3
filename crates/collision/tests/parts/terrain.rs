//! Shapes on terrain.

use burgess_collision::contact_analysis::SupportPoints;
use burgess_collision::contact_determination::Contact;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use glam::{DQuat, DVec2, DVec3};
use proptest::prelude::*;

use super::setup::*;

/// Returns the support points of all contacts.
fn reduced(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, up: DVec3) -> (Vec<Contact>, Vec<Contact>) {
    let all: Vec<Contact> = contacts(a, pose_a, b, pose_b).iter().map(|part| part.contact).collect();
    let kept = SupportPoints::default().find(&all, up, 8).iter().map(|&i| all[i as usize]).collect();
    (all, kept)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_box_rests_on_a_slope(
        slope in (-0.6..0.6f64, -0.6..0.6f64),
        place in (-1.0..1.0f64, -1.0..1.0f64),
        turn in 0.0..6.3f64,
        gap in prop_oneof![Just(0.0), -0.005..0.005f64, -1e-9..1e-9f64],
        flat: bool,
        world_turn in 0.0..6.3f64,
    ) {
        let slope = if flat { DVec2::ZERO } else { DVec2::from(slope) };
        let field = terrain(|x, y| slope.dot(DVec2::new(x, y)));
        let up = DVec3::new(-slope.x, -slope.y, 1.0).normalize();
        let half = DVec3::new(0.4, 0.25, 0.3);
        let body = cuboid(half.x, half.y, half.z);
        let rotation = DQuat::from_rotation_arc(DVec3::Z, up) * DQuat::from_rotation_z(turn);
        let foot = DVec3::new(place.0, place.1, slope.dot(DVec2::from(place)));
        let local = Pose::new(rotation, foot + (half.z + gap) * up);
        let world = Pose::new(DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), world_turn), DVec3::new(1.0, 2.0, 3.0));
        let pose = world.compose(&local);
        let up = world.transform_vector(up);

        let (all, kept) = reduced(&field, &world, &body, &pose, up);
        for c in &all {
            prop_assert!((c.normal - up).length() < 1e-7, "{c:?}");
            prop_assert!((c.distance - gap).abs() < 1e-7, "{c:?}");
            // On the lower face of the box.
            let p = pose.inverse_transform_point(c.point_b);
            prop_assert!((p.z + half.z).abs() < 1e-7 && (p.abs() - half).max_element() < 1e-4, "{p}");
        }
        prop_assert!(kept.len() >= 4, "{kept:?}");
        let points: Vec<DVec3> = kept.iter().map(|c| c.point).collect();
        prop_assert!(supports(&points, pose.translation, up), "{points:?}");
        // All four corners of the box are there.
        for corner in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let corner = pose.transform_point(half * DVec3::new(corner.0, corner.1, -1.0));
            prop_assert!(kept.iter().any(|c| c.point_b.distance(corner) < 1e-3), "{corner} {kept:?}");
        }

        // With the roles exchanged: the same support points, though rounding may change points between triangles.
        let (back, kept_back) = reduced(&body, &pose, &field, &world, up);
        prop_assert!(kept_back.len() >= 4);
        for c in &kept {
            prop_assert!(kept_back.iter().any(|d| d.point.distance(c.point) < 1e-3), "{c:?} {kept_back:?}");
        }
        for c in &back {
            prop_assert!((c.normal + up).length() < 1e-7 && (c.distance - gap).abs() < 1e-7);
        }
    }

    #[test]
    fn a_ball_on_the_edge_between_triangles_feels_no_wall(x in -1.0..1.0f64, y in -1.0..1.0f64, depth in -0.005..0.05f64) {
        let field = terrain(|_, _| 0.0);
        let ball = Shape::Sphere(Sphere::new(0.2).unwrap());
        let pose = Pose::from_translation(DVec3::new(x, y, 0.2 - depth));
        let found = contacts(&field, &Pose::IDENTITY, &ball, &pose);
        prop_assert!(!found.is_empty());
        for part in &found {
            prop_assert!((part.contact.normal - DVec3::Z).length() < 1e-9, "{part:?}");
            prop_assert!((part.contact.distance + depth).abs() < 1e-9, "{part:?}");
        }
    }
}

#[test]
fn a_tube_stands_on_flat_terrain_as_on_a_half_space() {
    let pipe = tube(0.5, 0.4, 1.0, 12);
    let pose = Pose::from_translation(DVec3::new(0.1, 0.2, 0.499));
    let (all, kept) = reduced(&terrain(|_, _| 0.0), &Pose::IDENTITY, &pipe, &pose, DVec3::Z);
    assert!(all.iter().all(|c| (c.distance + 0.001).abs() < 1e-9 && (c.normal - DVec3::Z).length() < 1e-9));
    let points: Vec<DVec3> = kept.iter().map(|c| c.point).collect();
    assert!(kept.len() == 8 && supports(&points, pose.translation, DVec3::Z));
    assert!(points.iter().all(|p| (p - pose.translation).truncate().length() > 0.45));
}

#[test]
fn a_box_bridges_a_valley() {
    // A ridge on both sides, along y.
    let field = terrain(|x, _| if (x.abs() - 0.6).abs() < 1e-9 { 0.0 } else { -0.5 });
    let body = cuboid(1.0, 0.2, 0.1);
    let pose = Pose::from_translation(DVec3::new(0.0, 0.05, 0.099));
    let (all, kept) = reduced(&field, &Pose::IDENTITY, &body, &pose, DVec3::Z);
    for c in &all {
        assert!((c.normal - DVec3::Z).length() < 1e-9 && (c.distance + 0.001).abs() < 1e-9, "{c:?}");
        assert!((c.point.x.abs() - 0.6).abs() < 1e-2, "{c:?}");
    }
    let points: Vec<DVec3> = kept.iter().map(|c| c.point).collect();
    assert!(kept.len() >= 4 && supports(&points, pose.translation, DVec3::Z), "{points:?}");
}
