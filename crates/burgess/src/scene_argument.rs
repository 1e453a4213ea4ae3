//! SCENE on the command line: the name of a built-in scene, or a file.

use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneFile, builtin, recording};

/// A scene that was named on the command line.
pub enum Scene {
    Builtin(Box<SceneSpec>),
    File { name: String, file: Box<SceneFile> },
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
        Ok(Self::File { name: stem, file: Box::new(SceneFile::read(path)?) })
    }

    /// What it says.
    pub fn spec(&self) -> &SceneSpec {
        match self {
            Self::Builtin(spec) => spec,
            Self::File { file, .. } => file.spec(),
        }
    }

    /// In a word.
    pub fn name(&self) -> &str {
        match self {
            Self::File { name, file } if file.spec().name.is_empty() => name,
            _ => &self.spec().name,
        }
    }

    /// Puts it at the start.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene> {
        Ok(match self {
            Self::Builtin(spec) => spec.run("", options)?,
            Self::File { file, .. } => file.run(options)?,
        })
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
