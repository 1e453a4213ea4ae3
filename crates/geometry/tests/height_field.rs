//! Height fields.

use std::sync::Arc;

use burgess_geometry::shape::HeightField;
use burgess_geometry::{Aabb, Convex, GeometryError, Pose, Shape};
use glam::{DQuat, DVec2, DVec3};
use proptest::prelude::*;

fn field() -> impl Strategy<Value = HeightField> {
    (2..9usize, 2..9usize).prop_flat_map(|(columns, rows)| {
        let heights = proptest::collection::vec(-2.0..2.0f64, columns * rows);
        (heights, [0.5..9.0f64, 0.5..9.0f64])
            .prop_map(move |(heights, size)| HeightField::new(columns, rows, DVec2::from(size), heights).unwrap())
    })
}

proptest! {
    #[test]
    fn heights_are_those_of_the_triangles(field in field(), u in 0.0..1.0f64, v in 0.0..1.0f64) {
        let (x, y) = ((u - 0.5) * field.size().x, (v - 0.5) * field.size().y);
        let height = field.height_at(x, y).unwrap();
        // Independent check: the plane of a triangle that contains the point.
        let mut covered = false;
        for index in 0..field.triangle_count() {
            let prism = field.prism(index);
            let [a, b, c] = prism.corners;
            let area = |p: DVec3, q: DVec3, r: DVec3| (q - p).truncate().perp_dot((r - p).truncate());
            let here = DVec3::new(x, y, 0.0);
            let (wa, wb, wc) = (area(here, b, c), area(here, c, a), area(here, a, b));
            if wa.min(wb).min(wc) >= -1e-12 {
                covered = true;
                let plane = (wa * a.z + wb * b.z + wc * c.z) / (wa + wb + wc);
                prop_assert!((plane - height).abs() < 1e-9);
            }
            prop_assert!(prism.normal().z > 0.0);
        }
        prop_assert!(covered);
        prop_assert!(field.bounds().contains(&Aabb::from_center(DVec3::new(x, y, height), DVec3::ZERO).inflated(-1e-12)));
        prop_assert!(field.height_at(x + field.size().x, y).is_none());
    }

    #[test]
    fn prisms_in_a_box_are_exactly_those_that_overlap(
        field in field(), a in [-6.0..6.0f64, -6.0..6.0f64, -15.0..4.0f64], size in [0.0..4.0f64, 0.0..4.0f64, 0.0..4.0f64],
    ) {
        let region = Aabb::new(a.into(), DVec3::from(a) + DVec3::from(size));
        let found: Vec<u32> = field.prisms_in(&region).map(|p| p.index).collect();
        let expected: Vec<u32> = (0..field.triangle_count())
            .filter(|&i| Aabb::from_points(field.prism(i).vertices()).overlaps(&region))
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn box_at_a_pose_touches_the_prisms(field in field(), turn in [-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64]) {
        let pose = Pose::new(DQuat::from_scaled_axis(turn.into()), DVec3::new(1.0, 2.0, 3.0));
        let radius = field.bounding_radius(DVec3::X);
        let shape = Shape::HeightField(Arc::new(field.clone()));
        let aabb = shape.aabb(&pose);
        let mut expected = Aabb::EMPTY;
        let mut reach: f64 = 0.0;
        for index in 0..field.triangle_count() {
            let vertices = field.prism(index).vertices();
            expected = expected.union(&Aabb::from_points(vertices.map(|v| pose.transform_point(v))));
            reach = vertices.iter().map(|v| v.distance(DVec3::X)).fold(reach, f64::max);
            prop_assert_eq!(field.prism(index).support(DVec3::NEG_Z).z, field.bottom());
        }
        prop_assert!((aabb.min - expected.min).abs().max_element() < 1e-12);
        prop_assert!((aabb.max - expected.max).abs().max_element() < 1e-12);
        prop_assert!((radius - reach).abs() < 1e-12);
        prop_assert_eq!(shape.aabb(&Pose::IDENTITY), *field.bounds());
    }
}

#[test]
fn all_space_finds_every_prism() {
    let field = HeightField::new(3, 4, DVec2::ONE, vec![0.0; 12]).unwrap();
    assert_eq!(field.prisms_in(&Aabb::EVERYWHERE).count(), 12);
    assert_eq!(field.prisms_in(&Aabb::EMPTY).count(), 0);
}

#[test]
fn invalid_fields_are_rejected() {
    let size = DVec2::ONE;
    assert!(matches!(HeightField::new(1, 5, size, vec![0.0; 5]), Err(GeometryError::CountOutOfRange { .. })));
    assert!(matches!(HeightField::new(2, 2, size, vec![0.0; 5]), Err(GeometryError::CountOutOfRange { .. })));
    assert!(matches!(HeightField::new(usize::MAX, 2, size, vec![]), Err(GeometryError::CountOutOfRange { .. })));
    assert!(matches!(
        HeightField::new(2, 2, size, vec![0.0, 0.0, f64::NAN, 0.0]),
        Err(GeometryError::NotFinite { vertex: 2 })
    ));
    assert!(matches!(HeightField::new(2, 2, -size, vec![0.0; 4]), Err(GeometryError::NotPositive { .. })));
    let field = HeightField::new(2, 2, size, vec![0.0; 4]).unwrap();
    assert!(field.clone().with_depth(0.0).is_err());
    assert_eq!(field.with_depth(3.0).unwrap().bottom(), -3.0);
    let flat = Shape::HeightField(Arc::new(HeightField::new(2, 2, size, vec![0.0; 4]).unwrap()));
    assert!(matches!(flat.mass_properties(1.0), Err(GeometryError::NoMass { shape: "height field" })));
}
