//! Reading scenes from TOML and writing them.

mod file;
mod include;

use burgess_files::{Fault, FileError, read_toml};

use crate::check::{check_names, check_values};
use crate::error::{SceneError, without_file};
use crate::spec::SceneSpec;

pub use file::SceneFile;
pub use include::SceneFolder;

impl SceneSpec {
    /// Reads a scene from TOML and checks all that can be checked without other files. `file` is its name for messages.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, SceneError> {
        let scene = parse(text, file)?;
        let names = if scene.include.is_empty() { check_names(&scene) } else { Ok(()) };
        names.map_err(|error| error.in_toml(text, file))?;
        Ok(scene)
    }

    /// The scene as TOML that reads back as the same scene. Fails if the scene is not valid.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        check_values(self).map_err(without_file)?;
        toml::to_string(self).map_err(|error| SceneError::whole("scene", Fault::Syntax(error.to_string())))
    }
}

/// Reads and checks values, but not whether names exist: they may be in included files.
pub(crate) fn parse(text: &str, file: &str) -> Result<SceneSpec, SceneError> {
    let scene = read_toml(text, file).map_err(FileError::widen)?;
    check_values(&scene).map_err(|error| error.in_toml(text, file))?;
    Ok(scene)
}
