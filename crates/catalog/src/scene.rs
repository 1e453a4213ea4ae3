//! Loading of scenes: built-in ones, scene files, and models of other programs.

use burgess_creature::inhabited::{self, InhabitedScene};
use burgess_formats::import::{ImportOptions, ImportWarning};
use burgess_formats::import_file;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneError, SceneFile, builtin};

use crate::{CatalogError, Origin, Subject};

/// Names and descriptions of all built-in scenes, sorted by name.
pub fn builtin_scenes() -> Vec<(&'static str, &'static str)> {
    let plain = builtin::all().iter().map(|scene| (scene.name, scene.description));
    let inhabited = inhabited::all().iter().map(|scene| (scene.name, scene.description));
    let mut all: Vec<_> = plain.chain(inhabited).collect();
    all.sort_unstable();
    all
}

/// A scene that was loaded.
#[derive(Debug)]
pub struct Scene {
    name: String,
    content: Content,
    /// What was left out of a model when it was imported.
    pub warnings: Vec<ImportWarning>,
}

#[derive(Debug)]
enum Content {
    Spec(Box<SceneSpec>),
    /// A scene with creatures in it.
    Inhabited(Box<InhabitedScene>),
    /// A scene file, which knows the positions of its parts for error messages.
    File(Box<SceneFile>),
}

impl Scene {
    /// Loads a built-in scene.
    pub fn builtin(name: &str) -> Result<Self, CatalogError> {
        let unknown = || CatalogError::Unknown {
            what: "scene",
            name: name.to_string(),
            suggestions: builtin::close_names(name, builtin_scenes().into_iter().map(|(name, _)| name)),
            lists: "`burgess scenes` lists all",
        };
        if let Some(known) = inhabited::find(name) {
            let content = Content::Inhabited(Box::new(known.scene()));
            return Ok(Self { name: name.to_string(), content, warnings: Vec::new() });
        }
        Ok(Self::of_spec(builtin::find(name).ok_or_else(unknown)?.spec()))
    }

    /// The creatures of the scene with their brains, if it has any.
    pub fn inhabited(&self) -> Option<&InhabitedScene> {
        match &self.content {
            Content::Inhabited(scene) => Some(scene),
            _ => None,
        }
    }

    fn of_spec(spec: SceneSpec) -> Self {
        Self { name: spec.name.clone(), content: Content::Spec(Box::new(spec)), warnings: Vec::new() }
    }

    /// The content of the scene.
    pub fn spec(&self) -> &SceneSpec {
        match &self.content {
            Content::Spec(spec) => spec,
            Content::Inhabited(scene) => scene.scene(),
            Content::File(file) => file.spec(),
        }
    }

    /// The name that the scene has, or that of its file.
    pub fn name(&self) -> &str {
        if self.spec().name.is_empty() { &self.name } else { &self.spec().name }
    }

    /// Builds the world of the scene at its start.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        match &self.content {
            Content::Spec(spec) => spec.run("", options),
            Content::Inhabited(scene) => scene.run(options),
            Content::File(file) => file.run(options),
        }
    }
}

impl Subject {
    /// Loads a scene or a model.
    pub fn scene(&self) -> Result<Scene, CatalogError> {
        let stem = self.file().and_then(|file| file.file_stem());
        let name = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        match self {
            Self::Scene(Origin::Builtin(name)) => Scene::builtin(name),
            Self::Scene(Origin::File(path)) => {
                let file = Box::new(SceneFile::read(path)?);
                Ok(Scene { name, content: Content::File(file), warnings: Vec::new() })
            }
            Self::Model(path) => {
                let imported = import_file(path, &ImportOptions::default())?;
                Ok(Scene { name, warnings: imported.warnings, ..Scene::of_spec(imported.scene) })
            }
            other => Err(other.wrong_kind("a scene or a model")),
        }
    }
}
