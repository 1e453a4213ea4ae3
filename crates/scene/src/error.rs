//! What can be wrong with a scene.

use burgess_files::{Fault, FileError};
use burgess_geometry::GeometryError;
use burgess_simulation::WorldError;
use thiserror::Error;

/// Why a scene was refused: the file, the line, the field, what was found and what was expected.
pub type SceneError = FileError<SceneFault>;

/// A fault of a field of a scene whose file and line are not known yet.
pub(crate) type FieldError = burgess_files::FieldError<SceneFault>;

/// Stands in errors in place of a file's name for scenes that were made in Rust.
const IN_MEMORY: &str = "scene";

/// What is wrong with a scene.
#[derive(Debug, Error)]
pub enum SceneFault {
    /// A fault that files of any kind can have.
    #[error(transparent)]
    File(#[from] Fault),
    /// The shape is not valid.
    #[error(transparent)]
    Shape(GeometryError),
    /// The mesh file has no usable mesh.
    #[error("{0}")]
    MeshFile(String),
    /// The simulator refuses the world.
    #[error(transparent)]
    World(WorldError),
    /// Two bodies overlap at the start.
    #[error(
        "'{a}' and '{b}' start {depth:.3e} m deep in each other; move them apart, exclude the pair, or set \
         simulation.allow_overlap = true"
    )]
    Overlap {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Penetration depth, in m.
        depth: f64,
    },
    /// A scene includes itself.
    #[error("'{0}' includes itself, directly or through other files")]
    Cycle(String),
}

/// The error of a scene that was made in Rust.
pub(crate) fn without_file(error: FieldError) -> SceneError {
    error.without_file(IN_MEMORY)
}
