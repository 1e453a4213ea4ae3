//! Opening of an existing archive: for reading, which never changes the file, or for resuming, which may migrate it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::file::{lock, write_ahead};
use super::header::APPLICATION_ID;
use super::writing::ATTEMPT;
use super::{Archive, ArchiveError, Damage, WriteWait, schema};
use crate::individual::Id;

/// Time that a statement waits while another process holds SQLite's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

impl Archive {
    /// Opens an existing file to resume its run. A file that another version of the program wrote is refused. A file in
    /// an older format is checked as a whole and then migrated in one transaction. A refused file is not changed.
    pub fn open(file: &Path) -> Result<Self, ArchiveError> {
        require(file)?;
        let lock = lock(file, false)?;
        let (mut archive, format) = Self::connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        archive.verify_program()?;
        if format < schema::FORMAT {
            archive.check()?;
            drop(archive);
            migrate(file).map_err(|cause| ArchiveError::of_database(file, cause))?;
            (archive, _) = Self::connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        }
        if let Some(id) = archive.first_orphan()? {
            let what = "it is missing, although its parents are recorded: rows at the end were deleted";
            return Err(archive.damaged(Some(id), what.to_string()));
        }
        write_ahead(&archive.database).map_err(|cause| archive.failed(cause))?;
        archive.database.busy_timeout(ATTEMPT).map_err(|cause| archive.failed(cause))?;
        archive.lock = Some(lock);
        Ok(archive)
    }

    /// Opens an existing file to read it, possibly while another process writes to it. Files of all earlier releases
    /// can be read.
    pub fn open_read_only(file: &Path) -> Result<Self, ArchiveError> {
        require(file)?;
        Ok(Self::connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?.0)
    }

    /// Connects to a file, verifies its header and returns it with its format. Tables appear in the newest format.
    fn connect(file: &Path, flags: OpenFlags) -> Result<(Self, i64), ArchiveError> {
        let (mut archive, format) = Self::connect_unverified(file, flags)?;
        archive.count_rows()?;
        archive.verify_header()?;
        // Read after the individuals are counted, so that every intervention before one of them is included.
        archive.read_interventions()?;
        Ok((archive, format))
    }

    /// Connects to a file and returns it with its format. Only the format has been read.
    pub(super) fn connect_unverified(file: &Path, flags: OpenFlags) -> Result<(Self, i64), ArchiveError> {
        require(file)?;
        let failed = |cause| ArchiveError::of_database(file, cause);
        // Only SQLite may open the file: closing another handle would release the locks of this process.
        let database = Connection::open_with_flags(file, flags).map_err(failed)?;
        database.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        let format = read_format(&database, file)?;
        schema::emulate_newest(&database, format).map_err(failed)?;
        Ok((Self::unread(file, database), format))
    }

    /// An archive of which nothing has been read.
    pub(super) fn unread(file: &Path, database: Connection) -> Self {
        Self {
            file: file.to_path_buf(),
            database,
            count: 0,
            missing: BTreeSet::new(),
            damage: Damage::default(),
            link: 0,
            checked: 0,
            interventions: Vec::new(),
            wait: WriteWait::default(),
            is_displaced: false,
            lock: None,
        }
    }

    /// Counts the individuals and finds those that are missing.
    pub(super) fn count_rows(&mut self) -> Result<(), ArchiveError> {
        let query = "SELECT count(*), ifnull(max(id), -1) + 1 FROM individuals";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let (rows, count) = self.database.query_row(query, [], read).map_err(|cause| self.failed(cause))?;
        self.count = count as Id;
        if rows != count {
            let mut next = 0;
            for id in self.ids("SELECT id FROM individuals WHERE id >= ?1 ORDER BY id", 0)? {
                self.missing.extend(next..id);
                next = id + 1;
            }
        }
        Ok(())
    }
}

fn require(file: &Path) -> Result<(), ArchiveError> {
    if file.exists() { Ok(()) } else { Err(ArchiveError::Missing(file.to_path_buf())) }
}

/// Reads the format of the file, which is refused if this program cannot read it.
fn read_format(database: &Connection, file: &Path) -> Result<i64, ArchiveError> {
    let failed = |cause| ArchiveError::of_database(file, cause);
    let application: i64 = database.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)?;
    if application != APPLICATION_ID {
        return Err(ArchiveError::Foreign(file.to_path_buf()));
    }
    let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let (found, program) = database.query_row("SELECT format, program FROM run", [], read).map_err(failed)?;
    let file = file.to_path_buf();
    match found {
        schema::OLDEST_FORMAT..=schema::FORMAT => Ok(found),
        ..schema::OLDEST_FORMAT => {
            Err(ArchiveError::Damaged { file, id: None, what: format!("there is no format {found}") })
        }
        _ => Err(ArchiveError::NewerFormat { file, found, newest: schema::FORMAT, program }),
    }
}

/// Migrates a file to the newest format. A process that is killed meanwhile leaves the file as it was.
fn migrate(file: &Path) -> rusqlite::Result<()> {
    let mut database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database.busy_timeout(BUSY_TIMEOUT)?;
    write_ahead(&database)?;
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format: i64 = transaction.query_row("SELECT format FROM run", [], |row| row.get(0))?;
    schema::migrate(&transaction, format)?;
    transaction.commit()
}
