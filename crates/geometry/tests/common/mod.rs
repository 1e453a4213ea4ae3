//! Meshes for the tests.
#![allow(dead_code)]

use std::f64::consts::PI;

use burgess_geometry::TriangleMesh;
use glam::DVec3;

/// A cube with corners at 0 and 1.
pub fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let vertices = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (vertices, triangles)
}

/// Returns a torus around z with `segments` around the axis and `sides` on each cross-section.
pub fn torus(major: f64, minor: f64, segments: u32, sides: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut vertices = Vec::new();
    for i in 0..segments {
        let (s, c) = libm::sincos(2.0 * PI * f64::from(i) / f64::from(segments));
        for j in 0..sides {
            let (t, d) = libm::sincos(2.0 * PI * f64::from(j) / f64::from(sides));
            let r = major + minor * d;
            vertices.push(DVec3::new(r * c, r * s, minor * t));
        }
    }
    let at = |i: u32, j: u32| i % segments * sides + j % sides;
    let mut triangles = Vec::new();
    for i in 0..segments {
        for j in 0..sides {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (vertices, triangles)
}

/// Returns an L of three unit cubes as one prism.
pub fn bracket() -> TriangleMesh {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let mut vertices = Vec::new();
    for z in [0.0, 1.0] {
        vertices.extend(outline.map(|[x, y]| DVec3::new(x, y, z)));
    }
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push([a, c, b]);
        triangles.push([a + 6, b + 6, c + 6]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.push([i, j, j + 6]);
        triangles.push([i, j + 6, i + 6]);
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Returns a mesh as an OBJ file.
pub fn to_obj((vertices, triangles): &(Vec<DVec3>, Vec<[u32; 3]>)) -> String {
    let mut text = String::new();
    for v in vertices {
        text += &format!("v {} {} {}\n", v.x, v.y, v.z);
    }
    for [a, b, c] in triangles {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text
}

/// Returns a mesh as a text STL file.
pub fn to_text_stl((vertices, triangles): &(Vec<DVec3>, Vec<[u32; 3]>)) -> String {
    let mut text = "solid test\n".to_string();
    for t in triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for &v in t {
            let v = vertices[v as usize].as_vec3();
            text += &format!("vertex {} {} {}\n", v.x, v.y, v.z);
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid test\n"
}

/// Returns a mesh as a binary STL file.
pub fn to_binary_stl((vertices, triangles): &(Vec<DVec3>, Vec<[u32; 3]>)) -> Vec<u8> {
    let mut bytes = b"solid binary, though it does not look so".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for t in triangles {
        bytes.extend([0; 12]);
        for &v in t {
            bytes.extend(vertices[v as usize].as_vec3().to_array().iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}
