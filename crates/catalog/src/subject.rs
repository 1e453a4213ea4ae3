//! Identification of what a user named.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use burgess_creature::{builtin as creatures, inhabited};
use burgess_evolution::Archive;
use burgess_geometry::manifold::{Recipe, SpaceName};
use burgess_scene::{builtin as scenes, recording};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{CatalogError, builtin_scenes};

/// Extension of the files of runs.
pub const RUN_EXTENSION: &str = "burgess";
/// End of the names of takes.
const TAKE_SUFFIX: &str = ".take.json";
/// Extensions of models of other programs.
const MODEL_EXTENSIONS: [&str; 3] = ["xml", "mjcf", "urdf"];
/// Extension of scene files.
const SCENE_EXTENSION: &str = "toml";
/// Extension of generator files of SnapPea.
pub const GENERATOR_EXTENSION: &str = "gens";
/// Larger JSON files are not examined when looking for takes, in bytes.
const MAX_TAKE_BYTES: u64 = 64 << 20;

/// What a user named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A scene.
    Scene(Origin),
    /// A creature.
    Creature(Origin),
    /// The file of a run.
    Run(PathBuf),
    /// An individual of a run.
    Individual {
        /// The file of the run.
        run: PathBuf,
        /// Id of the individual.
        id: u64,
    },
    /// A recording.
    Recording(PathBuf),
    /// A recorded session of the viewer.
    Take(PathBuf),
    /// A model of another program.
    Model(PathBuf),
    /// A curved space: built in, with its name, or in a generator file.
    Space(SpaceOrigin),
}

/// Where a curved space comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpaceOrigin {
    /// It is built into the program and has this name, such as `weeks` or `lens-7-2`.
    Builtin(String),
    /// It is in a generator file of SnapPea.
    File(PathBuf),
}

/// Where a scene or creature comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is built into the program and has this name.
    Builtin(&'static str),
    /// It is in a file.
    File(PathBuf),
}

impl Subject {
    /// Identifies what a word names. Files are examined only as far as needed to tell their kind.
    pub fn resolve(word: &str) -> Result<Self, CatalogError> {
        if let Some(known) = creatures::find(word) {
            return Ok(Self::Creature(Origin::Builtin(known.name)));
        }
        let scene = scenes::find(word).map(|known| known.name);
        if let Some(name) = scene.or_else(|| inhabited::find(word).map(|known| known.name)) {
            return Ok(Self::Scene(Origin::Builtin(name)));
        }
        if Recipe::named(word).is_some() {
            return Ok(Self::Space(SpaceOrigin::Builtin(word.to_string())));
        }
        let path = Path::new(word);
        if path.exists() {
            return Self::of_file(path);
        }
        if let Some((run, id)) = word.rsplit_once('#') {
            return individual(word, Path::new(run), id);
        }
        let is_file_name = path.extension().is_some() || word.contains(std::path::is_separator);
        Err(if is_file_name { CatalogError::Missing(path.to_path_buf()) } else { unknown(word) })
    }

    /// Identifies what a word names, where only a creature makes sense: a wrong name is told the names of creatures.
    pub fn resolve_creature(word: &str) -> Result<Self, CatalogError> {
        Self::resolve(word).map_err(|error| match error {
            CatalogError::Unknown { name, .. } => CatalogError::Unknown {
                what: "creature",
                suggestions: scenes::close_names(&name, creatures::all().iter().map(|creature| creature.name)),
                name,
                lists: "`burgess creatures` lists all",
            },
            other => other,
        })
    }

    /// Identifies a file.
    pub fn of_file(path: &Path) -> Result<Self, CatalogError> {
        if !path.exists() {
            return Err(CatalogError::Missing(path.to_path_buf()));
        }
        if path.is_dir() {
            return Err(CatalogError::Folder(path.to_path_buf()));
        }
        let file = path.to_path_buf();
        // The file of a run is not opened here: closing it would release the locks that SQLite holds in this process.
        if has_extension(path, &[RUN_EXTENSION]) {
            return Ok(Self::Run(file));
        }
        if has_extension(path, &["json"]) {
            return Ok(if is_take(path) { Self::Take(file) } else { Self::Creature(Origin::File(file)) });
        }
        if has_extension(path, &MODEL_EXTENSIONS) {
            return Ok(Self::Model(file));
        }
        if has_extension(path, &[GENERATOR_EXTENSION]) {
            return Ok(Self::Space(SpaceOrigin::File(file)));
        }
        if is_recording(path) {
            return Ok(Self::Recording(file));
        }
        if Archive::is_database(path) {
            return Ok(Self::Run(file));
        }
        if path.extension().is_some() && !has_extension(path, &[SCENE_EXTENSION]) {
            return Err(CatalogError::UnknownKind(file));
        }
        Ok(Self::Scene(Origin::File(file)))
    }

    /// The kind of the subject, with an article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Scene(_) => "a scene",
            Self::Creature(_) => "a creature",
            Self::Run(_) => "a run",
            Self::Individual { .. } => "an individual of a run",
            Self::Recording(_) => "a recording",
            Self::Take(_) => "a take",
            Self::Model(_) => "a model",
            Self::Space(_) => "a curved space",
        }
    }

    /// The file of the subject; for an individual, that of its run. Built-in subjects have none.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Scene(origin) | Self::Creature(origin) => match origin {
                Origin::Builtin(_) => None,
                Origin::File(path) => Some(path),
            },
            Self::Individual { run: path, .. }
            | Self::Run(path)
            | Self::Recording(path)
            | Self::Take(path)
            | Self::Space(SpaceOrigin::File(path))
            | Self::Model(path) => Some(path),
            Self::Space(SpaceOrigin::Builtin(_)) => None,
        }
    }

    /// An error that says that the subject is of the wrong kind.
    pub fn wrong_kind(&self, expected: &'static str) -> CatalogError {
        CatalogError::WrongKind { name: self.to_string(), found: self.kind(), expected }
    }
}

impl std::fmt::Display for Subject {
    /// Writes the subject as a user would name it.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Scene(Origin::Builtin(name)) | Self::Creature(Origin::Builtin(name)) => f.write_str(name),
            Self::Space(SpaceOrigin::Builtin(name)) => f.write_str(name),
            Self::Individual { run, id } => write!(f, "{}#{id}", run.display()),
            _ => self.file().map_or(Ok(()), |file| write!(f, "{}", file.display())),
        }
    }
}

fn individual(word: &str, run: &Path, id: &str) -> Result<Subject, CatalogError> {
    match Subject::of_file(run)? {
        Subject::Run(run) => {
            let not_a_number = |_| CatalogError::Id { name: word.to_string(), id: id.to_string() };
            Ok(Subject::Individual { run, id: id.parse().map_err(not_a_number)? })
        }
        other => Err(other.wrong_kind("a run before '#'")),
    }
}

fn unknown(word: &str) -> CatalogError {
    let names = builtin_scenes().into_iter().map(|(name, _)| name);
    let names = names.chain(creatures::all().iter().map(|creature| creature.name));
    let names = names.chain(SpaceName::ALL.iter().map(|space| space.name()));
    CatalogError::Unknown {
        what: "scene or creature",
        name: word.to_string(),
        suggestions: scenes::close_names(word, names),
        lists: "`burgess scenes` and `burgess creatures` list all",
    }
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|extension| known.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Whether a JSON file is a take, by its name or its content.
fn is_take(path: &Path) -> bool {
    /// The fields that every take has.
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Fields {
        source: IgnoredAny,
        latest: IgnoredAny,
        events: IgnoredAny,
    }
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    name.ends_with(TAKE_SUFFIX)
        || File::open(path)
            .is_ok_and(|file| serde_json::from_reader::<_, Fields>(BufReader::new(file.take(MAX_TAKE_BYTES))).is_ok())
}

/// Whether a file begins like a recording. A file that cannot be read does not.
pub fn is_recording(path: &Path) -> bool {
    let mut start = [0; recording::MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == recording::MAGIC
}
