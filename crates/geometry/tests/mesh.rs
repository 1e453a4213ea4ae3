//! Which meshes bound a solid and which do not.

use crate::common;
use burgess_geometry::{MeshError, TriangleMesh};
use glam::DVec3;

#[test]
fn solids_are_accepted_with_their_volume() {
    let (vertices, triangles) = common::cube();
    let cube = TriangleMesh::new(vertices, triangles).unwrap();
    assert!((cube.volume() - 1.0).abs() < 1e-15);
    assert!((cube.mass_properties(5.0).unwrap().mass - 5.0).abs() < 1e-14);
    // A torus is valid. The volume of a fine one converges to 2 pi^2 R r^2.
    let (vertices, triangles) = common::torus(2.0, 0.5, 200, 200);
    let ring = TriangleMesh::new(vertices, triangles).unwrap();
    let ideal = 2.0 * std::f64::consts::PI * std::f64::consts::PI * 2.0 * 0.25;
    assert!((ring.volume() / ideal - 1.0).abs() < 1e-3);
}

#[test]
fn cavity_subtracts() {
    let (mut vertices, mut triangles) = common::cube();
    let (inner, inner_triangles) = common::cube();
    vertices.extend(inner.iter().map(|&v| 0.25 + 0.5 * v));
    triangles.extend(inner_triangles.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    let hollow = TriangleMesh::new(vertices, triangles).unwrap();
    assert!((hollow.volume() - 0.875).abs() < 1e-15);
}

#[test]
fn faults_name_their_place() {
    let (vertices, triangles) = common::cube();
    let build = |v: &[DVec3], t: &[[u32; 3]]| TriangleMesh::new(v.to_vec(), t.to_vec()).unwrap_err();

    assert_eq!(build(&vertices, &[]), MeshError::Empty);
    let mut nan = vertices.clone();
    nan[5].y = f64::NAN;
    assert_eq!(build(&nan, &triangles), MeshError::NotFinite { vertex: 5 });
    let mut beyond = triangles.clone();
    beyond[7][2] = 8;
    assert_eq!(build(&vertices, &beyond), MeshError::NoSuchVertex { triangle: 7, vertex: 8, vertices: 8 });
    let mut twice = triangles.clone();
    twice[3] = [1, 4, 4];
    assert_eq!(build(&vertices, &twice), MeshError::RepeatedCorner { triangle: 3, vertex: 4 });
    let mut more = vertices.clone();
    more.push(DVec3::ONE);
    assert_eq!(build(&more, &triangles), MeshError::UnusedVertex { vertex: 8 });
    assert!(matches!(build(&vertices, &triangles[..11]), MeshError::OpenEdge { .. }));
    let mut turned = triangles.clone();
    turned[0].swap(0, 1);
    assert!(matches!(build(&vertices, &turned), MeshError::CrowdedEdge { first: 0, .. }));
    let inside_out: Vec<_> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(matches!(build(&vertices, &inside_out), MeshError::InsideOut { .. }));
    assert!(TriangleMesh::new_flipped(vertices.clone(), inside_out).is_ok());
    let flat: Vec<DVec3> = vertices.iter().map(|&v| v * DVec3::new(1.0, 1.0, 0.0)).collect();
    assert!(matches!(build(&flat, &triangles), MeshError::NoVolume { .. }));
    let huge: Vec<DVec3> = vertices.iter().map(|&v| v * 1e200).collect();
    assert!(matches!(build(&huge, &triangles), MeshError::NoVolume { .. }));
}

#[test]
fn cubes_that_share_only_a_corner_or_an_edge_are_refused() {
    let (vertices, triangles) = common::cube();
    let second_cube = |shared: &[(u32, u32)], shift: DVec3| {
        // Vertex k of the second cube is vertex `old` of the first where they coincide.
        let (mut all, mut indices) = (vertices.clone(), Vec::new());
        for k in 0..8u32 {
            let found = shared.iter().find(|&&(new, _)| new == k).map(|&(_, old)| old);
            indices.push(found.unwrap_or_else(|| {
                all.push(vertices[k as usize] + shift);
                all.len() as u32 - 1
            }));
        }
        let mut both = triangles.clone();
        both.extend(triangles.iter().map(|t| t.map(|v| indices[v as usize])));
        TriangleMesh::new(all, both)
    };
    let corner = second_cube(&[(0, 7)], DVec3::ONE);
    assert_eq!(corner, Err(MeshError::PinchedVertex { vertex: 7, at: DVec3::ONE }));
    let edge = second_cube(&[(0, 3), (4, 7)], DVec3::new(1.0, 1.0, 0.0));
    assert!(matches!(edge, Err(MeshError::CrowdedEdge { .. })));
}
