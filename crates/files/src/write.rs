//! Atomic writes.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many temporary files this process has named.
static TEMPORARY_FILES: AtomicU64 = AtomicU64::new(0);

/// Writes a whole file or nothing: writes to a temporary file beside it, syncs it to disk and renames it. The old file
/// stays until the new one is complete. Links are followed; devices and pipes are written to, never replaced.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let followed = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let path = followed.as_path();
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let temporary = temporary_name(path)?;
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
        return written;
    }
    sync_folder(path);
    Ok(())
}

/// A name beside the file, so that renaming stays on one disk, with the process id and a count, so that it is unique.
fn temporary_name(path: &Path) -> std::io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| std::io::Error::other("the path names no file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let count = TEMPORARY_FILES.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{count}.part", std::process::id()));
    Ok(path.with_file_name(temporary))
}

/// Syncs the folder of a file, which makes a rename durable. Errors are ignored: some systems cannot sync folders.
pub fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
