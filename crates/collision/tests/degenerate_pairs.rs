//! Coincident centres, points on axes, crossing and parallel segments: results must be correct, with unit normals, and
//! always the same.

use crate::slab_oracle::{KINDS, certify, certify_points, random_shape, size};
use burgess_collision::narrow_phase::{
    NarrowScratch, PairCache, Proximity, closest, nearest_on_cuboid, nearest_on_ellipsoid, nearest_on_frustum,
};
use burgess_geometry::shape::{Capsule, Cuboid, Frustum, Sphere};
use burgess_geometry::{Pose, RelativePose, Shape};
use glam::{DQuat, DVec3};
use rand::SeedableRng;
use rand_pcg::Pcg64;

fn query(a: &Shape, b: &Shape, pose_b: &Pose) -> Proximity {
    closest(a, &Pose::IDENTITY, b, pose_b, &mut PairCache::default(), &mut NarrowScratch::default()).unwrap().proximity
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn capsule(radius: f64, half_length: f64) -> Shape {
    Shape::Capsule(Capsule::new(radius, half_length).unwrap())
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(x, y, z)).unwrap())
}

#[track_caller]
fn check(a: &Shape, b: &Shape, pose_b: &Pose) -> Proximity {
    let found = query(a, b, pose_b);
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose_b);
    let mut rng = Pcg64::seed_from_u64(1);
    certify(a, b, &b_in_a, &found, 1e-9 * size(a).max(size(b)), &mut rng).unwrap();
    found
}

#[test]
fn concentric_spheres_separate_along_z() {
    let found = check(&sphere(1.0), &sphere(2.0), &Pose::IDENTITY);
    assert_eq!(found.distance, -3.0);
    assert_eq!(found.normal, DVec3::Z);
}

#[test]
fn a_sphere_on_the_axis_of_a_capsule_leaves_across() {
    for z in [0.0, 0.7, -1.0, 1.0] {
        let found = check(&sphere(0.1), &capsule(0.5, 1.0), &Pose::from_translation(DVec3::new(0.0, 0.0, z)));
        assert!((found.distance + 0.6).abs() < 1e-15 && found.normal.z == 0.0, "{found:?}");
    }
}

#[test]
fn a_sphere_in_the_middle_of_a_cube_takes_the_first_face() {
    let found = check(&sphere(0.1), &cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY);
    assert_eq!((found.distance, found.normal), (-1.1, DVec3::NEG_X));
}

#[test]
fn a_point_on_a_face_an_edge_or_a_corner_of_a_box_is_at_distance_zero() {
    let h = DVec3::new(1.0, 2.0, 3.0);
    for point in [DVec3::new(1.0, 0.5, 0.5), DVec3::new(1.0, -2.0, 0.0), DVec3::new(-1.0, 2.0, -3.0)] {
        let nearest = nearest_on_cuboid(h, point);
        assert_eq!((nearest.distance, nearest.point), (0.0, point));
        assert_eq!(nearest.normal.length(), 1.0);
    }
}

#[test]
fn a_point_on_the_axis_of_a_cone_has_a_normal() {
    let cone = Frustum { bottom_radius: 1.0, top_radius: 0.0, half_length: 1.0 };
    let tip = nearest_on_frustum(&cone, DVec3::new(0.0, 0.0, 1.0));
    assert_eq!((tip.distance, tip.point), (0.0, DVec3::Z));
    let above = nearest_on_frustum(&cone, DVec3::new(0.0, 0.0, 2.5));
    assert_eq!((above.distance, above.normal, above.point), (1.5, DVec3::Z, DVec3::Z));
    let inside = nearest_on_frustum(&cone, DVec3::new(0.0, 0.0, 0.0));
    // The distance of the side is 1 / sqrt(5) times the height below the tip.
    assert!((inside.distance + 1.0 / 5.0_f64.sqrt()).abs() < 1e-15 && inside.normal.x > 0.0);
}

#[test]
fn a_point_in_the_middle_of_an_ellipsoid_takes_the_shortest_axis() {
    let axes = DVec3::new(3.0, 1.0, 2.0);
    let nearest = nearest_on_ellipsoid(axes, DVec3::ZERO);
    assert_eq!((nearest.distance, nearest.normal, nearest.point), (-1.0, DVec3::Y, DVec3::Y));
    // In the plane perpendicular to the shortest axis, inside the focal ellipse: (x, y) with x = r^2 x0 / (r^2 - 1).
    let nearest = nearest_on_ellipsoid(axes, DVec3::new(0.8, 0.0, 0.0));
    let x = 9.0 * 0.8 / 8.0;
    assert!((nearest.point - DVec3::new(x, (1.0 - x * x / 9.0_f64).sqrt(), 0.0)).length() < 1e-15);
    // Outside it, the normal is radial.
    let nearest = nearest_on_ellipsoid(axes, DVec3::new(2.9, 0.0, 0.0));
    assert!((nearest.distance + 0.1).abs() < 1e-15 && nearest.normal == DVec3::X);
    // Slightly off the plane the result must not jump, except to the other side.
    let nearest = nearest_on_ellipsoid(axes, DVec3::new(0.8, -1e-300, 0.0));
    assert!((nearest.point - DVec3::new(x, -(1.0 - x * x / 9.0_f64).sqrt(), 0.0)).length() < 1e-14);
}

#[test]
fn crossing_capsules_separate_perpendicular_to_both() {
    let turned = Pose::new(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2), DVec3::new(0.0, 0.3, 0.2));
    let found = check(&capsule(0.5, 1.0), &capsule(0.25, 1.0), &turned);
    assert!((found.distance + 0.75).abs() < 1e-15 && found.normal.x.abs() > 1.0 - 1e-15, "{found:?}");
}

#[test]
fn parallel_capsules_touch_in_the_middle_of_their_overlap() {
    let found = check(&capsule(0.5, 1.0), &capsule(0.5, 1.0), &Pose::from_translation(DVec3::new(2.0, 0.0, 1.0)));
    assert_eq!((found.distance, found.normal), (1.0, DVec3::X));
    assert_eq!(found.point_a, DVec3::new(0.5, 0.0, 0.5));
    // Anti-parallel, one inside the other, and end to end.
    let flipped = DQuat::from_rotation_x(std::f64::consts::PI);
    check(&capsule(0.5, 1.0), &capsule(0.25, 1.0), &Pose::new(flipped, DVec3::ZERO));
    check(&capsule(0.5, 1.0), &capsule(0.25, 1.0), &Pose::IDENTITY);
    let found = check(&capsule(0.5, 1.0), &capsule(0.5, 1.0), &Pose::from_translation(DVec3::new(0.0, 0.0, 3.0)));
    assert_eq!((found.distance, found.normal), (0.0, DVec3::Z));
}

#[test]
fn nearly_parallel_capsules_keep_their_precision() {
    for exponent in 4..16 {
        let angle = libm::pow(10.0, -f64::from(exponent));
        for y in [0.0, 1e-9, 0.3, 0.9, 2.0] {
            for z in [0.0, 0.5, 1.9] {
                let pose = Pose::new(DQuat::from_rotation_y(angle), DVec3::new(angle * 0.3, y, z));
                let (a, b) = (capsule(0.5, 1.0), capsule(0.25, 1.0));
                let found = query(&a, &b, &pose);
                let b_in_a = RelativePose::new(&Pose::IDENTITY, &pose);
                certify(&a, &b, &b_in_a, &found, 1e-12, &mut Pcg64::seed_from_u64(1)).unwrap();
            }
        }
    }
}

#[test]
fn a_capsule_through_a_box_leaves_the_shortest_way() {
    let upright = cuboid(1.0, 2.0, 3.0);
    let found = check(&upright, &capsule(0.1, 10.0), &Pose::from_translation(DVec3::new(0.2, 0.0, 0.0)));
    assert!((found.distance + 0.9).abs() < 1e-15 && found.normal == DVec3::X);
    // Lying on the face, along it, and over its edge.
    let lying = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let found = check(&upright, &capsule(0.5, 0.25), &Pose::new(lying, DVec3::new(0.0, 0.0, 3.5)));
    assert!(found.distance.abs() < 1e-15 && (found.normal - DVec3::Z).length() < 1e-15);
    check(&upright, &capsule(0.5, 1.0), &Pose::new(lying, DVec3::new(1.0, 2.0, 3.0)));
    check(&upright, &capsule(0.5, 5.0), &Pose::new(lying, DVec3::new(1.0, 0.0, 2.9)));
    for angle in [0.1, 0.5, 0.7, 1e-3, 1e-8, 1e-12] {
        let turned = DQuat::from_rotation_y(angle) * DQuat::from_rotation_x(0.3 * angle);
        check(&upright, &capsule(0.5, 2.0), &Pose::new(turned, DVec3::new(0.9, 1.8, 2.0)));
        check(&upright, &capsule(0.5, 2.0), &Pose::new(turned, DVec3::new(0.1, 0.2, 0.3)));
        check(&upright, &capsule(0.5, 2.0), &Pose::new(turned, DVec3::new(1.0, 0.0, 0.0)));
    }
}

#[test]
fn every_kind_centred_in_every_kind_has_a_depth() {
    let mut rng = Pcg64::seed_from_u64(7);
    let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    for a in KINDS {
        for b in KINDS {
            let (a, b) = (random_shape(a, 1.0, &mut rng), random_shape(b, 1.0, &mut rng));
            for pose in [Pose::IDENTITY, Pose::new(quarter, DVec3::ZERO), Pose::from_translation(DVec3::X)] {
                let found = query(&a, &b, &pose);
                let b_in_a = RelativePose::new(&Pose::IDENTITY, &pose);
                let size = size(&a).max(size(&b));
                // Where all directions around an axis are nearly as good as the best, the depth converges long before
                // the direction, and the points are as accurate as the direction.
                certify_points(&a, &b, &b_in_a, &found, 1e-9 * size, 1e-4 * size, &mut rng).unwrap();
                assert_eq!(found, query(&a, &b, &pose), "a second query gives the same result");
            }
        }
    }
}
