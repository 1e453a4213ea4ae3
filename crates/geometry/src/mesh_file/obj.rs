//! Wavefront OBJ files. Only the lines `v x y z` and `f a b c ...` are read; textures, normals, materials, groups and
//! lines do not affect the shape and are skipped.
//!
//! No library is used, because the common ones do not report the line of an error and do not check their index
//! arithmetic.

use glam::DVec3;

use super::{MeshFileError, Triangles, weld::solid};
use crate::TriangleMesh;

/// Reads a mesh from the contents of an OBJ file. `name` is used in error messages. Polygons are triangulated as fans.
pub fn parse_obj(bytes: &[u8], name: &str) -> Result<TriangleMesh, MeshFileError> {
    let Triangles { vertices, triangles } = obj_triangles(bytes, name)?;
    solid(vertices, triangles, name)
}

/// Reads the triangles without checking that they bound a solid.
pub fn obj_triangles(bytes: &[u8], name: &str) -> Result<Triangles, MeshFileError> {
    let mut vertices: Vec<DVec3> = Vec::new();
    // Corners with their line numbers. In OBJ files, faces may precede the vertices that they use.
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
                    return Err(fault(
                        line,
                        format!("found a face with {} corners, expected at least 3", corners.len() - first),
                    ));
                }
                faces.push((first, corners.len()));
            }
            Some(word) if word.contains(&0) => {
                return Err(fault(line, "found a zero byte, expected text".to_string()));
            }
            _ => {}
        }
    }
    if let Some(&(corner, line)) = corners.iter().find(|&&(corner, _)| corner >= vertices.len()) {
        return Err(fault(line, format!("a face uses vertex {}, but there are only {}", corner + 1, vertices.len())));
    }
    let mut triangles = Vec::new();
    for (first, end) in faces {
        for i in first + 1..end - 1 {
            triangles.push([first, i, i + 1].map(|c| corners[c].0 as u32));
        }
    }
    Ok(Triangles { vertices, triangles })
}

/// Parses the first three words as coordinates. Colours and other data may follow.
fn position<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<DVec3, String> {
    let mut coordinates = [0.0; 3];
    for coordinate in &mut coordinates {
        let word = words.next().ok_or("found a vertex with fewer than 3 coordinates")?;
        let value = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
        *coordinate = value
            .filter(|value| value.is_finite())
            .ok_or_else(|| format!("found '{}' as a coordinate, expected a finite number", excerpt(word)))?;
    }
    Ok(coordinates.into())
}

/// Returns the vertex index, counted from 0, of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`. A negative number counts
/// back from the latest vertex.
fn corner(word: &[u8], vertices: usize) -> Result<usize, String> {
    let number = word.split(|&b| b == b'/').next().unwrap_or_default();
    let index = std::str::from_utf8(number).ok().and_then(|text| text.parse::<i64>().ok());
    let index =
        index.ok_or_else(|| format!("found '{}' as a corner, expected the number of a vertex", excerpt(word)))?;
    let found = match index {
        0 => None,
        // Indices must fit in 32 bits. Whether the vertex exists is checked at the end of the file.
        1.. => usize::try_from(index - 1).ok().filter(|&v| v < u32::MAX as usize),
        _ => usize::try_from(index.unsigned_abs()).ok().and_then(|back| vertices.checked_sub(back)),
    };
    found.ok_or_else(|| format!("found '{}' as a corner, but this vertex does not exist", excerpt(word)))
}

/// Returns a word of the file, shortened and printable.
fn excerpt(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(&word[..word.len().min(40)]).escape_default().collect();
    if word.len() > 40 { text + "..." } else { text }
}
