//! Meshes from files: Wavefront OBJ, and STL in its binary and its text form. Whatever a file holds, the answer is a
//! closed mesh or an error that names the file and the place, and memory stays in proportion to the file's length.

mod obj;
mod stl;
mod weld;

pub use obj::{obj_triangles, parse_obj};
pub use stl::{parse_stl, stl_triangles};
pub use weld::solid;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use glam::DVec3;
use thiserror::Error;

use crate::{MeshError, TriangleMesh};

/// Longer files are refused, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 29;

/// Triangles as a file has them: perhaps with holes, perhaps with a corner of its own for each triangle.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// In metres.
    pub vertices: Vec<DVec3>,
    /// Three indices into the vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a file gave no mesh.
#[derive(Debug, Error)]
pub enum MeshFileError {
    /// It cannot be read.
    #[error("{file}: cannot be read: {source}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is longer than [`MAX_FILE_BYTES`].
    #[error("{file}: longer than {MAX_FILE_BYTES} bytes")]
    TooLong {
        /// Name of the file.
        file: String,
    },
    /// Its name ends in neither `.obj` nor `.stl`.
    #[error("{file}: unknown kind of mesh file; expected a name that ends in .obj or .stl")]
    UnknownKind {
        /// Name of the file.
        file: String,
    },
    /// A line of a text file makes no sense.
    #[error("{file}, line {line}: {fault}")]
    Line {
        /// Name of the file.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// What was found and what was expected.
        fault: String,
    },
    /// A binary or text STL file breaks off or contradicts itself.
    #[error("{file}: {fault}")]
    Format {
        /// Name of the file.
        file: String,
        /// What was found and what was expected.
        fault: String,
    },
    /// The file can be read, but what it describes is not the boundary of a solid.
    #[error("{file}: not a solid: {source}")]
    NotSolid {
        /// Name of the file.
        file: String,
        /// The fault. Triangles are numbered from 0 in the order of the file, polygons cut into fans.
        source: MeshError,
    },
}

/// Reads a mesh from an `.obj` or `.stl` file. Coordinates are taken as metres.
pub fn load_mesh(path: impl AsRef<Path>) -> Result<TriangleMesh, MeshFileError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let parse = match extension.as_str() {
        "obj" => parse_obj,
        "stl" => parse_stl,
        _ => return Err(MeshFileError::UnknownKind { file }),
    };
    let unreadable = |source| MeshFileError::Unreadable { file: file.clone(), source };
    let opened = File::open(path).map_err(unreadable)?;
    // The system knows the length of a file, but a pipe or a device has none: the limit holds while reading too.
    let mut bytes = Vec::new();
    if opened.metadata().is_ok_and(|known| known.len() <= MAX_FILE_BYTES) {
        opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 <= MAX_FILE_BYTES {
            return parse(&bytes, &file);
        }
    }
    Err(MeshFileError::TooLong { file })
}
