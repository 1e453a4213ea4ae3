//! Models of other programs become scenes.
//!
//! What a scene cannot say is left out with a [warning](ImportWarning), one for each kind; with
//! [`strict`](ImportOptions::strict) it is an error. What is wrong is always an [error](ImportError).

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

/// How a model is imported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Anything that is not supported is an error.
    pub strict: bool,
    /// The folder that the model's files may come from, which `package://` of URDF begins at; the model's own if left out.
    pub package_root: Option<PathBuf>,
    /// The base of a URDF model moves freely instead of standing in the world.
    pub floating_base: bool,
    /// Name of the keyframe to start from; the one called `start`, or the model's reference pose, if left out.
    pub keyframe: Option<String>,
}

/// A model as a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The scene; it needs no other files, but for meshes that are only shown.
    pub scene: SceneSpec,
    /// What was left out.
    pub warnings: Vec<ImportWarning>,
}

impl Imported {
    /// A model with what was left out, unless nothing may be.
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
