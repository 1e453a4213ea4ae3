//! Convex decomposition of meshes.

use crate::common;
use std::sync::Arc;

use burgess_geometry::shape::{Decomposition, Mesh, tessellation};
use burgess_geometry::{Pose, Shape, TriangleMesh};
use glam::DVec3;
use proptest::prelude::*;

/// Returns the largest distance, over many surface points, to the nearest part.
fn uncovered(mesh: &Mesh) -> f64 {
    let parts: Vec<_> = mesh
        .parts()
        .parts()
        .iter()
        .map(|part| match part.shape() {
            Shape::Polyhedron(p) => p.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let mut worst = f64::NEG_INFINITY;
    for [a, b, c] in mesh.surface().surface() {
        for i in 0..=8 {
            for j in 0..=8 - i {
                let (u, v) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
                let point = a + u * (b - a) + v * (c - a);
                let outside = |p: &burgess_geometry::Polyhedron| {
                    p.faces().iter().map(|f| f.plane.distance(point)).fold(f64::NEG_INFINITY, f64::max)
                };
                worst = worst.max(parts.iter().map(|p| outside(p)).fold(f64::INFINITY, f64::min));
            }
        }
    }
    worst
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.parts().mass_properties(1.0).unwrap().mass
}

#[test]
fn bracket_becomes_blocks() {
    let bracket = common::bracket();
    let mesh = Mesh::new(bracket.clone(), &Decomposition::default()).unwrap();
    assert!(mesh.parts().parts().len() < 8, "{}", mesh.parts().parts().len());
    assert!(uncovered(&mesh) < 1e-9, "{}", uncovered(&mesh));
    assert!((volume(&mesh) / 3.0 - 1.0).abs() < 0.02, "{}", volume(&mesh));
    assert_eq!(mesh, Mesh::new(bracket, &Decomposition::default()).unwrap(), "twice the same");
    // The mass is that of the mesh, not of the parts.
    let shape = Shape::Mesh(Arc::new(mesh));
    assert!((shape.mass_properties(2.0).unwrap().mass - 6.0).abs() < 1e-14);
    assert_eq!(shape.aabb(&Pose::IDENTITY).max, DVec3::new(2.0, 2.0, 1.0));
    assert_eq!(shape.bounding_radius(DVec3::ZERO), 6f64.sqrt());
}

#[test]
fn ring_keeps_its_hole() {
    let (vertices, triangles) = common::torus(2.0, 0.5, 32, 16);
    let ring = TriangleMesh::new(vertices, triangles).unwrap();
    let full = ring.volume();
    let mesh = Mesh::new(ring, &Decomposition { concavity: 0.002, ..Decomposition::default() }).unwrap();
    assert!(uncovered(&mesh) < 1e-9);
    assert!((volume(&mesh) / full - 1.0).abs() < 0.1, "{} {full}", volume(&mesh));
    let hole = mesh.parts().parts().iter().all(|part| match part.shape() {
        Shape::Polyhedron(p) => p.faces().iter().any(|f| f.plane.distance(DVec3::ZERO) > 0.5),
        _ => false,
    });
    assert!(hole, "a part reaches into the hole");
}

#[test]
fn parts_are_as_many_as_allowed() {
    let (vertices, triangles) = common::torus(2.0, 0.5, 32, 16);
    let ring = TriangleMesh::new(vertices, triangles).unwrap();
    for max_parts in [4, 7, 16] {
        let coarse = Decomposition { concavity: 0.0, max_parts, resolution: 32, ..Decomposition::default() };
        let mesh = Mesh::new(ring.clone(), &coarse).unwrap();
        assert!(mesh.parts().parts().len() <= max_parts as usize, "{}", mesh.parts().parts().len());
        assert!(uncovered(&mesh) < 1e-9);
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let bracket = common::bracket();
    for (scale, shift) in [(1e-6, DVec3::ZERO), (1e6, DVec3::ZERO), (0.3, DVec3::new(1000.0, -2000.0, 500.0))] {
        let vertices = bracket.vertices().iter().map(|&v| v * scale + shift).collect();
        let moved = TriangleMesh::new(vertices, bracket.triangles().to_vec()).unwrap();
        let mesh = Mesh::new(moved, &Decomposition::default()).unwrap();
        assert!(uncovered(&mesh) < 1e-9 * scale.max(1.0), "{}", uncovered(&mesh));
        assert!((volume(&mesh) / (3.0 * scale * scale * scale) - 1.0).abs() < 0.02);
    }
}

#[test]
fn convex_mesh_is_one_exact_part() {
    let ball = tessellation::sphere(1.0, 2).unwrap();
    let sides = |f| ball.sides(f).iter().map(|s| s.vertex).collect::<Vec<_>>();
    let triangles = (0..ball.faces().len() as u32).map(|f| sides(f).try_into().unwrap()).collect();
    let surface = TriangleMesh::new(ball.vertices().to_vec(), triangles).unwrap();
    let mesh = Mesh::new(surface, &Decomposition::default()).unwrap();
    assert_eq!(mesh.parts().parts().len(), 1);
    assert!((volume(&mesh) / mesh.surface().volume() - 1.0).abs() < 1e-14);
}

#[test]
fn thin_shells_are_cut_too() {
    // A hollow cube with walls much thinner than a voxel.
    let (mut vertices, mut triangles) = common::cube();
    let (inner, inner_triangles) = common::cube();
    vertices.extend(inner.iter().map(|&v| 0.001 + 0.998 * v));
    triangles.extend(inner_triangles.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    let shell = TriangleMesh::new(vertices, triangles).unwrap();
    for cavities in [false, true] {
        let mesh = Mesh::new(shell.clone(), &Decomposition { cavities, resolution: 24, ..Decomposition::default() });
        assert!(uncovered(&mesh.unwrap()) < 1e-9);
    }
}

#[test]
fn parameters_are_checked() {
    let try_with = |d: Decomposition| Mesh::new(common::bracket(), &d).is_err();
    let good = Decomposition::default();
    assert!(try_with(Decomposition { resolution: 1_000_000, ..good }));
    assert!(try_with(Decomposition { resolution: 0, ..good }));
    assert!(try_with(Decomposition { max_parts: 0, ..good }));
    assert!(try_with(Decomposition { concavity: f64::NAN, ..good }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_warped_ring_is_covered(
        bumps in proptest::collection::vec(0.3..1.9f64, 96), squeeze in prop_oneof![Just(1.0), Just(1e-3), Just(1e-7)],
        resolution in 8..32u32,
    ) {
        let (mut vertices, triangles) = common::torus(2.0, 0.7, 12, 8);
        for (vertex, bump) in vertices.iter_mut().zip(&bumps) {
            let spine = DVec3::new(vertex.x, vertex.y, 0.0).normalize() * 2.0;
            *vertex = (spine + *bump * (*vertex - spine)) * DVec3::new(1.0, 1.0, squeeze);
        }
        let surface = TriangleMesh::new(vertices, triangles).unwrap();
        let mesh = Mesh::new(surface, &Decomposition { resolution, ..Decomposition::default() }).unwrap();
        prop_assert!(uncovered(&mesh) < 1e-9);
    }
}
