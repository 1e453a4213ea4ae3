//! Wavefront OBJ: the lines `v x y z` and `f a b c ...`; everything else (textures, normals, materials, groups, lines)
//! says nothing about the form of a body and is passed over.
//!
//! Read here and not by a library: the ones there are do not say in which line a fault is, and count on indices that
//! do not overflow.

use glam::DVec3;

use super::{MeshFileError, Triangles, weld::solid};
use crate::TriangleMesh;

/// Reads a mesh from the contents of an OBJ file; `name` is for error messages. Polygons are cut into fans.
pub fn parse_obj(bytes: &[u8], name: &str) -> Result<TriangleMesh, MeshFileError> {
    let Triangles { vertices, triangles } = obj_triangles(bytes, name)?;
    solid(vertices, triangles, name)
}

/// The same without asking whether the triangles enclose a solid.
pub fn obj_triangles(bytes: &[u8], name: &str) -> Result<Triangles, MeshFileError> {
    let mut vertices: Vec<DVec3> = Vec::new();
    // Corners as given, with their lines: OBJ lets faces come before the vertices that they name.
    let mut corners: Vec<(usize, usize)> = Vec::new();
    let mut faces: Vec<(usize, usize)> = Vec::new();
    let fault = |line: usize, fault: String| MeshFileError::Line { file: name.to_string(), line, fault };

    for (index, raw) in bytes.split(|&b| b == b'\n').enumerate() {
        let line = index + 1;
        let mut words = raw.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => vertices.push(position(words).map_err(|found| fault(line, found))?),
            Some(b"f") => {
                let first = corners.len();
                for word in words.take_while(|word| !word.starts_with(b"#")) {
                    let corner = corner(word, vertices.len()).map_err(|found| fault(line, found))?;
                    corners.push((corner, line));
                }
                if corners.len() < first + 3 {
                    return Err(fault(line, format!("a face with {} corners; expected 3", corners.len() - first)));
                }
                faces.push((first, corners.len()));
            }
            Some(word) if word.contains(&0) => {
                return Err(fault(line, "a zero byte: this is not a text file".to_string()));
            }
            _ => {}
        }
    }
    if let Some(&(corner, line)) = corners.iter().find(|&&(corner, _)| corner >= vertices.len()) {
        return Err(fault(line, format!("a face names vertex {}, but there are only {}", corner + 1, vertices.len())));
    }
    let mut triangles = Vec::new();
    for (first, end) in faces {
        for i in first + 1..end - 1 {
            triangles.push([first, i, i + 1].map(|c| corners[c].0 as u32));
        }
    }
    Ok(Triangles { vertices, triangles })
}

/// The first three words as coordinates; colours and the like may follow.
fn position<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<DVec3, String> {
    let mut coordinates = [0.0; 3];
    for coordinate in &mut coordinates {
        let word = words.next().ok_or("a vertex with fewer than 3 coordinates")?;
        let value = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
        *coordinate = value
            .filter(|value| value.is_finite())
            .ok_or_else(|| format!("'{}' as a coordinate; expected a finite number", shown(word)))?;
    }
    Ok(coordinates.into())
}

/// The vertex that a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` names, counted from 0. Negative ones count back from the
/// latest vertex.
fn corner(word: &[u8], vertices: usize) -> Result<usize, String> {
    let number = word.split(|&b| b == b'/').next().unwrap_or_default();
    let index = std::str::from_utf8(number).ok().and_then(|text| text.parse::<i64>().ok());
    let index = index.ok_or_else(|| format!("'{}' as a corner; expected the number of a vertex", shown(word)))?;
    let found = match index {
        0 => None,
        // Up to the largest index that fits in 32 bits; whether the vertex is there shows at the end of the file.
        1.. => usize::try_from(index - 1).ok().filter(|&v| v < u32::MAX as usize),
        _ => usize::try_from(index.unsigned_abs()).ok().and_then(|back| vertices.checked_sub(back)),
    };
    found.ok_or_else(|| format!("'{}' as a corner: there is no such vertex", shown(word)))
}

/// A word from the file, short and printable.
fn shown(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(&word[..word.len().min(40)]).escape_default().collect();
    if word.len() > 40 { text + "..." } else { text }
}
