//! Boxes and radii compared with support points and sampled motion.

use std::sync::Arc;

use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Sphere};
use burgess_geometry::{Aabb, Flight, Polyhedron, Pose, Shape};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn vector(range: f64) -> impl Strategy<Value = DVec3> {
    [-range..range, -range..range, -range..range].prop_map(DVec3::from)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(3.0), vector(20.0)).prop_map(|(turn, shift)| Pose::new(DQuat::from_scaled_axis(turn), shift))
}

/// Any convex bounded shape.
fn convex() -> impl Strategy<Value = Shape> {
    let size = || 0.1..2.0f64;
    prop_oneof![
        size().prop_map(|r| Shape::Sphere(Sphere::new(r).unwrap())),
        [size(), size(), size()].prop_map(|h| Shape::Cuboid(Cuboid::new(h.into()).unwrap())),
        [size(), size()].prop_map(|[r, h]| Shape::Capsule(Capsule::new(r, h).unwrap())),
        [size(), size()].prop_map(|[r, h]| Shape::Cylinder(Cylinder::new(r, h).unwrap())),
        [size(), size()].prop_map(|[r, h]| Shape::Cone(Cone::new(r, h).unwrap())),
        [size(), size(), size()].prop_map(|[a, b, h]| Shape::Frustum(Frustum::new(a, b, h).unwrap())),
        [size(), size(), size()].prop_map(|a| Shape::Ellipsoid(Ellipsoid::new(a.into()).unwrap())),
        proptest::collection::vec(vector(1.0), 4..16).prop_filter_map("flat", |points| {
            Polyhedron::hull(&points).ok().map(|p| Shape::Polyhedron(Arc::new(p)))
        }),
    ]
}

proptest! {
    #[test]
    fn boxes_touch_the_support_points(shape in convex(), pose in pose()) {
        let aabb = shape.aabb(&pose);
        for axis in 0..3 {
            let along = DVec3::AXES[axis];
            let reach = |d: DVec3| {
                pose.transform_point(shape.support(pose.inverse_transform_vector(d)).unwrap())[axis]
            };
            prop_assert!((aabb.max[axis] - reach(along)).abs() < 1e-13 * 40.0);
            prop_assert!((aabb.min[axis] - reach(-along)).abs() < 1e-13 * 40.0);
        }
    }

    #[test]
    fn radius_covers_support_points(shape in convex(), about in vector(2.0), direction in vector(1.0)) {
        let radius = shape.bounding_radius(about);
        let reach = shape.support(direction).unwrap().distance(about);
        prop_assert!(reach <= radius * (1.0 + 1e-14));
        // The radius is attained: uphill steps from the given direction find the point, except for the ellipsoid.
        if !matches!(shape, Shape::Ellipsoid(_)) {
            let mut best: f64 = 0.0;
            for start in [direction, DVec3::Z, DVec3::NEG_Z, DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y, -about, DVec3::ONE,
                DVec3::new(1.0, 1.0, -1.0), DVec3::new(1.0, -1.0, 1.0), DVec3::new(-1.0, 1.0, 1.0),
                DVec3::new(-1.0, -1.0, 1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(1.0, -1.0, -1.0), -DVec3::ONE]
            {
                let mut d = start;
                for _ in 0..100 {
                    d = shape.support(d).unwrap() - about;
                }
                best = best.max(d.length());
            }
            if let Shape::Polyhedron(p) = &shape {
                best = p.vertices().iter().map(|v| v.distance(about)).fold(best, f64::max);
            }
            prop_assert!(best >= radius * (1.0 - 1e-3), "{} {}", best, radius);
        }
    }

    #[test]
    fn flights_stay_in_the_swept_box(
        shape in convex(), pose in pose(), center in vector(1.0), velocity in vector(10.0), acceleration in vector(30.0),
        spin in vector(4.0), interval in 0.01..1.0f64,
    ) {
        let flight = Flight { velocity, acceleration, angular_speed: spin.length(), interval };
        let swept = shape.swept_aabb(&pose, center, &flight).inflated(1e-12);
        let home = pose.transform_point(center);
        for i in 0..=20 {
            let t = interval * f64::from(i) / 20.0;
            let rotation = DQuat::from_scaled_axis(spin * t) * pose.rotation;
            let at = home + t * velocity + 0.5 * t * t * acceleration;
            let now = Pose::new(rotation, at - rotation * center);
            prop_assert!(swept.contains(&shape.aabb(&now)));
        }
        // The swept box is never larger than that of the moving bounding ball.
        let ball = Aabb::from_center(home, DVec3::splat(shape.bounding_radius(center)));
        prop_assert!(ball.swept(velocity, acceleration, interval).inflated(1e-12).contains(&swept.inflated(-1e-12)));
    }
}

#[test]
fn ground_is_bounded_above_only() {
    let ground = Shape::HalfSpace(HalfSpace);
    let aabb = ground.aabb(&Pose::from_translation(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!((aabb.min, aabb.max), (DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 3.0)));
    let tilted = Pose::new(DQuat::from_rotation_x(0.1), DVec3::ZERO);
    assert_eq!(ground.aabb(&tilted), Aabb::EVERYWHERE);
    assert!(ground.support(DVec3::Z).is_none());
    let still = Flight { velocity: DVec3::ZERO, acceleration: DVec3::ZERO, angular_speed: 0.0, interval: 1.0 };
    assert_eq!(ground.swept_aabb(&Pose::IDENTITY, DVec3::ZERO, &still).max.z, 0.0);
}
