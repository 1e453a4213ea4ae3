//! Closest points of features, proven by the optimality condition of convex sets: with `w = on_b - on_a`, no point of
//! feature a is farther along `w` than `on_a`, and no point of feature b is farther back than `on_b`.

use burgess_collision::narrow_phase::{closest_points_of_features, lies_in_voronoi_region};
use burgess_geometry::{Feature, Polyhedron, Pose, RelativePose};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn features(polyhedron: &Polyhedron) -> Vec<Feature> {
    let count = |n: usize| 0..n as u32;
    count(polyhedron.vertices().len())
        .map(Feature::Vertex)
        .chain(count(polyhedron.edges().len()).map(Feature::Edge))
        .chain(count(polyhedron.faces().len()).map(Feature::Face))
        .collect()
}

fn corners(polyhedron: &Polyhedron, feature: Feature) -> Vec<DVec3> {
    match feature {
        Feature::Vertex(v) => vec![polyhedron.vertices()[v as usize]],
        Feature::Edge(e) => vec![polyhedron.edge_points(e).0, polyhedron.edge_points(e).1],
        Feature::Face(f) => polyhedron.sides(f).iter().map(|s| polyhedron.vertices()[s.vertex as usize]).collect(),
    }
}

/// Returns the distance of a point from the feature.
fn off_feature(polyhedron: &Polyhedron, feature: Feature, point: DVec3) -> f64 {
    let corners = corners(polyhedron, feature);
    match feature {
        Feature::Vertex(_) => point.distance(corners[0]),
        Feature::Edge(_) => point.distance(corners[0]) + point.distance(corners[1]) - corners[0].distance(corners[1]),
        Feature::Face(f) => polyhedron
            .sides(f)
            .iter()
            .map(|s| s.plane.distance(point))
            .fold(polyhedron.faces()[f as usize].plane.distance(point).abs(), f64::max),
    }
}

fn check_all(a: &Polyhedron, b: &Polyhedron, pose_b: &Pose, tolerance: f64) {
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose_b);
    for feature_a in features(a) {
        for feature_b in features(b) {
            let (on_a, on_b) = closest_points_of_features(a, feature_a, b, feature_b, &b_in_a);
            assert!(off_feature(a, feature_a, on_a) <= tolerance, "{feature_a:?} {feature_b:?}: not on a");
            assert!(
                off_feature(b, feature_b, b_in_a.a_to_b(on_b)) <= tolerance,
                "{feature_a:?} {feature_b:?}: not on b"
            );
            let w = on_b - on_a;
            // Distances that are equal up to rounding may belong to points that differ by the root of that, hence the
            // wide tolerances.
            for corner in corners(a, feature_a) {
                assert!(w.dot(corner - on_a) <= tolerance * (w.length() + tolerance), "{feature_a:?} {feature_b:?}");
            }
            for corner in corners(b, feature_b) {
                let corner = b_in_a.b_to_a(corner);
                assert!(w.dot(corner - on_b) >= -tolerance * (w.length() + tolerance), "{feature_a:?} {feature_b:?}");
            }
        }
    }
}

fn hull(seed: &[[f64; 3]]) -> Option<Polyhedron> {
    Polyhedron::hull(&seed.iter().map(|&p| DVec3::from(p)).collect::<Vec<_>>()).ok()
}

fn vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-1.0..1.0f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_features_are_closest_at_these_points(
        first in prop::collection::vec(vector(), 4..9),
        second in prop::collection::vec(vector(), 4..9),
        turn in vector(), shift in vector(), reach in 0.0..3.0f64,
    ) {
        let (Some(a), Some(b)) = (hull(&first), hull(&second)) else { return Ok(()) };
        let pose = Pose::new(DQuat::from_scaled_axis(3.0 * DVec3::from(turn)), reach * DVec3::from(shift));
        check_all(&a, &b, &pose, 1e-7);
    }

    /// Rotations by zero, quarter turns, or almost zero: parallel edges and faces everywhere.
    #[test]
    fn parallel_features_are_closest_at_these_points(
        turn in prop::sample::select(vec![0.0, 1e-12, 1e-9, 1e-7, 1e-5, std::f64::consts::FRAC_PI_2]),
        axis in prop::sample::select(vec![DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, 0.8)]),
        shift in prop::array::uniform3(prop::sample::select(vec![-2.5, -2.0, -1.0, 0.0, 0.3, 1.0, 2.0, 2.0001])),
    ) {
        let a = Polyhedron::cuboid(DVec3::ONE).unwrap();
        let b = Polyhedron::cuboid(DVec3::new(1.0, 0.5, 1.0)).unwrap();
        check_all(&a, &b, &Pose::new(DQuat::from_axis_angle(axis, turn), DVec3::from(shift)), 1e-5);
    }
}

#[test]
fn parallel_faces_answer_from_the_middle_of_their_overlap() {
    let cube = Polyhedron::cuboid(DVec3::ONE).unwrap();
    let b_in_a = RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(1.0, 0.5, 2.25)));
    let face = |normal: DVec3| {
        Feature::Face(cube.faces().iter().position(|f| f.plane.normal.dot(normal) > 0.9).unwrap() as u32)
    };
    let (on_a, on_b) = closest_points_of_features(&cube, face(DVec3::Z), &cube, face(-DVec3::Z), &b_in_a);
    assert!(on_a.distance(DVec3::new(0.5, 0.25, 1.0)) < 1e-12, "{on_a}");
    assert!(on_b.distance(DVec3::new(0.5, 0.25, 1.25)) < 1e-12, "{on_b}");
}

#[test]
fn voronoi_regions_of_a_cube_are_what_they_should_be() {
    let cube = Polyhedron::cuboid(DVec3::ONE).unwrap();
    let in_region_of = |point: DVec3, tolerance: f64| -> Vec<Feature> {
        features(&cube).into_iter().filter(|&f| lies_in_voronoi_region(&cube, f, point, tolerance)).collect()
    };
    assert!(matches!(in_region_of(DVec3::new(0.2, 0.3, 1.5), 0.0)[..], [Feature::Face(_)]));
    assert!(matches!(in_region_of(DVec3::new(0.2, 1.3, 1.5), 0.0)[..], [Feature::Edge(_)]));
    assert!(matches!(in_region_of(DVec3::new(-2.0, 1.3, 1.5), 0.0)[..], [Feature::Vertex(_)]));
    // On the border within a tolerance, and inside the body nowhere.
    assert_eq!(in_region_of(DVec3::new(0.2, 1.01, 1.5), 0.02).len(), 2);
    assert_eq!(in_region_of(DVec3::new(0.2, 0.1, 0.9), 0.05).len(), 0);
}
