//! Mass properties compared with closed forms and tessellations, and their covariance under transforms.

use std::f64::consts::PI;
use std::sync::Arc;

use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Sphere};
use burgess_geometry::{GeometryError, MassProperties, Polyhedron, Pose, Shape};
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

/// Returns the largest difference of two inertias, relative to the largest entry.
fn inertia_difference(a: &DMat3, b: &DMat3) -> f64 {
    let largest = |m: &DMat3| m.to_cols_array().iter().fold(0.0, |l: f64, x| l.max(x.abs()));
    largest(&(*a - *b)) / largest(a).max(largest(b))
}

/// Returns the surface of revolution of a profile of (radius, z) points, from bottom to top, with `sides` sides.
fn revolve(profile: &[(f64, f64)], sides: usize) -> Vec<[DVec3; 3]> {
    let point = |(r, z): (f64, f64), i: usize| {
        let (s, c) = libm::sincos(2.0 * PI * i as f64 / sides as f64);
        DVec3::new(r * c, r * s, z)
    };
    let mut triangles = Vec::new();
    for pair in profile.windows(2) {
        for i in 0..sides {
            let (a, b) = (point(pair[0], i), point(pair[0], i + 1));
            let (c, d) = (point(pair[1], i), point(pair[1], i + 1));
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    triangles
}

/// Returns the mass properties that finer and finer tessellations converge to. Their error is of order 1/n^2, so two of
/// them suffice to extrapolate.
fn limit(tessellate: impl Fn(usize) -> Vec<[DVec3; 3]>) -> MassProperties {
    let of = |n| MassProperties::of_surface(tessellate(n).into_iter(), 700.0).unwrap();
    let (coarse, fine) = (of(128), of(256));
    let mix = |a: f64, b: f64| (4.0 * b - a) / 3.0;
    MassProperties {
        mass: mix(coarse.mass, fine.mass),
        center_of_mass: (4.0 * fine.center_of_mass - coarse.center_of_mass) / 3.0,
        inertia: (4.0 * fine.inertia - coarse.inertia) * (1.0 / 3.0),
    }
}

/// Returns an arc of the unit circle from `-pi/2 + from` to `-pi/2 + to`, scaled and raised.
fn arc(from: f64, to: f64, steps: usize, radius: f64, lift: f64) -> Vec<(f64, f64)> {
    (0..=steps)
        .map(|i| {
            let (s, c) = libm::sincos(-PI / 2.0 + from + (to - from) * i as f64 / steps as f64);
            (radius * c.max(0.0), radius * s + lift)
        })
        .collect()
}

#[test]
fn closed_forms_are_the_limits_of_tessellations() {
    let (r, h) = (0.4, 0.7);
    let ellipsoid = |n: usize| {
        let stretch = DVec3::new(0.3, 0.8, 1.3);
        revolve(&arc(0.0, PI, n / 2, 1.0, 0.0), n).into_iter().map(|t| t.map(|p| p * stretch)).collect()
    };
    let capsule = |n: usize| {
        let mut profile = arc(0.0, PI / 2.0, n / 4, r, -h);
        profile.extend(arc(PI / 2.0, PI, n / 4, r, h));
        revolve(&profile, n)
    };
    let frustum = |a: f64, b: f64| move |n: usize| revolve(&[(0.0, -h), (a, -h), (b, h), (0.0, h)], n);
    let cases: Vec<(Shape, MassProperties)> = vec![
        (Shape::Sphere(Sphere::new(r).unwrap()), limit(|n| revolve(&arc(0.0, PI, n / 2, r, 0.0), n))),
        (Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.3, 0.8, 1.3)).unwrap()), limit(ellipsoid)),
        (Shape::Capsule(Capsule::new(r, h).unwrap()), limit(capsule)),
        (Shape::Cylinder(Cylinder::new(r, h).unwrap()), limit(frustum(r, r))),
        (Shape::Cone(Cone::new(r, h).unwrap()), limit(frustum(r, 0.0))),
        (Shape::Frustum(Frustum::new(r, 0.9, h).unwrap()), limit(frustum(r, 0.9))),
    ];
    for (shape, expected) in cases {
        let found = shape.mass_properties(700.0).unwrap();
        // The error that extrapolation leaves is of order (2 pi / 128)^4 / 10, below 1e-6.
        assert!((found.mass / expected.mass - 1.0).abs() < 1e-6, "{shape:?}: {found:?} {expected:?}");
        assert!(found.center_of_mass.distance(expected.center_of_mass) < 1e-6, "{shape:?}: {found:?} {expected:?}");
        assert!(inertia_difference(&found.inertia, &expected.inertia) < 1e-6, "{shape:?}: {found:?} {expected:?}");
    }
}

#[test]
fn corner_tetrahedron_is_exact() {
    // The tetrahedron x, y, z >= 0, x + y + z <= 1 has volume 1/6 and centre 1/4; its products of inertia follow from
    // the Dirichlet integrals.
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let tetrahedron = Polyhedron::hull(&corners).unwrap();
    let found = tetrahedron.mass_properties(6.0).unwrap();
    assert!((found.mass - 1.0).abs() < 1e-15);
    assert!(found.center_of_mass.distance(DVec3::splat(0.25)) < 1e-15);
    // <x^2> = 1/10 and <x y> = 1/20 about the corner; about the centre of mass, each is 1/16 less.
    let (variance, covariance) = (0.1 - 0.0625, 0.05 - 0.0625);
    let (d, o) = (2.0 * variance, -covariance);
    let expected = DMat3::from_cols(DVec3::new(d, o, o), DVec3::new(o, d, o), DVec3::new(o, o, d));
    assert!(inertia_difference(&found.inertia, &expected) < 1e-14, "{found:?}");
}

#[test]
fn box_far_from_the_origin_loses_nothing() {
    let half = DVec3::new(0.5, 1.0, 0.25);
    let offset = DVec3::new(1048576.0, -524288.0, 262144.0);
    let corners: Vec<DVec3> = Polyhedron::cuboid(half).unwrap().vertices().iter().map(|&v| v + offset).collect();
    let far = Polyhedron::hull(&corners).unwrap().mass_properties(2.0).unwrap();
    let near = Shape::Cuboid(Cuboid::new(half).unwrap()).mass_properties(2.0).unwrap();
    assert!((far.mass / near.mass - 1.0).abs() < 1e-14);
    assert_eq!(far.center_of_mass, offset);
    assert!(inertia_difference(&far.inertia, &near.inertia) < 1e-13);
}

#[test]
fn shapes_without_mass_return_an_error() {
    let ground = Shape::HalfSpace(HalfSpace);
    assert!(matches!(ground.mass_properties(1.0), Err(GeometryError::NoMass { .. })));
    let ball = Shape::Sphere(Sphere::new(1.0).unwrap());
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(ball.mass_properties(density), Err(GeometryError::NotPositive { .. })));
    }
    let speck = Shape::Sphere(Sphere::new(1e-80).unwrap());
    assert!(matches!(speck.mass_properties(1.0), Err(GeometryError::MassOutOfRange { .. })));
    let giant = Shape::Sphere(Sphere::new(1e90).unwrap());
    assert!(matches!(giant.mass_properties(1.0), Err(GeometryError::MassOutOfRange { .. })));
}

#[test]
fn diagonal_inertia_keeps_its_axes() {
    let brick = Shape::Cuboid(Cuboid::new(DVec3::new(3.0, 1.0, 2.0)).unwrap()).mass_properties(1.0).unwrap();
    assert_eq!(brick.body_frame(), Pose::IDENTITY);
    assert_eq!(brick.principal_axes().0, DVec3::new(80.0, 208.0, 160.0));
}

fn vector(range: f64) -> impl Strategy<Value = DVec3> {
    [-range..range, -range..range, -range..range].prop_map(DVec3::from)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(3.0), vector(20.0)).prop_map(|(turn, shift)| Pose::new(DQuat::from_scaled_axis(turn), shift))
}

/// Hull of a few points; nearly flat ones are rejected.
fn hull() -> impl Strategy<Value = Polyhedron> {
    proptest::collection::vec(vector(1.0), 4..24).prop_filter_map("flat", |points| Polyhedron::hull(&points).ok())
}

proptest! {
    #[test]
    fn moving_the_body_moves_its_mass(body in hull(), pose in pose()) {
        let moved: Vec<DVec3> = body.vertices().iter().map(|&v| pose.transform_point(v)).collect();
        let direct = Polyhedron::hull(&moved).unwrap().mass_properties(3.0).unwrap();
        let carried = body.mass_properties(3.0).unwrap().transformed(&pose);
        // Coordinates of size 35 are rounded to 1e-14, which matters in a thin body.
        let thickness = carried.mass.min(1.0);
        prop_assert!((direct.mass / carried.mass - 1.0).abs() < 1e-12 / thickness);
        prop_assert!(direct.center_of_mass.distance(carried.center_of_mass) < 1e-12 / thickness);
        prop_assert!(inertia_difference(&direct.inertia, &carried.inertia) < 1e-12 / thickness);
    }

    #[test]
    fn principal_axes_rebuild_the_inertia(body in hull()) {
        let properties = body.mass_properties(1.0).unwrap();
        let (moments, rotation) = properties.principal_axes();
        let r = DMat3::from_quat(rotation);
        let rebuilt = r * DMat3::from_diagonal(moments) * r.transpose();
        prop_assert!(inertia_difference(&rebuilt, &properties.inertia) < 1e-14);
        // No principal moment exceeds the sum of the others.
        prop_assert!(moments.min_element() > 0.0);
        prop_assert!(2.0 * moments.max_element() <= moments.element_sum() * (1.0 + 1e-14));
        // In the body frame the inertia is diagonal and the centre of mass is the origin.
        let at_home = properties.transformed(&properties.body_frame().inverse());
        prop_assert!(at_home.center_of_mass.length() < 1e-14);
        prop_assert!(inertia_difference(&at_home.inertia, &DMat3::from_diagonal(moments)) < 1e-14);
    }

    #[test]
    fn two_halves_make_the_whole(size in [0.1..2.0, 0.1..2.0, 0.1..2.0f64], cut in 0.05..0.95f64, pose in pose()) {
        let half = 0.5 * DVec3::from(size);
        let block = |half: DVec3, at: DVec3| {
            let block = Shape::Polyhedron(Arc::new(Polyhedron::cuboid(half).unwrap()));
            block.mass_properties(5.0).unwrap().transformed(&pose.compose(&Pose::from_translation(at)))
        };
        let (left, right) = (half * DVec3::new(cut, 1.0, 1.0), half * DVec3::new(1.0 - cut, 1.0, 1.0));
        let parts = [
            block(left, DVec3::new(left.x - half.x, 0.0, 0.0)),
            block(right, DVec3::new(half.x - right.x, 0.0, 0.0)),
        ];
        let sum = MassProperties::combined(parts.into_iter()).unwrap();
        let whole = block(half, DVec3::ZERO);
        prop_assert!((sum.mass / whole.mass - 1.0).abs() < 1e-14);
        prop_assert!(sum.center_of_mass.distance(whole.center_of_mass) < 1e-13);
        prop_assert!(inertia_difference(&sum.inertia, &whole.inertia) < 1e-12);
        prop_assert!(inertia_difference(&whole.inertia_about(DVec3::ZERO),
            &(parts[0].inertia_about(DVec3::ZERO) + parts[1].inertia_about(DVec3::ZERO))) < 1e-12);
    }
}
