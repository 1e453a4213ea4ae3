//! The folder of runs: where recordings and creatures are found by name. A name is the name of a file in that folder and
//! nothing else: what has a separator, leads upwards, or is a link out of the folder is refused.

use std::path::{Path, PathBuf};

use burgess_creature::AnyGenome;
use burgess_creature::task::Task;
use burgess_evolution::Archive;
use thiserror::Error;

use super::interference::short;

/// What the names of runs end with.
pub const RUN_ENDING: &str = "burgess";
/// Longer names are refused.
const LONGEST_NAME: usize = 200;

/// Why something was not found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LibraryError {
    /// The name of no file.
    #[error("'{0}' is no name of a file in the folder of runs")]
    Name(String),
    /// It is not there.
    #[error("there is no {what} called '{name}' in the folder of runs")]
    Missing {
        /// What was wanted.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// One of a run, with what it was evaluated by.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it grows from.
    pub genome: AnyGenome,
    /// What it was evaluated by.
    pub task: Task,
    /// Of its evaluation.
    pub seed: u64,
    /// In a word.
    pub title: String,
    /// Its number in the run.
    pub id: u64,
}

/// The folder of runs.
#[derive(Debug, Clone)]
pub struct Library {
    folder: PathBuf,
}

impl Library {
    /// Of a folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a file of a plain name is, or would be. One that is there is in the folder itself, not behind a link out of it.
    pub fn file(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let refused = || LibraryError::Name(short(name));
        let is_plain = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && !name.starts_with('.')
            && !name.contains(['/', '\\', ':'])
            && !name.chars().any(char::is_control)
            && Path::new(name).file_name().is_some_and(|plain| plain == name);
        if !is_plain {
            return Err(refused());
        }
        let path = self.folder.join(name);
        if let (Ok(folder), Ok(real)) = (self.folder.canonicalize(), path.canonicalize()) {
            return if real.parent() == Some(folder.as_path()) { Ok(real) } else { Err(refused()) };
        }
        // Also a link that leads nowhere leads out.
        if path.is_symlink() { Err(refused()) } else { Ok(path) }
    }

    fn existing(&self, what: &'static str, name: &str) -> Result<PathBuf, LibraryError> {
        let path = self.file(name)?;
        let missing = || LibraryError::Missing { what, name: short(name) };
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }

    /// A recording that is there. Files of runs are left alone: to open and close one as a plain file would take away the locks that
    /// this process has on it as a database.
    pub fn recording(&self, name: &str) -> Result<PathBuf, LibraryError> {
        if name.contains(&format!(".{RUN_ENDING}")) {
            return Err(LibraryError::Name(short(name)));
        }
        self.existing("recording", name)
    }

    /// The file of a run that is there; its name is without the ending.
    pub fn run(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let file = format!("{name}.{RUN_ENDING}");
        self.existing("run", &file).map_err(|error| match error {
            LibraryError::Missing { what, .. } => LibraryError::Missing { what, name: short(name) },
            LibraryError::Name(_) => LibraryError::Name(short(name)),
            other => other,
        })
    }

    /// One of a run, or its champion.
    pub fn individual(&self, run: &str, id: Option<u64>) -> Result<Found, LibraryError> {
        let path = self.run(run)?;
        let unreadable = |error: burgess_evolution::ArchiveError| LibraryError::Unreadable(error.to_string());
        let archive = Archive::look(&path).map_err(unreadable)?;
        let one = match id {
            Some(id) => archive.individual(id),
            None => archive.champion(),
        };
        let one = one.map_err(unreadable)?;
        let task = archive.task_of(&one).map_err(unreadable)?;
        Ok(Found { title: format!("{run}-{}", one.id), task, seed: one.seed, id: one.id, genome: one.genome })
    }
}
