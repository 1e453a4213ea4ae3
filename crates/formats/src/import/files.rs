//! Resolves the files that a model refers to. Models come from untrusted sources, so only files below the model's
//! folder (or its package root) are read.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::{ImportFault, ImportOptions};

/// Maximum size of a mesh or height field file, in bytes.
pub const MAX_ASSET_BYTES: u64 = 1 << 28;

/// The folder that limits which files a model may read.
#[derive(Debug, Clone)]
pub struct ModelFolder {
    /// Base of relative paths.
    folder: PathBuf,
    /// Canonical path; no file outside is read. `None`: no file is read at all.
    root: Option<PathBuf>,
    /// Canonical path of the model file.
    model: PathBuf,
}

impl ModelFolder {
    /// Returns the folder of a model file, limited to the package root if the options give one.
    pub fn of(model: &Path, options: &ImportOptions) -> Result<Self, ImportFault> {
        let parent = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = match &options.package_root {
            Some(path) => {
                path.canonicalize().map_err(|error| ImportFault::PackageRoot { path: path.clone(), error })?
            }
            None => parent.canonicalize().map_err(ImportFault::Unreadable)?,
        };
        let model = model.canonicalize().map_err(ImportFault::Unreadable)?;
        Ok(Self { folder: parent.to_path_buf(), root: Some(root), model })
    }

    /// Returns a folder that contains no files, for a model given as text.
    pub fn none() -> Self {
        Self { folder: PathBuf::new(), root: None, model: PathBuf::new() }
    }

    /// Returns whether a canonical path is that of the model file itself.
    pub fn is_model(&self, path: &Path) -> bool {
        self.model == path
    }

    /// Finds a file by `name` in `folder`, which is relative to the model's folder. Files outside the root are refused.
    pub fn find(&self, folder: &str, name: &str) -> Result<PathBuf, ImportFault> {
        self.resolve(&self.folder, folder, name)
    }

    /// Finds a file relative to the package root.
    pub fn find_in_package(&self, name: &str) -> Result<PathBuf, ImportFault> {
        self.resolve(self.root.as_deref().unwrap_or(Path::new("")), "", name)
    }

    fn resolve(&self, start: &Path, folder: &str, name: &str) -> Result<PathBuf, ImportFault> {
        let refuse = |why: &str| ImportFault::File { path: name.to_string(), why: why.to_string() };
        let Some(root) = &self.root else {
            return Err(refuse("cannot be read, because the model was given as text and has no folder"));
        };
        if name.is_empty() {
            return Err(refuse("has an empty name"));
        }
        // Models written on Windows use backslashes.
        let written = PathBuf::from(Path::new(folder).join(name).to_string_lossy().replace('\\', "/"));
        let relative = |part| matches!(part, Component::Normal(_) | Component::CurDir | Component::ParentDir);
        if !written.components().all(relative) {
            return Err(refuse("has an absolute path; paths must be relative to the model's folder"));
        }
        let whole = start.join(written);
        let found = whole.canonicalize().map_err(|error| refuse(&format!("cannot be found: {error}")))?;
        if !found.starts_with(root) {
            return Err(refuse("is outside the model's folder"));
        }
        if !found.is_file() {
            return Err(refuse("is not a regular file"));
        }
        Ok(found)
    }
}

/// Reads a file of at most `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ImportFault> {
    let file = File::open(path).map_err(ImportFault::Unreadable)?;
    let mut bytes = Vec::new();
    // Pipes and devices report no length, so the limit is applied while reading.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ImportFault::Unreadable)?;
    if bytes.len() as u64 > limit { Err(ImportFault::TooLong { limit }) } else { Ok(bytes) }
}
