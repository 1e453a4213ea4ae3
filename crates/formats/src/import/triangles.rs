//! Reads triangle meshes from STL, OBJ and MuJoCo's MSH files. Meshes need not be closed; only vertices and faces are
//! read. Memory is proportional to the file size.

use burgess_geometry::mesh_file::{self, MeshFileError, obj_triangles, stl_triangles};
use glam::DVec3;

use super::ImportFault;

/// Maximum number of triangles of a mesh; the maximum number of vertices is three times as many.
pub const MAX_TRIANGLES: usize = 1_000_000;

/// Vertices and faces of a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// Vertex positions, in the file's unit.
    pub vertices: Vec<DVec3>,
    /// Vertex indices of each triangle; empty for a point cloud.
    pub faces: Vec<[u32; 3]>,
}

impl Triangles {
    /// Parses the bytes of a file. The extension of its name selects the format.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, ImportFault> {
        let kind = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let read = match kind.as_str() {
            "stl" => convert(stl_triangles(bytes, name)),
            "obj" => convert(obj_triangles(bytes, name)),
            "msh" => parse_msh(bytes),
            _ => Err("has an unknown extension; expected .stl, .obj or .msh".to_string()),
        };
        let checked = read.and_then(|mesh| mesh.checked());
        checked.map_err(|why| ImportFault::File { path: name.to_string(), why })
    }

    /// Returns the three vertices of each face.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + Clone + '_ {
        self.faces.iter().map(|face| face.map(|index| self.vertices[index as usize]))
    }

    /// Checks the mesh: the numbers of triangles and vertices, finite coordinates, valid vertex indices.
    pub fn checked(self) -> Result<Self, String> {
        if self.faces.len() > MAX_TRIANGLES || self.vertices.len() > 3 * MAX_TRIANGLES {
            return Err(format!("has more than {MAX_TRIANGLES} triangles, the maximum"));
        }
        if self.vertices.len() < 4 {
            return Err(format!("has {} vertices; expected at least 4", self.vertices.len()));
        }
        if let Some(index) = self.vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(format!("has a vertex that is not finite, number {index}"));
        }
        let is_invalid = |face: &[u32; 3]| face.iter().any(|&index| index as usize >= self.vertices.len());
        match self.faces.iter().position(is_invalid) {
            Some(face) => Err(format!("has a face with a vertex index out of range, number {face}")),
            None => Ok(self),
        }
    }
}

fn convert(read: Result<mesh_file::Triangles, MeshFileError>) -> Result<Triangles, String> {
    match read {
        Ok(mesh) => Ok(Triangles { vertices: mesh.vertices, faces: mesh.triangles }),
        Err(MeshFileError::Format { fault, .. }) => Err(format!("cannot be read: {fault}")),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    bytes.chunks_exact(4).map(|chunk| f64::from(f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])))
}

fn points(bytes: &[u8]) -> Vec<DVec3> {
    let numbers: Vec<f64> = floats(bytes).collect();
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}

/// Parses MuJoCo's MSH: four counts (vertices, normals, texture coordinates, faces), then the data of each.
fn parse_msh(bytes: &[u8]) -> Result<Triangles, String> {
    let short = || "is not an MSH file: it has fewer than 16 bytes".to_string();
    let (head, rest) = bytes.split_at_checked(16).ok_or_else(short)?;
    let count = |place: usize| {
        let number = i32::from_le_bytes([head[place], head[place + 1], head[place + 2], head[place + 3]]);
        usize::try_from(number).map_err(|_| format!("is not an MSH file: it has the negative count {number}"))
    };
    let (vertex_count, normals, texture, faces) = (count(0)?, count(4)?, count(8)?, count(12)?);
    let expected = 12 * (vertex_count + normals + faces) + 8 * texture;
    if rest.len() != expected {
        return Err(format!("is not an MSH file: expected {} bytes, found {}", expected + 16, bytes.len()));
    }
    let (vertices, rest) = rest.split_at(12 * vertex_count);
    let indices = &rest[12 * normals + 8 * texture..];
    let index = |chunk: &[u8]| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    let face = |chunk: &[u8]| [index(chunk), index(&chunk[4..]), index(&chunk[8..])];
    Ok(Triangles { vertices: points(vertices), faces: indices.chunks_exact(12).map(face).collect() })
}
