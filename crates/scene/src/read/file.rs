//! Scene files: read with everything that they include, and written whole or not at all.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::include::{self, Merged};
use super::{MAX_FILE_BYTES, located};
use crate::build::{BuiltScene, build};
use crate::error::{At, Fault, FieldPath, Location, Misfit, SceneError, Step};
use crate::run::{RunOptions, RunningScene, run};
use crate::spec::SceneSpec;

/// How many temporary files this process has named.
static TEMPORARY_FILES: AtomicU64 = AtomicU64::new(0);

/// A scene from a file, with all that it includes.
#[derive(Debug, Clone)]
pub struct SceneFile {
    merged: Merged,
}

impl SceneFile {
    /// Reads a file and all that it includes.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Ok(Self { merged: include::read(path.as_ref())? })
    }

    /// The scene, with all includes merged into it and paths of meshes made such that they hold from the present folder.
    pub fn spec(&self) -> &SceneSpec {
        &self.merged.scene
    }

    /// Makes the world. Errors point to the file that a body came from.
    pub fn build(&self) -> Result<BuiltScene, SceneError> {
        build(&self.merged.scene, Path::new("")).map_err(|misfit| self.trace(misfit))
    }

    /// Makes the world and puts it at the start. Errors point to the file that a body came from.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        run(&self.merged.scene, Path::new(""), options).map_err(|misfit| self.trace(misfit))
    }

    /// Finds the file and the line of a field of the merged scene.
    fn trace(&self, mut misfit: Misfit) -> SceneError {
        let mut source = 0;
        if let [Step::Field(list), Step::Index(index), ..] = &mut misfit.path.0[..]
            && list == "bodies"
            && let Some(&(origin, place)) = self.merged.origins.get(*index)
        {
            (source, *index) = (origin, place);
        }
        match self.merged.sources.get(source) {
            Some((file, text)) => located(misfit, text, file),
            None => misfit.without_file(),
        }
    }
}

impl SceneSpec {
    /// Writes the scene to a file, whole or not at all.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SceneError> {
        let path = path.as_ref();
        let text = self.to_toml()?;
        write_atomically(path, text.as_bytes()).map_err(|error| whole_file(path, Fault::Unwritable(error)))
    }
}

pub(super) fn whole_file(path: &Path, fault: Fault) -> SceneError {
    let file = Some(path.display().to_string());
    SceneError { location: Location { file, line: None, field: FieldPath::default() }, fault: Box::new(fault) }
}

/// The text of a file that is not too long.
pub(super) fn read_text(path: &Path) -> Result<String, Fault> {
    let file = File::open(path).map_err(Fault::Unreadable)?;
    let mut bytes = Vec::new();
    // A pipe or a device has no length: the limit holds while reading.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Fault::TooLong { limit: MAX_FILE_BYTES });
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Fault::Syntax(format!("is not UTF-8 text: byte {offset} makes no letter"))
    })
}

/// Writes a file whole or not at all: to another name beside it, through to the disk, then renamed. What was there before
/// stays until the new one is complete. Links are followed, and devices and pipes are written to, never replaced.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let followed = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let path = followed.as_path();
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let other = temporary_name(path)?;
    let written = (|| {
        let mut file = File::create(&other)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&other, path)
    })();
    if written.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&other);
        return written;
    }
    sync_folder(path);
    Ok(())
}

/// Beside the file, so that renaming stays on one disk; with the process and a count in it, so that two do not mix.
fn temporary_name(path: &Path) -> std::io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| std::io::Error::other("the path names no file"))?;
    let mut other = std::ffi::OsString::from(".");
    other.push(name);
    let count = TEMPORARY_FILES.fetch_add(1, Ordering::Relaxed);
    other.push(format!(".{}-{count}.part", std::process::id()));
    Ok(path.with_file_name(other))
}

/// Makes a renaming last; systems that cannot do this do without.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// A fault at a field of an including file.
pub(super) fn at_include(index: usize, field: &str, fault: Fault, text: &str, file: &str) -> SceneError {
    let list = At::ROOT.field("include");
    located(list.index(index).field(field).fault(fault), text, file)
}
