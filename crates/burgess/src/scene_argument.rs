//! SCENE on the command line: the name of a built-in scene, a scene file, or a model of another program.

use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};
use burgess_scene::import::{ImportOptions, ImportWarning, import_file};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneFile, builtin, recording};

/// A scene that was named on the command line.
pub enum Scene {
    Builtin(Box<SceneSpec>),
    File { name: String, file: Box<SceneFile> },
    Model { name: String, spec: Box<SceneSpec> },
}

impl Scene {
    /// Finds a scene. A built-in one comes before a file of the same name; `./NAME` is always a file.
    pub fn find(word: &str) -> Result<Self> {
        if let Some(known) = builtin::find(word) {
            return Ok(Self::Builtin(Box::new(known.spec())));
        }
        let path = Path::new(word);
        let is_file_name = path.extension().is_some() || word.contains(std::path::is_separator);
        if !is_file_name && !path.exists() {
            bail!("there is no scene called '{word}'; {}`burgess scenes` lists all", suggestion(word));
        }
        if is_recording(path) {
            bail!("'{word}' is a recording, not a scene; `burgess watch` shows it");
        }
        let stem = path.file_stem().map_or_else(|| word.to_string(), |stem| stem.to_string_lossy().into_owned());
        if is_model(path) {
            let imported = import_file(path, &ImportOptions::default())?;
            tell_warnings(&imported.warnings);
            return Ok(Self::Model { name: stem, spec: Box::new(imported.scene) });
        }
        Ok(Self::File { name: stem, file: Box::new(SceneFile::read(path)?) })
    }

    /// What it says.
    pub fn spec(&self) -> &SceneSpec {
        match self {
            Self::Builtin(spec) | Self::Model { spec, .. } => spec,
            Self::File { file, .. } => file.spec(),
        }
    }

    /// In a word.
    pub fn name(&self) -> &str {
        match self {
            Self::File { name, .. } | Self::Model { name, .. } if self.spec().name.is_empty() => name,
            _ => &self.spec().name,
        }
    }

    /// Puts it at the start.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene> {
        Ok(match self {
            Self::Builtin(spec) | Self::Model { spec, .. } => spec.run("", options)?,
            Self::File { file, .. } => file.run(options)?,
        })
    }
}

/// Is a file a model of another program, by its name?
pub fn is_model(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["xml", "mjcf", "urdf"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Says what of a model was left out.
pub fn tell_warnings(warnings: &[ImportWarning]) {
    for warning in warnings {
        eprintln!("burgess: {warning}");
    }
}

fn suggestion(word: &str) -> String {
    match &builtin::close_names(word)[..] {
        [] => String::new(),
        [last] => format!("did you mean '{last}'? "),
        [names @ .., last] => format!("did you mean '{}' or '{last}'? ", names.join("', '")),
    }
}

/// Does a file begin as recordings do? Files that cannot be read do not.
pub fn is_recording(path: &Path) -> bool {
    let mut start = [0; recording::MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == recording::MAGIC
}
