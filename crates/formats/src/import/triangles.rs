//! Triangles from mesh files of models: STL, OBJ and MuJoCo's MSH. They need not be closed; only corners and faces
//! are read. Memory stays in proportion to the file's length.

use burgess_geometry::mesh_file::{self, MeshFileError, obj_triangles, stl_triangles};
use glam::DVec3;

use super::ImportFault;

/// Meshes with more triangles or corners are refused.
pub const MAX_TRIANGLES: usize = 1_000_000;

/// Corners and faces of a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// In the file's unit.
    pub vertices: Vec<DVec3>,
    /// Three indices into the vertices each; none for points without faces.
    pub faces: Vec<[u32; 3]>,
}

impl Triangles {
    /// Reads a file's bytes; the end of its name says what it is.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, ImportFault> {
        let kind = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let read = match kind.as_str() {
            "stl" => from_file(stl_triangles(bytes, name)),
            "obj" => from_file(obj_triangles(bytes, name)),
            "msh" => msh(bytes),
            _ => Err("is of an unknown kind; expected a name that ends in .stl, .obj or .msh".to_string()),
        };
        let checked = read.and_then(|mesh| mesh.checked());
        checked.map_err(|why| ImportFault::File { path: name.to_string(), why })
    }

    /// The corners of the faces.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + Clone + '_ {
        self.faces.iter().map(|face| face.map(|index| self.vertices[index as usize]))
    }

    /// Refuses what is no mesh: too many or no corners, numbers that are not finite, faces of corners that are not there.
    pub fn checked(self) -> Result<Self, String> {
        if self.faces.len() > MAX_TRIANGLES || self.vertices.len() > 3 * MAX_TRIANGLES {
            return Err(format!("has more than {MAX_TRIANGLES} triangles"));
        }
        if self.vertices.len() < 4 {
            return Err(format!("has {} corners; a body has at least 4", self.vertices.len()));
        }
        if let Some(place) = self.vertices.iter().position(|corner| !corner.is_finite()) {
            return Err(format!("has a corner that is not finite, number {place}"));
        }
        let astray = |face: &[u32; 3]| face.iter().any(|&index| index as usize >= self.vertices.len());
        match self.faces.iter().position(astray) {
            Some(place) => Err(format!("has a face with a corner that is not there, number {place}")),
            None => Ok(self),
        }
    }
}

fn from_file(read: Result<mesh_file::Triangles, MeshFileError>) -> Result<Triangles, String> {
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

/// Four counts (corners, normals, texture coordinates, faces), then the numbers of each.
fn msh(bytes: &[u8]) -> Result<Triangles, String> {
    let short = || "is no MSH file: it breaks off".to_string();
    let (head, rest) = bytes.split_at_checked(16).ok_or_else(short)?;
    let count = |place: usize| {
        let number = i32::from_le_bytes([head[place], head[place + 1], head[place + 2], head[place + 3]]);
        usize::try_from(number).map_err(|_| format!("is no MSH file: it has the count {number}"))
    };
    let (corners, normals, texture, faces) = (count(0)?, count(4)?, count(8)?, count(12)?);
    let whole = 12 * (corners + normals + faces) + 8 * texture;
    if rest.len() != whole {
        return Err(format!("is no MSH file: it should have {} bytes and has {}", whole + 16, bytes.len()));
    }
    let (vertices, rest) = rest.split_at(12 * corners);
    let indices = &rest[12 * normals + 8 * texture..];
    let index = |chunk: &[u8]| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    let face = |chunk: &[u8]| [index(chunk), index(&chunk[4..]), index(&chunk[8..])];
    Ok(Triangles { vertices: points(vertices), faces: indices.chunks_exact(12).map(face).collect() })
}
