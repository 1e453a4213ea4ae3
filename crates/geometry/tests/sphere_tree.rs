//! Sphere trees are nested, covering and tight.

use crate::common;
use burgess_geometry::shape::tessellation;
use burgess_geometry::{SphereTree, SphereTreeParameters, TriangleMesh};
use glam::DVec3;
use proptest::prelude::*;

fn ring() -> TriangleMesh {
    let (vertices, triangles) = common::torus(2.0, 0.5, 32, 16);
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn cube() -> TriangleMesh {
    let (vertices, triangles) = common::cube();
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Returns the distance of a point from a triangle, by trying the interior, the sides and the corners.
fn distance(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a).normalize();
    let inside = [(a, b), (b, c), (c, a)].iter().all(|&(s, t)| normal.cross(t - s).dot(p - s) >= 0.0);
    if inside {
        return normal.dot(p - a).abs();
    }
    let side = |s: DVec3, t: DVec3| {
        let u = ((p - s).dot(t - s) / (t - s).length_squared()).clamp(0.0, 1.0);
        p.distance(s + u * (t - s))
    };
    side(a, b).min(side(b, c)).min(side(c, a))
}

/// Returns whether the winding number of the surface around a point is non-zero, from solid angles (van Oosterom and
/// Strackee 1983).
fn inside(p: DVec3, mesh: &TriangleMesh) -> bool {
    let angle = |[a, b, c]: [DVec3; 3]| {
        let (a, b, c) = (a - p, b - p, c - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        2.0 * libm::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    mesh.surface().map(angle).sum::<f64>() > 2.0 * std::f64::consts::PI
}

/// Points spread over the unit sphere.
fn directions(count: usize) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let (s, c) = libm::sincos(2.399963229728653 * i as f64);
        DVec3::new((1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z)
    })
}

fn check(mesh: &TriangleMesh, tree: &SphereTree, parameters: &SphereTreeParameters) {
    // The balls are nested, in breadth-first order, and no deeper or wider than requested.
    let mut level = vec![0; tree.nodes().len()];
    let mut next = 1;
    for (index, node) in tree.nodes().iter().enumerate() {
        assert!(node.children().len() <= parameters.branching);
        for child in node.children() {
            assert_eq!(child, next);
            next += 1;
            level[child as usize] = level[index] + 1;
            let child = &tree.nodes()[child as usize];
            assert!(node.center.distance(child.center) + child.radius <= node.radius * (1.0 + 1e-12));
        }
    }
    assert_eq!(next as usize, tree.nodes().len());
    assert!(level.iter().all(|&l| l <= parameters.depth));
    // The surface is covered, at points that the fit did not use.
    for [a, b, c] in mesh.surface() {
        for i in 0..=13 {
            for j in 0..=13 - i {
                let (u, v) = (f64::from(i) / 13.0, f64::from(j) / 13.0);
                let point = a + u * (b - a) + v * (c - a);
                assert!(tree.leaves().any(|leaf| leaf.center.distance(point) <= leaf.radius * (1.0 + 1e-13)));
            }
        }
    }
    // Leaves protrude no farther than reported.
    for leaf in tree.leaves().step_by(1 + tree.leaves().count() / 40) {
        for direction in directions(60) {
            let point = leaf.center + leaf.radius * direction;
            let away = mesh.surface().map(|t| distance(point, t)).fold(f64::INFINITY, f64::min);
            assert!(away <= tree.protrusion() || inside(point, mesh), "{away} {}", tree.protrusion());
        }
    }
}

#[test]
fn a_ball_needs_one_ball() {
    let ball = tessellation::sphere(1.0, 3).unwrap();
    let sides = |f| ball.sides(f).iter().map(|s| s.vertex).collect::<Vec<_>>();
    let triangles = (0..ball.faces().len() as u32).map(|f| sides(f).try_into().unwrap()).collect();
    let mesh = TriangleMesh::new(ball.vertices().to_vec(), triangles).unwrap();
    let parameters = SphereTreeParameters { depth: 2, branching: 8, tolerance: 0.02 };
    let tree = SphereTree::new(&mesh, &parameters).unwrap();
    assert_eq!(tree.nodes().len(), 1);
    assert!(tree.protrusion() < 0.02 && tree.nodes()[0].radius < 1.01);
    check(&mesh, &tree, &parameters);
}

#[test]
fn trees_are_nested_covering_and_tighten_with_depth() {
    // The balls around the cells of an octree protrude from the unit cube by 0.183 (8 cells), 0.0915 (56 cells on the
    // surface) and 0.0458 (296 cells); those along the medial axis must not be worse. For the torus, balls centred on
    // its centre line protrude by about half the squared half distance between them.
    let cases: [(&str, TriangleMesh, &[f64]); 3] = [
        ("cube", cube(), &[0.19, 0.09, 0.03]),
        ("ring", ring(), &[0.75, 0.08]),
        ("bracket", common::bracket(), &[0.40, 0.18]),
    ];
    for (name, mesh, bounds) in cases {
        for (level, &bound) in bounds.iter().enumerate() {
            let parameters = SphereTreeParameters { depth: level + 1, branching: 8, tolerance: 1e-3 };
            let tree = SphereTree::new(&mesh, &parameters).unwrap();
            check(&mesh, &tree, &parameters);
            assert!(tree.protrusion() < bound, "{name} {level}: {}", tree.protrusion());
        }
    }
}

#[test]
fn no_more_balls_than_the_tolerance_needs() {
    let fine = SphereTreeParameters { depth: 3, branching: 8, tolerance: 0.1 };
    let tree = SphereTree::new(&ring(), &fine).unwrap();
    assert!(tree.protrusion() <= 0.1 + 1e-6);
    assert!(tree.leaves().count() < 70, "{}", tree.leaves().count());
    check(&ring(), &tree, &fine);
}

#[test]
fn size_and_place_do_not_matter_and_twice_is_the_same() {
    let parameters = SphereTreeParameters { depth: 2, branching: 4, tolerance: 1e-3 };
    let tree = SphereTree::new(&cube(), &parameters).unwrap();
    assert_eq!(tree, SphereTree::new(&cube(), &parameters).unwrap());
    let (scale, shift) = (1024.0, DVec3::new(1e6, -2e6, 3e6));
    let vertices = cube().vertices().iter().map(|&v| v * scale + shift).collect();
    let far = TriangleMesh::new(vertices, cube().triangles().to_vec()).unwrap();
    let far_parameters = SphereTreeParameters { tolerance: 1e-3 * scale, ..parameters };
    let far_tree = SphereTree::new(&far, &far_parameters).unwrap();
    check(&far, &far_tree, &far_parameters);
    assert!((far_tree.protrusion() / (scale * tree.protrusion()) - 1.0).abs() < 1e-6);
}

#[test]
fn triangles_without_area_are_accepted() {
    // A vertex in the middle of an edge of the cube, with a flat triangle that closes the gap.
    let (mut vertices, mut triangles) = common::cube();
    let index = triangles.iter().position(|t| t.contains(&0) && t.contains(&1)).unwrap();
    let at = (0..3)
        .find(|&i| {
            [triangles[index][i], triangles[index][(i + 1) % 3]] == [0, 1]
                || [triangles[index][i], triangles[index][(i + 1) % 3]] == [1, 0]
        })
        .unwrap();
    let [a, b, c] = [0, 1, 2].map(|i| triangles[index][(at + i) % 3]);
    vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
    triangles[index] = [a, 8, c];
    triangles.extend([[8, b, c], [a, b, 8]]);
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let parameters = SphereTreeParameters { depth: 1, branching: 8, tolerance: 1e-3 };
    let tree = SphereTree::new(&mesh, &parameters).unwrap();
    assert!(tree.protrusion() < 0.2, "{}", tree.protrusion());
}

#[test]
fn invalid_parameters_are_rejected() {
    let good = SphereTreeParameters { depth: 2, branching: 8, tolerance: 0.1 };
    for bad in [
        SphereTreeParameters { depth: 0, ..good },
        SphereTreeParameters { depth: 99, ..good },
        SphereTreeParameters { branching: 1, ..good },
        SphereTreeParameters { tolerance: 0.0, ..good },
        SphereTreeParameters { tolerance: f64::NAN, ..good },
    ] {
        assert!(SphereTree::new(&cube(), &bad).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    #[test]
    fn any_warped_ring_is_covered(
        bumps in proptest::collection::vec(0.7..1.3f64, 96), depth in 1..3usize, branching in 2..9usize,
    ) {
        let (mut vertices, triangles) = common::torus(2.0, 0.7, 12, 8);
        for (vertex, bump) in vertices.iter_mut().zip(&bumps) {
            let spine = DVec3::new(vertex.x, vertex.y, 0.0).normalize() * 2.0;
            *vertex = spine + *bump * (*vertex - spine);
        }
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        let parameters = SphereTreeParameters { depth, branching, tolerance: 0.01 };
        let tree = SphereTree::new(&mesh, &parameters).unwrap();
        check(&mesh, &tree, &parameters);
    }
}
