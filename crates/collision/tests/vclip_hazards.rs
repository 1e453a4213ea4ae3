//! Conditions that make V-Clip loop or fail (Fontijne 2000, section 2.8), each separately.

use burgess_collision::narrow_phase::FeaturePair;
use burgess_collision::narrow_phase::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use burgess_geometry::{Feature, Polyhedron, Pose, RelativePose};
use glam::{DQuat, DVec3};

fn cube() -> Polyhedron {
    Polyhedron::cuboid(DVec3::splat(0.5)).unwrap()
}

fn query(a: &Polyhedron, b: &Polyhedron, pose: &Pose, start: FeaturePair) -> (VclipOutcome, VclipStatistics) {
    let (mut features, mut statistics) = (start, VclipStatistics::default());
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose);
    (closest_polyhedron_polyhedron(a, b, &b_in_a, &mut features, &mut statistics), statistics)
}

fn distance(outcome: VclipOutcome) -> f64 {
    match outcome {
        VclipOutcome::Separated(proximity) => proximity.distance,
        VclipOutcome::Penetrating => -1.0,
    }
}

fn all_features(body: &Polyhedron) -> Vec<Feature> {
    let vertices = (0..body.vertices().len() as u32).map(Feature::Vertex);
    let edges = (0..body.edges().len() as u32).map(Feature::Edge);
    vertices.chain(edges).chain((0..body.faces().len() as u32).map(Feature::Face)).collect()
}

#[test]
fn parallel_faces_need_no_fallback_from_any_start() {
    // A cube over a cube, shifted and rotated about the common normal: every slope of the upper one is rounding.
    let cube = cube();
    for step in 0..40 {
        let turn = DQuat::from_rotation_z(0.1 * step as f64);
        let pose = Pose::new(turn, DVec3::new(0.013 * step as f64, 0.2, 1.25));
        for a in all_features(&cube) {
            for b in all_features(&cube) {
                let (outcome, statistics) = query(&cube, &cube, &pose, FeaturePair { a, b });
                assert!((distance(outcome) - 0.25).abs() < 1e-14, "{a:?} {b:?}");
                assert_eq!(statistics.fallbacks, 0, "{a:?} {b:?} at step {step}");
            }
        }
    }
}

#[test]
fn coplanar_triangles_given_as_faces_become_one_face() {
    let corners: Vec<DVec3> = cube().vertices().to_vec();
    let triangles: Vec<Vec<u32>> = (0..6)
        .flat_map(|f| {
            let cube = cube();
            let v: Vec<u32> = cube.sides(f).iter().map(|side| side.vertex).collect();
            [vec![v[0], v[1], v[2]], vec![v[0], v[2], v[3]]]
        })
        .collect();
    let merged = Polyhedron::from_faces(&corners, &triangles).unwrap();
    assert_eq!((merged.edges().len(), merged.faces().len()), (12, 6));
}

#[test]
fn a_quaternion_that_drifted_from_unit_length_changes_nothing() {
    let cube = cube();
    let turn = DQuat::from_scaled_axis(DVec3::new(0.4, -0.3, 0.9));
    let exact = query(&cube, &cube, &Pose::new(turn, DVec3::new(1.4, 0.7, 0.9)), FeaturePair::default()).0;
    for drift in [0.9, 1.0 + 1e-9, 1.1, 3.0] {
        let pose = Pose::new(turn * drift, DVec3::new(1.4, 0.7, 0.9));
        let drifted = query(&cube, &cube, &pose, FeaturePair::default()).0;
        assert!((distance(drifted) - distance(exact)).abs() < 1e-14);
    }
}

#[test]
fn deep_penetration_is_found_from_every_start() {
    let cube = cube();
    let inner = Polyhedron::cuboid(DVec3::new(0.1, 0.2, 0.05)).unwrap();
    let pose = Pose::new(DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.1)), DVec3::new(0.05, -0.1, 0.2));
    for (other, pose) in [(&inner, pose), (&cube, Pose::IDENTITY), (&cube, pose)] {
        for a in all_features(&cube) {
            for b in all_features(other) {
                let (outcome, _) = query(&cube, other, &pose, FeaturePair { a, b });
                assert_eq!(outcome, VclipOutcome::Penetrating, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_vertex_below_the_wrong_face_escapes() {
    // Start on the far sides: every vertex is below the face it starts with.
    let cube = cube();
    let pose = Pose::from_translation(DVec3::new(0.1, 0.2, 5.0));
    for v in 0..8 {
        let start = FeaturePair { a: Feature::Face(4), b: Feature::Vertex(v) };
        let (outcome, statistics) = query(&cube, &cube, &pose, start);
        assert!((distance(outcome) - 4.0).abs() < 1e-14);
        assert_eq!(statistics.fallbacks, 0);
    }
}

#[test]
fn stale_features_of_another_body_do_no_harm() {
    let cube = cube();
    let pose = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0));
    let start = FeaturePair { a: Feature::Edge(4711), b: Feature::Face(u32::MAX) };
    assert!((distance(query(&cube, &cube, &pose, start).0) - 2.0).abs() < 1e-15);
}

#[test]
fn poses_that_are_not_numbers_end_too() {
    let cube = cube();
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300] {
        let pose = Pose::from_translation(DVec3::new(bad, 0.0, 1.0));
        let _ = query(&cube, &cube, &pose, FeaturePair::default());
        let pose = Pose::new(DQuat::from_xyzw(bad, 0.0, 0.0, 1.0), DVec3::ONE);
        let _ = query(&cube, &cube, &pose, FeaturePair::default());
        let pose = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ONE);
        let _ = query(&cube, &cube, &pose, FeaturePair::default());
    }
}
