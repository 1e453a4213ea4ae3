//! Compounds and tessellated bodies.

use std::f64::consts::PI;

use burgess_geometry::shape::{Capsule, Compound, Cuboid, HalfSpace, NodeBounds, Sphere, tessellation};
use burgess_geometry::{GeometryError, Pose, Shape};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn vector(range: f64) -> impl Strategy<Value = DVec3> {
    [-range..range, -range..range, -range..range].prop_map(DVec3::from)
}

fn pose(range: f64) -> impl Strategy<Value = Pose> {
    (vector(3.0), vector(range)).prop_map(|(turn, shift)| Pose::new(DQuat::from_scaled_axis(turn), shift))
}

fn part() -> impl Strategy<Value = (Shape, Pose)> {
    let size = || 0.1..1.0f64;
    let shape = prop_oneof![
        size().prop_map(|r| Shape::Sphere(Sphere::new(r).unwrap())),
        [size(), size(), size()].prop_map(|h| Shape::Cuboid(Cuboid::new(h.into()).unwrap())),
        [size(), size()].prop_map(|[r, h]| Shape::Capsule(Capsule::new(r, h).unwrap())),
    ];
    (shape, pose(3.0))
}

proptest! {
    #[test]
    fn every_volume_contains_what_is_below(
        parts in proptest::collection::vec(part(), 1..20), boxes in any::<bool>(), direction in vector(1.0),
    ) {
        let bounds = if boxes { NodeBounds::Box } else { NodeBounds::Hull };
        let compound = Compound::new(&parts, bounds).unwrap();
        prop_assert_eq!(&compound, &Compound::new(&parts, bounds).unwrap());
        prop_assert_eq!(compound.nodes().len(), 2 * parts.len() - 1);
        let mut seen = vec![0; parts.len()];
        let mut born = vec![0; compound.nodes().len()];
        for (index, node) in compound.nodes().iter().enumerate() {
            if let Some(part) = node.part() {
                seen[part as usize] += 1;
                prop_assert!(node.children().is_empty());
                continue;
            }
            prop_assert_eq!(node.children().len(), 2);
            // All support points of the subtree are below every face of the volume.
            let volume = node.volume().unwrap();
            let mut stack: Vec<u32> = node.children().collect();
            for child in node.children() {
                prop_assert!(child as usize > index);
                born[child as usize] += 1;
                prop_assert!(node.bounds().contains(compound.nodes()[child as usize].bounds()));
            }
            while let Some(child) = stack.pop() {
                let child = &compound.nodes()[child as usize];
                stack.extend(child.children());
                let Some(part) = child.part() else { continue };
                let part = &compound.parts()[part as usize];
                let normals = volume.faces().iter().map(|f| f.plane.normal).chain([direction]);
                for normal in normals {
                    let local = part.shape().support(part.pose().inverse_transform_vector(normal)).unwrap();
                    let point = part.pose().transform_point(local);
                    for face in volume.faces() {
                        prop_assert!(face.plane.distance(point) < 1e-11);
                    }
                }
            }
        }
        prop_assert!(seen.iter().all(|&n| n == 1));
        prop_assert!(born[1..].iter().all(|&n| n == 1) && born[0] == 0);
    }

    #[test]
    fn mass_and_box_are_those_of_the_parts(parts in proptest::collection::vec(part(), 1..8), pose in pose(10.0)) {
        let compound = Compound::new(&parts, NodeBounds::Hull).unwrap();
        let mass = compound.mass_properties(2.0).unwrap();
        let single: Vec<_> =
            parts.iter().map(|(s, p)| s.mass_properties(2.0).unwrap().transformed(p)).collect();
        prop_assert!((mass.mass / single.iter().map(|m| m.mass).sum::<f64>() - 1.0).abs() < 1e-13);
        // Inertias about a common point add.
        let about = DVec3::new(1.0, -2.0, 0.5);
        let sum = single.iter().map(|m| m.inertia_about(about)).fold(glam::DMat3::ZERO, |a, b| a + b);
        let difference = (mass.inertia_about(about) - sum).to_cols_array();
        prop_assert!(difference.iter().all(|d| d.abs() < 1e-10 * mass.mass));
        let around = compound.aabb(&pose);
        let union = parts.iter().map(|(s, p)| s.aabb(&pose.compose(p))).reduce(|a, b| a.union(&b)).unwrap();
        prop_assert!((around.min - union.min).abs().max_element() < 1e-13 * 20.0);
        prop_assert!((around.max - union.max).abs().max_element() < 1e-13 * 20.0);
    }
}

#[test]
fn parts_must_be_convex_and_placed() {
    let ground = (Shape::HalfSpace(HalfSpace), Pose::IDENTITY);
    let ball = Shape::Sphere(Sphere::new(1.0).unwrap());
    let fault = Compound::new(&[(ball.clone(), Pose::IDENTITY), ground], NodeBounds::Hull).unwrap_err();
    assert_eq!(fault.to_string(), "part 1 of the compound: a half-space is not a convex body");
    let nowhere = Pose::from_translation(DVec3::NAN);
    assert!(matches!(Compound::new(&[(ball, nowhere)], NodeBounds::Box), Err(GeometryError::BadPart { .. })));
    assert!(matches!(Compound::new(&[], NodeBounds::Box), Err(GeometryError::CountOutOfRange { .. })));
}

#[test]
fn tessellations_have_the_volumes_of_their_polygons() {
    let volume = |m: burgess_geometry::MassProperties| m.mass;
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    let polygon = |n: f64| 0.5 * n * libm::sin(2.0 * PI / n);

    let cone = tessellation::cone(0.5, 2.0, 7).unwrap();
    close(volume(cone.mass_properties(1.0).unwrap()), polygon(7.0) * 0.25 * 2.0 / 3.0);
    let pyramid = tessellation::pyramid(2.0, 3.0).unwrap();
    assert_eq!((pyramid.faces().len(), pyramid.vertices().len()), (5, 5));
    close(volume(pyramid.mass_properties(1.0).unwrap()), 4.0);
    let tube = tessellation::tube(1.0, 0.6, 2.0, 9).unwrap();
    assert_eq!(tube.parts().len(), 9);
    close(volume(tube.mass_properties(1.0).unwrap()), polygon(9.0) * (1.0 - 0.36) * 2.0);
    // Each wedge of a polygonal torus has volume sin(angle) R A.
    let torus = tessellation::torus(2.0, 0.5, 11, 6).unwrap();
    close(volume(torus.mass_properties(1.0).unwrap()), 2.0 * polygon(11.0) * 2.0 * polygon(6.0) * 0.25);
    assert!(torus.parts().iter().all(|p| matches!(p.shape(), Shape::Polyhedron(p) if p.faces().len() == 8)));
}

#[test]
fn spheres_subdivide() {
    for (subdivisions, vertices) in [(0, 12), (1, 42), (2, 162), (3, 642), (4, 2562)] {
        let sphere = tessellation::sphere(2.0, subdivisions).unwrap();
        assert_eq!((sphere.vertices().len(), sphere.faces().len()), (vertices, 2 * vertices - 4));
        assert!(sphere.vertices().iter().all(|v| (v.length() - 2.0).abs() < 1e-14));
    }
    let ideal = 4.0 / 3.0 * PI;
    let fine = tessellation::sphere(1.0, 4).unwrap().mass_properties(1.0).unwrap().mass;
    assert!((fine / ideal - 1.0).abs() < 3e-3, "{fine}");
}

#[test]
fn invalid_parameters_are_rejected() {
    assert!(tessellation::sphere(f64::NAN, 1).is_err());
    assert!(tessellation::sphere(1.0, 7).is_err());
    assert!(tessellation::cone(1.0, 1.0, 2).is_err());
    assert!(tessellation::pyramid(1.0, 0.0).is_err());
    assert!(tessellation::tube(1.0, 1.0, 1.0, 8).is_err());
    assert!(tessellation::torus(1.0, 2.0, 8, 8).is_err());
    assert!(tessellation::torus(2.0, 1.0, 2, 8).is_err());
}
