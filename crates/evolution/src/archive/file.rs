//! The file of an archive: its name, its lock, and SQLite's journal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::{Archive, ArchiveError};

/// First bytes of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

impl Archive {
    /// Returns whether the file is an SQLite database. It may still belong to another program.
    pub fn is_database(file: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        std::fs::File::open(file).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start)).is_ok()
            && start == *MAGIC
    }

    /// Names for the file of a run with the given task and seed in a folder: the default name, then numbered ones.
    pub fn files(folder: &Path, task: &str, seed: u64) -> impl Iterator<Item = PathBuf> {
        let plain: String = task.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let task = if plain.is_empty() { "task".to_string() } else { plain };
        (1_u64..).map(move |number| match number {
            1 => folder.join(format!("{task}-{seed}.burgess")),
            _ => folder.join(format!("{task}-{seed}-{number}.burgess")),
        })
    }
}

/// Number of attempts to lock a file, and the pause between them. A process that this one starts has a copy of the lock
/// for a moment, until it runs its own program.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks the file, so that one process writes at a time. The lock ends with the process, however that ends.
pub(super) fn lock(file: &Path, create: bool) -> Result<std::fs::File, ArchiveError> {
    let failed = |cause| ArchiveError::File { file: file.to_path_buf(), cause };
    let mut options = std::fs::OpenOptions::new();
    let opened = options.create(create).truncate(false).read(true).write(true).open(file).map_err(failed)?;
    for attempt in 1..=ATTEMPTS {
        match opened.try_lock() {
            Ok(()) => return Ok(opened),
            Err(std::fs::TryLockError::WouldBlock) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
            Err(std::fs::TryLockError::WouldBlock) => break,
            Err(std::fs::TryLockError::Error(cause)) => return Err(failed(cause)),
        }
    }
    Err(ArchiveError::InUse(file.to_path_buf()))
}

/// Writes new rows to a write-ahead log first. If the process is killed, SQLite recovers the log at the next opening.
pub(super) fn write_ahead(database: &Connection) -> rusqlite::Result<()> {
    database.pragma_update(None, "journal_mode", "WAL")?;
    database.pragma_update(None, "synchronous", "NORMAL")
}
