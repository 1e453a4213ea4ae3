//! Writing to the file: waiting while another program locks it, and noticing that it was deleted or replaced.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::{Archive, ArchiveError};

/// Time that one attempt to write waits for SQLite's lock.
pub(super) const ATTEMPT: Duration = Duration::from_millis(500);
/// Time after which a write gives up, unless told otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_secs(300);

/// What a write does while another program locks the file.
pub struct WriteWait {
    /// Time after which the write fails with [`ArchiveError::Locked`].
    pub limit: Duration,
    /// Called about twice a second with the time waited so far. The write fails at once if it returns false.
    pub on_wait: Box<dyn Fn(Duration) -> bool + Send>,
}

impl Default for WriteWait {
    fn default() -> Self {
        Self { limit: DEFAULT_LIMIT, on_wait: Box::new(|_| true) }
    }
}

impl std::fmt::Debug for WriteWait {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("WriteWait").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Archive {
    /// Sets what writes do while another program locks the file.
    pub fn set_write_wait(&mut self, wait: WriteWait) {
        self.wait = wait;
    }

    /// Writes to the file. Repeats the attempt while another program locks the file.
    pub(super) fn write<T>(
        &mut self,
        write: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ArchiveError> {
        self.require_in_place()?;
        let start = Instant::now();
        loop {
            let cause = match write(&mut self.database) {
                Ok(done) => return Ok(done),
                Err(cause) => cause,
            };
            let is_locked =
                matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
            let waited = start.elapsed();
            if !is_locked || waited >= self.wait.limit || !(self.wait.on_wait)(waited) {
                return Err(self.failed(cause));
            }
        }
    }

    /// Checks that the name of the file still belongs to the file that this process has locked.
    fn require_in_place(&mut self) -> Result<(), ArchiveError> {
        if !self.is_displaced && self.lock.as_ref().is_some_and(|lock| !is_in_place(lock, &self.file)) {
            self.is_displaced = true;
            // The log has the old name, so its content is moved to the file, which may have been renamed. A log that
            // is left behind must be empty: SQLite would apply it to the new file of this name.
            let _ = self.database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
        if self.is_displaced { Err(ArchiveError::Displaced(self.file.clone())) } else { Ok(()) }
    }
}

/// Returns whether a path leads to an open file.
#[cfg(unix)]
pub(super) fn is_in_place(open: &fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (open.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(found)) => identity(open) == identity(found),
        (Ok(_), Err(error)) => error.kind() != std::io::ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

/// Returns whether a path leads to an open file. Other systems do not let an open file be replaced.
#[cfg(not(unix))]
pub(super) fn is_in_place(_: &fs::File, path: &Path) -> bool {
    path.exists()
}
