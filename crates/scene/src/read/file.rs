//! Scene files: read with their includes, and written atomically.

use std::path::Path;

use burgess_files::{At, Fault, Step, read_text, write_atomically};

use super::include::{self, AllFiles, Merged, SceneFolder};
use crate::build::{BuiltScene, build};
use crate::error::{FieldError, SceneError, SceneFault, without_file};
use crate::run::{RunOptions, RunningScene, run};
use crate::spec::SceneSpec;

/// A scene from a file, with its includes.
#[derive(Debug, Clone)]
pub struct SceneFile {
    merged: Merged,
}

impl SceneFile {
    /// Reads a file and its includes.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let text = read_text(path).map_err(|fault| SceneError::whole(path.display().to_string(), fault))?;
        Ok(Self { merged: include::read(path, text, &AllFiles)? })
    }

    /// Reads a scene from its text. `name` is the name of the text in messages; a folder gives access to the files that
    /// the scene names.
    pub fn from_text(text: &str, name: &str, folder: &dyn SceneFolder) -> Result<Self, SceneError> {
        Ok(Self { merged: include::read(Path::new(name), text.to_string(), folder)? })
    }

    /// The same scene with all meshes of its shapes in it, as [`SceneSpec::self_contained`]. Errors point to the file
    /// that a body came from.
    pub fn self_contained(mut self, folder: impl AsRef<Path>) -> Result<Self, SceneError> {
        let scene = self.merged.scene.with_meshes(folder.as_ref()).map_err(|error| self.trace(error))?;
        self.merged.scene = scene;
        Ok(self)
    }

    /// The scene, with all includes merged into it and paths of meshes relative to the current folder.
    pub fn spec(&self) -> &SceneSpec {
        &self.merged.scene
    }

    /// Builds the world. Errors point to the file that a body came from.
    pub fn build(&self) -> Result<BuiltScene, SceneError> {
        build(&self.merged.scene, Path::new("")).map_err(|error| self.trace(error))
    }

    /// Builds the world and sets it to the start. Errors point to the file that a body came from.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        run(&self.merged.scene, Path::new(""), options).map_err(|error| self.trace(error))
    }

    /// Finds the file and the line of a field of the merged scene.
    fn trace(&self, mut error: FieldError) -> SceneError {
        let mut source = 0;
        if let [Step::Field(list), Step::Index(index), ..] = &mut error.path.0[..]
            && list == "bodies"
            && let Some(&(origin, place)) = self.merged.origins.get(*index)
        {
            (source, *index) = (origin, place);
        }
        match self.merged.sources.get(source) {
            Some((file, text)) => error.in_toml(text, file),
            None => without_file(error),
        }
    }
}

impl SceneSpec {
    /// Writes the scene to a file atomically.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SceneError> {
        let path = path.as_ref();
        let text = self.to_toml()?;
        write_atomically(path, text.as_bytes())
            .map_err(|error| SceneError::whole(path.display().to_string(), Fault::Unwritable(error)))
    }
}

/// A fault at a field of an including file.
pub(super) fn at_include(
    index: usize,
    field: &str,
    fault: impl Into<SceneFault>,
    text: &str,
    file: &str,
) -> SceneError {
    let list = At::ROOT.field("include");
    list.index(index).field(field).fault(fault).in_toml(text, file)
}
