//! Creation of an archive.

use std::path::{Path, PathBuf};

use burgess_creature::random::GENERATOR;
use burgess_creature::store;
use rusqlite::{Connection, params};

use super::file::{lock, write_ahead};
use super::header::{APPLICATION_ID, Founder, first_link, header_hash};
use super::{Archive, ArchiveError, schema};
use crate::Version;
use crate::config::RunConfig;

impl Archive {
    /// Creates a new file. It is written under a temporary name and then renamed, so that a killed process leaves no
    /// partial file.
    pub fn create(file: &Path, config: &RunConfig, founders: &[Founder]) -> Result<Self, ArchiveError> {
        if file.exists() {
            return Err(ArchiveError::Exists(file.to_path_buf()));
        }
        let temporary = PathBuf::from(format!("{}.new", file.display()));
        let lock = lock(&temporary, true)?;
        // A killed process may have left content. A live one would hold the lock.
        lock.set_len(0).map_err(|cause| ArchiveError::File { file: temporary.clone(), cause })?;
        // The number of evaluations is kept apart from the configuration, because a run may be extended.
        let text = RunConfig { evaluations: 0, ..config.clone() }.as_stored();
        let written = write_header(&temporary, &text, config.evaluations, founders)
            .map_err(|cause| ArchiveError::of_database(file, cause));
        let rename = |()| {
            std::fs::rename(&temporary, file).map_err(|cause| ArchiveError::File { file: file.to_path_buf(), cause })
        };
        if let Err(error) = written.and_then(rename) {
            let _ = std::fs::remove_file(&temporary);
            return Err(error);
        }
        let failed = |cause| ArchiveError::of_database(file, cause);
        let database = Connection::open(file).map_err(failed)?;
        write_ahead(&database).map_err(failed)?;
        Ok(Self {
            file: file.to_path_buf(),
            database,
            count: 0,
            link: first_link(&text, founders),
            checked: 0,
            interventions: Vec::new(),
            lock: Some(lock),
        })
    }
}

fn write_header(file: &Path, config: &str, evaluations: u64, founders: &[Founder]) -> rusqlite::Result<()> {
    let mut database = Connection::open(file)?;
    let transaction = database.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    schema::create_oldest(&transaction)?;
    let program = Version::own().to_string();
    let hash = header_hash(&program, GENERATOR, config, founders) as i64;
    let insert = "INSERT INTO run (format, program, generator, config, seal, evaluations, name)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let row = params![schema::OLDEST_FORMAT, program, GENERATOR, config, hash, evaluations as i64, unique_name()];
    transaction.execute(insert, row)?;
    schema::migrate(&transaction, schema::OLDEST_FORMAT)?;
    for (number, Founder { genome, origin }) in founders.iter().enumerate() {
        let row = params![number as i64, store::store(genome), origin];
        transaction.execute("INSERT INTO founders (number, genome, origin) VALUES (?1, ?2, ?3)", row)?;
    }
    transaction.commit()
}

/// A random name. The operating system's randomness seeds the hashes of the standard library.
fn unique_name() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one("a run"))
}
