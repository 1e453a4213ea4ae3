//! The run directory, in which clients find runs and recordings by name. A name is that of a file in the directory: a
//! name with a separator or `..`, or of a link to a file elsewhere, is refused.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use burgess_catalog::{Creature, RUN_EXTENSION};
use burgess_files::{read_text, write_atomically};
use thiserror::Error;

use super::edit::short;
use super::scene_text::MAX_TEXT_BYTES;

/// Maximum length of a name, in bytes.
pub const MAX_NAME_BYTES: usize = 200;
/// End of the names of scene files.
pub const SCENE_SUFFIX: &str = ".toml";

/// Reason why a file of the run directory cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LibraryError {
    /// The name is not that of a file in the directory.
    #[error("'{0}' is not the name of a file in the run directory")]
    Name(String),
    /// There is no such file.
    #[error("there is no {what} called '{name}' in the run directory")]
    Missing {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// The run directory.
#[derive(Debug, Clone)]
pub struct Library {
    folder: PathBuf,
}

impl Library {
    /// Creates a library for a directory, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file with a plain name. A file that exists is in the directory itself, not behind a link to
    /// another one.
    pub fn file(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let refused = || LibraryError::Name(short(name));
        let is_plain = !name.is_empty()
            && name.len() <= MAX_NAME_BYTES
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
        // A broken link is refused, too.
        if path.is_symlink() { Err(refused()) } else { Ok(path) }
    }

    fn existing(&self, what: &'static str, name: &str) -> Result<PathBuf, LibraryError> {
        let path = self.file(name)?;
        let missing = || LibraryError::Missing { what, name: short(name) };
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }

    /// The path of an existing recording. Files of runs are not opened: closing one as a plain file would release the
    /// locks that this process holds on it as a database.
    pub fn recording(&self, name: &str) -> Result<PathBuf, LibraryError> {
        if name.contains(&format!(".{RUN_EXTENSION}")) {
            return Err(LibraryError::Name(short(name)));
        }
        self.existing("recording", name)
    }

    /// The text of a scene file.
    pub fn scene_text(&self, name: &str) -> Result<String, LibraryError> {
        let path = self.existing("scene file", scene_name(name)?)?;
        let unreadable = |why: String| LibraryError::Unreadable(format!("'{}' {why}", short(name)));
        let bytes = path.metadata().map_err(|error| unreadable(format!("cannot be read: {error}")))?.len();
        if bytes > MAX_TEXT_BYTES as u64 {
            return Err(unreadable(format!("has {bytes} bytes, expected at most {MAX_TEXT_BYTES}")));
        }
        read_text(&path).map_err(|fault| unreadable(fault.to_string()))
    }

    /// Writes a scene file as a whole or not at all. Without `overwrite`, an existing file is kept and false returned.
    pub fn write_scene(&self, name: &str, text: &str, overwrite: bool) -> Result<bool, LibraryError> {
        let path = self.file(scene_name(name)?)?;
        let failed = |error: std::io::Error| {
            LibraryError::Unreadable(format!("'{}' cannot be written: {}", short(name), error.kind()))
        };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        // Creating the file reserves its name, so that of two requests at once only one succeeds.
        let created = match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && overwrite && path.is_file() => false,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            Err(error) => return Err(failed(error)),
        };
        write_atomically(&path, text.as_bytes()).map_err(|error| {
            if created {
                // The first error is the one to report.
                let _ = fs::remove_file(&path);
            }
            failed(error)
        })?;
        Ok(true)
    }

    /// The path of an existing run; the name is without the extension.
    pub fn run(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let file = format!("{name}.{RUN_EXTENSION}");
        self.existing("run", &file).map_err(|error| match error {
            LibraryError::Missing { what, .. } => LibraryError::Missing { what, name: short(name) },
            LibraryError::Name(_) => LibraryError::Name(short(name)),
            other => other,
        })
    }

    /// Loads an individual of a run, or its champion. The archive is not verified.
    pub fn individual(&self, run: &str, id: Option<u64>) -> Result<Creature, LibraryError> {
        let loaded = Creature::of_run(&self.run(run)?, id, false);
        loaded.map_err(|error| LibraryError::Unreadable(error.to_string()))
    }
}

/// Checks that a name can be that of a scene file.
fn scene_name(name: &str) -> Result<&str, LibraryError> {
    let is_scene = name.ends_with(SCENE_SUFFIX) && !name.contains(&format!(".{RUN_EXTENSION}"));
    if is_scene { Ok(name) } else { Err(LibraryError::Name(short(name))) }
}
