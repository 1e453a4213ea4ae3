//! SCENE on the command line: the name of a built-in scene or creature, a scene or creature file, or a model of another
//! program.

use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};
use burgess_creature::builtin as creatures;
use burgess_creature::evaluation::Showing;
use burgess_formats::import::{ImportOptions, ImportWarning};
use burgess_formats::import_file;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneFile, builtin, recording};
use burgess_simulation::Simulation;

use crate::creature_argument::{Arena, find_creature};

/// A scene that was named on the command line.
pub enum Scene {
    Builtin(Box<SceneSpec>),
    File { name: String, file: Box<SceneFile> },
    Model { name: String, spec: Box<SceneSpec> },
    Creature(Box<Showing>),
}

impl Scene {
    /// Finds a scene or a creature. A built-in one comes before a file of the same name; `./NAME` is always a file. The arena is
    /// for creatures.
    pub fn find(word: &str, arena: &Arena) -> Result<Self> {
        if let Some(creature) = find_creature(word)? {
            return Ok(Self::Creature(Box::new(arena.show(&creature, word)?)));
        }
        if arena.is_given() {
            bail!("--task and --seed are for creatures, and '{word}' is none");
        }
        if let Some(known) = builtin::find(word) {
            return Ok(Self::Builtin(Box::new(known.spec())));
        }
        let path = Path::new(word);
        let is_file_name = path.extension().is_some() || word.contains(std::path::is_separator);
        if !is_file_name && !path.exists() {
            let lists = "`burgess scenes` and `burgess creatures` list all";
            bail!("there is no scene or creature called '{word}'; {}{lists}", suggestion(word));
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
            Self::Creature(showing) => showing.scene(),
        }
    }

    /// In a word.
    pub fn name(&self) -> &str {
        match self {
            Self::File { name, .. } | Self::Model { name, .. } if self.spec().name.is_empty() => name,
            _ => &self.spec().name,
        }
    }

    /// Has it a brain?
    pub fn is_creature(&self) -> bool {
        matches!(self, Self::Creature(_))
    }

    /// Puts it at the start.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene> {
        Ok(match self {
            Self::Builtin(spec) | Self::Model { spec, .. } => spec.run("", options)?,
            Self::File { file, .. } => file.run(options)?,
            Self::Creature(showing) => showing.run(options)?,
        })
    }

    /// From when to when something happens, in s: creatures settle first.
    pub fn span(&self, simulation: &Simulation) -> [f64; 2] {
        let step = simulation.step_length();
        let start = match self {
            Self::Creature(showing) => showing.rests_after(step).map_or(0.0, |steps| steps as f64 * step),
            _ => 0.0,
        };
        [start, self.spec().duration]
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
    let scenes = builtin::all().iter().map(|scene| scene.name);
    let names = scenes.chain(creatures::all().iter().map(|creature| creature.name));
    match &builtin::close_names(word, names)[..] {
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
