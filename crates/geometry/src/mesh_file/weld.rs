//! Welding: turns triangles with separate corners into a closed mesh by merging corners at the same place.

use glam::DVec3;

use super::MeshFileError;
use crate::{Aabb, MeshError, TriangleMesh};

/// Distance below which corners are merged in the last attempt, relative to the extent. Some programs round shared
/// corners differently to single precision.
const WELD_TOLERANCE: f64 = 1e-6;

/// Creates a closed mesh from triangles. `file` is used in error messages.
///
/// Tries the triangles as they are, then with equal corners merged, then with near corners merged. Returns the first
/// solid, or the error that remains when equal corners are merged.
pub fn solid(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>, file: &str) -> Result<TriangleMesh, MeshFileError> {
    let refused = |source| MeshFileError::NotSolid { file: file.to_string(), source };
    if triangles.is_empty() {
        return Err(refused(MeshError::Empty));
    }
    if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
        return Err(refused(MeshError::NotFinite { vertex }));
    }
    let as_given: Vec<u32> = (0..vertices.len() as u32).collect();
    if let Ok(mesh) = joined(&vertices, &triangles, &as_given) {
        return Ok(mesh);
    }
    let fault = match joined(&vertices, &triangles, &equal(&vertices)) {
        Ok(mesh) => return Ok(mesh),
        Err(fault) => fault,
    };
    // Merging near corners can only close cracks.
    if matches!(fault, MeshError::OpenEdge { .. })
        && let Ok(mesh) = joined(&vertices, &triangles, &near(&vertices))
    {
        return Ok(mesh);
    }
    Err(refused(fault))
}

/// Returns the mesh in which vertex `i` is replaced by `leader[i]`, without collapsed triangles and unused vertices.
fn joined(vertices: &[DVec3], triangles: &[[u32; 3]], leader: &[u32]) -> Result<TriangleMesh, MeshError> {
    let mut kept = Vec::with_capacity(triangles.len());
    let mut original = Vec::with_capacity(triangles.len());
    let mut new_index = vec![u32::MAX; vertices.len()];
    let mut kept_vertices = Vec::new();
    for (index, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|v| leader[v as usize]);
        if a == b || b == c || c == a {
            continue;
        }
        original.push(index as u32);
        kept.push([a, b, c].map(|v| {
            let slot = &mut new_index[v as usize];
            if *slot == u32::MAX {
                *slot = kept_vertices.len() as u32;
                kept_vertices.push(vertices[v as usize]);
            }
            *slot
        }));
    }
    TriangleMesh::new(kept_vertices, kept).map_err(|fault| fault.renumbered(&original))
}

/// Returns, for each vertex, the first vertex at exactly the same position.
fn equal(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding zero turns -0.0 into 0.0.
    let place = |v: u32| (vertices[v as usize] + DVec3::ZERO).to_array();
    let compare = |a: &u32, b: &u32| {
        let (p, q) = (place(*a), place(*b));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(p[2].total_cmp(&q[2]))
    };
    order.sort_by(|a, b| compare(a, b).then(a.cmp(b)));
    let mut leader = vec![0; vertices.len()];
    for group in order.chunk_by(|a, b| compare(a, b).is_eq()) {
        for &member in group {
            leader[member as usize] = group[0];
        }
    }
    leader
}

/// Returns, for each vertex, the first vertex within [`WELD_TOLERANCE`], searched in cells of that size and their 26
/// neighbours.
fn near(vertices: &[DVec3]) -> Vec<u32> {
    let bounds = Aabb::from_points(vertices.iter().copied());
    let tolerance = WELD_TOLERANCE * bounds.extents().max_element();
    let mut leader: Vec<u32> = (0..vertices.len() as u32).collect();
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return leader;
    }
    let cell = |p: DVec3| ((p - bounds.min) / tolerance).floor().as_i64vec3().to_array();
    // Only leaders are stored in the cells. They are at least the tolerance apart, so few share a cell.
    let mut leaders: std::collections::BTreeMap<[i64; 3], Vec<u32>> = std::collections::BTreeMap::new();
    for (index, &p) in vertices.iter().enumerate() {
        let [x, y, z] = cell(p);
        let mut found: Option<u32> = None;
        for i in 0..27 {
            let neighbour = [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1];
            for &other in leaders.get(&neighbour).into_iter().flatten() {
                if vertices[other as usize].distance(p) <= tolerance {
                    found = Some(found.map_or(other, |best| best.min(other)));
                }
            }
        }
        match found {
            Some(first) => leader[index] = first,
            None => leaders.entry([x, y, z]).or_default().push(index as u32),
        }
    }
    leader
}
