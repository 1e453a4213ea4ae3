//! Mesh files: Wavefront OBJ, and STL in binary and text form. Reading any file gives a closed mesh or an error with
//! the file name and the place, and uses memory in proportion to the length of the file.

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

/// Maximum length of a mesh file, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 29;

/// Triangles as stored in a file: the surface may have holes, and each triangle may have its own corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// Vertex positions, in metres.
    pub vertices: Vec<DVec3>,
    /// Three vertex indices for each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Why no mesh could be read from a file.
#[derive(Debug, Error)]
pub enum MeshFileError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The file is longer than [`MAX_FILE_BYTES`].
    #[error("{file}: longer than {MAX_FILE_BYTES} bytes")]
    TooLong {
        /// Name of the file.
        file: String,
    },
    /// The file name ends in neither `.obj` nor `.stl`.
    #[error("{file}: unknown mesh file type; expected a name that ends in .obj or .stl")]
    UnknownKind {
        /// Name of the file.
        file: String,
    },
    /// A line of a text file is malformed.
    #[error("{file}, line {line}: {fault}")]
    Line {
        /// Name of the file.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// What was found and what was expected.
        fault: String,
    },
    /// An STL file is truncated or inconsistent.
    #[error("{file}: {fault}")]
    Format {
        /// Name of the file.
        file: String,
        /// What was found and what was expected.
        fault: String,
    },
    /// The file is readable, but its triangles do not bound a solid.
    #[error("{file}: not a solid: {source}")]
    NotSolid {
        /// Name of the file.
        file: String,
        /// What is wrong with the mesh. Triangles are numbered from 0 in file order, with polygons triangulated as
        /// fans.
        source: MeshError,
    },
}

/// Reads a mesh from an `.obj` or `.stl` file. Coordinates are in metres.
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
    // A pipe or a device has no known length, so the limit is also enforced while reading.
    let mut bytes = Vec::new();
    if opened.metadata().is_ok_and(|known| known.len() <= MAX_FILE_BYTES) {
        opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 <= MAX_FILE_BYTES {
            return parse(&bytes, &file);
        }
    }
    Err(MeshFileError::TooLong { file })
}
