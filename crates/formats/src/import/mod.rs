//! Imports models of other programs as scenes.
//!
//! Features that a scene cannot represent are omitted with one [warning](ImportWarning) per feature; with
//! [`strict`](ImportOptions::strict) they are an error. An invalid model is always an [error](ImportError).

mod error;
mod files;
mod triangles;
mod warning;

use std::path::PathBuf;

pub use error::{ImportError, ImportFault};
pub use files::{MAX_ASSET_BYTES, ModelFolder, read_bytes};
pub use triangles::{MAX_TRIANGLES, Triangles};
pub use warning::{ImportWarning, Warnings};

use burgess_scene::spec::SceneSpec;

/// Options of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Treat unsupported features as errors.
    pub strict: bool,
    /// Folder that contains all files of the model and that URDF's `package://` refers to; by default the model's
    /// folder.
    pub package_root: Option<PathBuf>,
    /// Give the base link of a URDF model a free joint instead of fixing it to the world.
    pub floating_base: bool,
    /// Name of the keyframe to start from; by default the one named `start`, or else the reference pose.
    pub keyframe: Option<String>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The scene. It needs no other files except visual meshes.
    pub scene: SceneSpec,
    /// Features that were omitted.
    pub warnings: Vec<ImportWarning>,
}

impl Imported {
    /// Combines scene and warnings; fails if there are warnings and the import is strict.
    pub(crate) fn new(
        scene: SceneSpec,
        warnings: Warnings,
        file: &str,
        options: &ImportOptions,
    ) -> Result<Self, ImportError> {
        let warnings = warnings.into_list();
        if options.strict && !warnings.is_empty() {
            return Err(ImportError::file(file, ImportFault::Strict(warnings)));
        }
        Ok(Self { scene, warnings })
    }
}
