//! STL files, binary and text. `stl_io` reads them after their length has been checked.

use glam::DVec3;
use stl_io::Triangle;

use super::{MeshFileError, Triangles, weld::solid};
use crate::TriangleMesh;

/// Length of the header and the triangle count at the start of a binary file, in bytes.
const HEADER_BYTES: usize = 84;
/// Length of a triangle in a binary file, in bytes.
const BYTES_PER_TRIANGLE: u64 = 50;

/// Reads a mesh from the contents of an STL file. `name` is used in error messages.
pub fn parse_stl(bytes: &[u8], name: &str) -> Result<TriangleMesh, MeshFileError> {
    let Triangles { vertices, triangles } = stl_triangles(bytes, name)?;
    solid(vertices, triangles, name)
}

/// Reads the triangles without checking that they bound a solid.
pub fn stl_triangles(bytes: &[u8], name: &str) -> Result<Triangles, MeshFileError> {
    let fault = |fault: String| MeshFileError::Format { file: name.to_string(), fault };
    // The length distinguishes the two forms. The word 'solid' does not, because binary headers may begin with it.
    let binary_length =
        declared_triangles(bytes).map(|count| HEADER_BYTES as u64 + BYTES_PER_TRIANGLE * u64::from(count));
    let triangles_found = if binary_length == Some(bytes.len() as u64) {
        read_binary(bytes)
    } else if bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0) {
        read_text(bytes)
    } else {
        Err(match (declared_triangles(bytes), binary_length) {
            (Some(count), Some(length)) => format!(
                "not an STL file, or broken off: as a binary file with {count} triangles it would have {length} bytes, \
                 but it has {}",
                bytes.len()
            ),
            _ => format!("not an STL file: {} bytes that do not begin with 'solid'", bytes.len()),
        })
    };
    let triangles_found = triangles_found.map_err(fault)?;
    if let Some(triangle) =
        triangles_found.iter().position(|t| t.vertices.iter().any(|v| !v.0.iter().all(|x| x.is_finite())))
    {
        return Err(fault(format!("triangle {triangle} has a coordinate that is not finite")));
    }
    let vertices = triangles_found.iter().flat_map(|t| t.vertices.map(|v| DVec3::from(v.0.map(f64::from)))).collect();
    let triangles = (0..triangles_found.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Ok(Triangles { vertices, triangles })
}

/// Returns the triangle count in the header of a binary file.
fn declared_triangles(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(HEADER_BYTES - 4..HEADER_BYTES)?.try_into().ok()?))
}

fn read_binary(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    // Clear the header: `stl_io` would take a header that begins with 'solid' for text.
    let mut plain = std::io::Cursor::new([&[0; HEADER_BYTES - 4], &bytes[HEADER_BYTES - 4..]].concat());
    collect(&mut plain)
}

fn read_text(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    // The name after 'solid' may be missing or in any encoding, so replace it.
    let bytes = bytes.trim_ascii_start();
    let body = bytes.iter().position(|&b| b == b'\n').map_or(&[][..], |end| &bytes[end..]);
    let mut plain = std::io::Cursor::new([b"solid body".as_slice(), body].concat());
    let triangles = collect(&mut plain)?;
    // `stl_io` reads only the first solid. Reject files with several, instead of losing the rest.
    let facets = body.split(|&b| b == b'\n').filter(|line| line.trim_ascii_start().starts_with(b"facet")).count();
    if facets != triangles.len() {
        return Err(format!("{facets} facets, but the first solid ends after {}", triangles.len()));
    }
    Ok(triangles)
}

fn collect(file: &mut std::io::Cursor<Vec<u8>>) -> Result<Vec<Triangle>, String> {
    let reader = stl_io::create_stl_reader(file).map_err(|e| e.to_string())?;
    let mut triangles = Vec::new();
    for triangle in reader {
        let number = triangles.len();
        triangles.push(triangle.map_err(|e| format!("triangle {number}: {e}"))?);
    }
    Ok(triangles)
}
