//! Creation of an archive.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use burgess_creature::random::GENERATOR;
use burgess_creature::store;
use rusqlite::{Connection, params};

use super::file::{lock, write_ahead};
use super::header::{APPLICATION_ID, Founder, first_link, header_hash};
use super::writing::{ATTEMPT, is_in_place};
use super::{Archive, ArchiveError, schema};
use crate::Version;
use crate::config::RunConfig;

/// What is written before the first individual.
pub(super) struct Header {
    pub program: String,
    pub generator: String,
    pub config: String,
    pub evaluations: u64,
    pub name: String,
    pub founders: Vec<Founder>,
}

impl Header {
    fn new(config: &RunConfig, founders: &[Founder]) -> Self {
        Self {
            program: Version::own().to_string(),
            generator: GENERATOR.to_string(),
            // The number of evaluations is kept apart from the configuration, because a run may be extended.
            config: RunConfig { evaluations: 0, ..config.clone() }.as_stored(),
            evaluations: config.evaluations,
            name: unique_name(),
            founders: founders.to_vec(),
        }
    }
}

impl Archive {
    /// Creates a new file.
    pub fn create(file: &Path, config: &RunConfig, founders: &[Founder]) -> Result<Self, ArchiveError> {
        let header = Header::new(config, founders);
        let lock = create_with(file, &header, |_| Ok(()))?;
        let failed = |cause| ArchiveError::of_database(file, cause);
        let database = Connection::open(file).map_err(failed)?;
        database.busy_timeout(ATTEMPT).map_err(failed)?;
        write_ahead(&database).map_err(failed)?;
        let mut archive = Self::unread(file, database);
        (archive.link, archive.lock) = (first_link(&header.config, founders), Some(lock));
        Ok(archive)
    }

    /// Creates a new file in a folder, with the first of [these names](Self::files) that is free, even if other
    /// processes do the same at the same time.
    pub fn create_in(folder: &Path, config: &RunConfig, founders: &[Founder]) -> Result<Self, ArchiveError> {
        let mut files = Self::files(folder, &config.task.name, config.seed).filter(|file| !file.exists());
        loop {
            let file = files.next().unwrap_or_default();
            match Self::create(&file, config, founders) {
                Err(ArchiveError::Exists(_) | ArchiveError::InUse(_)) => {}
                other => return other,
            }
        }
    }
}

/// Creates a file with a header and whatever `fill` adds, and returns its lock. It is written under a temporary name
/// and then renamed, so that a killed process leaves no partial file. An existing file is never replaced.
pub(super) fn create_with(
    file: &Path,
    header: &Header,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<std::fs::File, ArchiveError> {
    if file.exists() {
        return Err(ArchiveError::Exists(file.to_path_buf()));
    }
    let temporary = PathBuf::from(format!("{}.new", file.display()));
    let in_use = |error| match error {
        ArchiveError::InUse(_) => ArchiveError::InUse(file.to_path_buf()),
        other => other,
    };
    let lock = lock(&temporary, true).map_err(in_use)?;
    // Another process may have removed the file before this one locked it.
    if !is_in_place(&lock, &temporary) {
        return Err(ArchiveError::InUse(file.to_path_buf()));
    }
    // A killed process may have left content. A live one would hold the lock.
    lock.set_len(0).map_err(|cause| ArchiveError::File { file: temporary.clone(), cause })?;
    let written = write_all(&temporary, header, fill).map_err(|cause| ArchiveError::of_database(file, cause));
    let named = written.and_then(|()| give_name(&temporary, file));
    let _ = std::fs::remove_file(&temporary);
    named.map(|()| lock)
}

/// Gives a file another name, which no other file may have.
fn give_name(temporary: &Path, file: &Path) -> Result<(), ArchiveError> {
    let failed = |cause| ArchiveError::File { file: file.to_path_buf(), cause };
    match std::fs::hard_link(temporary, file) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(ArchiveError::Exists(file.to_path_buf())),
        // Some file systems have no hard links. Renaming replaces a file that appears just now.
        Err(_) if file.exists() => Err(ArchiveError::Exists(file.to_path_buf())),
        Err(_) => std::fs::rename(temporary, file).map_err(failed),
    }
}

fn write_all(
    file: &Path,
    header: &Header,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let Header { program, generator, config, evaluations, name, founders } = header;
    let mut database = Connection::open(file)?;
    let transaction = database.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    schema::create_oldest(&transaction)?;
    let hash = header_hash(program, generator, config, founders) as i64;
    let insert = "INSERT INTO run (format, program, generator, config, seal, evaluations, name)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let row = params![schema::OLDEST_FORMAT, program, generator, config, hash, *evaluations as i64, name];
    transaction.execute(insert, row)?;
    schema::migrate(&transaction, schema::OLDEST_FORMAT)?;
    for (number, Founder { genome, origin }) in founders.iter().enumerate() {
        let row = params![number as i64, store::store(genome), origin];
        transaction.execute("INSERT INTO founders (number, genome, origin) VALUES (?1, ?2, ?3)", row)?;
    }
    fill(&transaction)?;
    transaction.commit()
}

/// A random name. The operating system's randomness seeds the hashes of the standard library.
fn unique_name() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one("a run"))
}
