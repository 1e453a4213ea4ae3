//! Imports models and selects the format by the root element.

use std::path::Path;

use crate::import::{ImportError, ImportFault, ImportOptions, Imported, ModelFolder};
use crate::xml::Document;

/// Imports a model file. The root element selects the format: `<mujoco>` is MJCF, `<robot>` is URDF.
pub fn import_file(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Imported, ImportError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let document = Document::read(path, &name)?;
    let folder = ModelFolder::of(path, options).map_err(|fault| ImportError::file(&name, fault))?;
    match &*document.root.name {
        "mujoco" => crate::mjcf::import(document, &folder, options).map(Imported::from),
        "robot" => crate::urdf::import(&document.root, &folder, options),
        other => Err(document.root.fault(ImportFault::UnknownFormat { root: other.to_string() })),
    }
}
