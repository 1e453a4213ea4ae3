//! The files that a model may use: those in its own folder (or the folder of its package) and below. A model from somebody
//! else must not read whatever it likes.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::{ImportFault, ImportOptions};

/// Larger meshes and height fields are refused, in bytes.
pub const MAX_ASSET_BYTES: u64 = 1 << 28;

/// A folder that nothing leads out of.
#[derive(Debug, Clone)]
pub struct ModelFolder {
    /// Where relative paths begin.
    folder: PathBuf,
    /// Links resolved; no file outside is read. None: no file is read at all.
    root: Option<PathBuf>,
    /// The model's own file, links resolved.
    model: PathBuf,
}

impl ModelFolder {
    /// The folder of a model's file, or the package around it if the options name one.
    pub fn of(model: &Path, options: &ImportOptions) -> Result<Self, ImportFault> {
        let parent = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = options.package_root.as_deref().unwrap_or(parent);
        let root = root.canonicalize().map_err(ImportFault::Unreadable)?;
        let model = model.canonicalize().map_err(ImportFault::Unreadable)?;
        Ok(Self { folder: parent.to_path_buf(), root: Some(root), model })
    }

    /// No folder: for a model that is only a text.
    pub fn none() -> Self {
        Self { folder: PathBuf::new(), root: None, model: PathBuf::new() }
    }

    /// Is a file that was found the model's own?
    pub fn is_model(&self, path: &Path) -> bool {
        self.model == path
    }

    /// Finds a file that a model names, in a folder that is relative to the model's. Nothing outside is ever found.
    pub fn find(&self, folder: &str, name: &str) -> Result<PathBuf, ImportFault> {
        self.inside(&self.folder, folder, name)
    }

    /// Finds a file relative to the package's folder.
    pub fn find_in_package(&self, name: &str) -> Result<PathBuf, ImportFault> {
        self.inside(self.root.as_deref().unwrap_or(Path::new("")), "", name)
    }

    fn inside(&self, start: &Path, folder: &str, name: &str) -> Result<PathBuf, ImportFault> {
        let refuse = |why: &str| ImportFault::File { path: name.to_string(), why: why.to_string() };
        let Some(root) = &self.root else {
            return Err(refuse("cannot be read, because the model is not in a folder"));
        };
        if name.is_empty() {
            return Err(refuse("has no name"));
        }
        // Windows' separators come with models, too.
        let written = PathBuf::from(Path::new(folder).join(name).to_string_lossy().replace('\\', "/"));
        let relative = |part| matches!(part, Component::Normal(_) | Component::CurDir | Component::ParentDir);
        if !written.components().all(relative) {
            return Err(refuse("has an absolute path; paths must be relative to the model's folder"));
        }
        let whole = start.join(written);
        let found = whole.canonicalize().map_err(|error| refuse(&format!("cannot be found: {error}")))?;
        if !found.starts_with(root) {
            return Err(refuse("leads out of the model's folder"));
        }
        if !found.is_file() {
            return Err(refuse("is no file"));
        }
        Ok(found)
    }
}

/// The bytes of a file that is not too long.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ImportFault> {
    let file = File::open(path).map_err(ImportFault::Unreadable)?;
    let mut bytes = Vec::new();
    // A pipe or a device has no length: the limit holds while reading.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ImportFault::Unreadable)?;
    if bytes.len() as u64 > limit { Err(ImportFault::TooLong { limit }) } else { Ok(bytes) }
}
