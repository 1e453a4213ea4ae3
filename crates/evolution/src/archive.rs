//! The archive of a run: one SQLite file with the configuration and everybody who was ever evaluated.
//!
//! Rows are written in the order of the individuals, each with a link of a chain: a hash over its contents and the link
//! before. The last link is the hash of the whole archive, a damaged or changed row breaks the chain, and whatever moment a process is killed at,
//! the file ends with a whole row.

use std::path::{Path, PathBuf};

use burgess_creature::task::Parameters;
use burgess_creature::{AnyGenome, store};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use thiserror::Error;

use crate::breeder::Child;
use crate::config::RunConfig;
use crate::individual::{Birth, Id, Operator};
use crate::result::{Ending, Evaluated};

/// Of the tables; files of other versions are refused.
const FORMAT: i64 = 1;

/// SQLite's own number for files of this program ('Brgs').
const APPLICATION: i64 = 0x4272_6773;

/// What cannot be done with a run's file.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// It is there already.
    #[error("{0}: there is a file already; 'burgess resume' goes on with it, or choose another name with --run")]
    Exists(PathBuf),
    /// It is not there.
    #[error("{0}: there is no such file")]
    Missing(PathBuf),
    /// It is something else.
    #[error("{0}: this is no run of burgess")]
    Foreign(PathBuf),
    /// It is of another version.
    #[error("{file}: its format is {found}, this program reads {expected}")]
    Format {
        /// The file.
        file: PathBuf,
        /// What it says.
        found: i64,
        /// What this program reads.
        expected: i64,
    },
    /// Another process writes to it.
    #[error("{0}: another process is at work on this run")]
    InUse(PathBuf),
    /// It is not what was written.
    #[error("{file}: damaged at individual {id}: {what}")]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where.
        id: Id,
        /// What is wrong.
        what: String,
    },
    /// A result came before its turn.
    #[error("individual {0} came before its turn")]
    OutOfOrder(Id),
    /// The disk is full, or the folder cannot be written to.
    #[error("{file}: {source}")]
    Database {
        /// The file.
        file: PathBuf,
        /// In SQLite's words.
        source: rusqlite::Error,
    },
    /// It cannot be opened or made.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: PathBuf,
        /// In the system's words.
        source: std::io::Error,
    },
}

/// One of the first generation that came from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Founder {
    /// What it brings.
    pub genome: AnyGenome,
    /// Where from: a file, or a run and the number there.
    pub origin: String,
}

/// A row to be kept.
#[derive(Debug)]
pub struct Entry<'a> {
    /// Of the individual.
    pub id: Id,
    /// Of the individual.
    pub generation: u64,
    /// Of its evaluation.
    pub seed: u64,
    /// Of the task at that time.
    pub parameters: &'a Parameters,
    /// How it came about.
    pub birth: &'a Birth,
    /// What became of it.
    pub result: &'a Evaluated,
}

/// The file of a run.
#[derive(Debug)]
pub struct Archive {
    file: PathBuf,
    database: Connection,
    /// Rows in the file.
    count: Id,
    /// The last link of the chain up to `checked`.
    link: u64,
    /// Rows that were read again or written since the file was opened.
    checked: Id,
    /// Held while anybody writes.
    _lock: Option<std::fs::File>,
}

const TABLES: &str = "
CREATE TABLE run (format INTEGER NOT NULL, program TEXT NOT NULL, generator TEXT NOT NULL, config TEXT NOT NULL);
CREATE TABLE founders (number INTEGER PRIMARY KEY, genome BLOB NOT NULL, origin TEXT NOT NULL);
CREATE TABLE individuals (
  id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, operator TEXT NOT NULL, seed INTEGER NOT NULL,
  genome BLOB NOT NULL, opponent INTEGER, outcome TEXT NOT NULL, reason TEXT NOT NULL, fitness REAL NOT NULL,
  parameters TEXT NOT NULL, measures TEXT NOT NULL, descriptors TEXT NOT NULL, steps INTEGER NOT NULL, seconds REAL NOT NULL,
  evaluation INTEGER NOT NULL, link INTEGER NOT NULL
);
CREATE TABLE parents (
  child INTEGER NOT NULL, place INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (child, place)
) WITHOUT ROWID;
CREATE INDEX children ON parents (parent);
CREATE INDEX by_fitness ON individuals (fitness);
";

impl Archive {
    /// A new file. An empty one may be there: it was left by somebody who was killed right at the start.
    pub fn create(file: &Path, config: &RunConfig, founders: &[Founder]) -> Result<Self, ArchiveError> {
        if file.metadata().is_ok_and(|found| found.len() > 0) {
            return Err(ArchiveError::Exists(file.to_path_buf()));
        }
        let lock = lock(file, true)?;
        let database = Connection::open(file).map_err(|source| database_error(file, source))?;
        let fill = || -> rusqlite::Result<()> {
            database.execute_batch("BEGIN")?;
            database.pragma_update(None, "application_id", APPLICATION)?;
            database.execute_batch(TABLES)?;
            let config = toml::to_string(config).unwrap_or_default();
            database.execute(
                "INSERT INTO run VALUES (?1, ?2, ?3, ?4)",
                params![FORMAT, env!("CARGO_PKG_VERSION"), burgess_creature::dice::GENERATOR, config],
            )?;
            for (number, founder) in founders.iter().enumerate() {
                let genome = store::store(&founder.genome);
                database.execute(
                    "INSERT INTO founders VALUES (?1, ?2, ?3)",
                    params![number as i64, genome, founder.origin],
                )?;
            }
            database.execute_batch("COMMIT")?;
            // Only now: until here the file is either empty or whole.
            database.pragma_update(None, "journal_mode", "WAL")?;
            database.pragma_update(None, "synchronous", "NORMAL")
        };
        fill().map_err(|source| database_error(file, source))?;
        let link = chained_config(config, founders);
        Ok(Self { file: file.to_path_buf(), database, count: 0, link, checked: 0, _lock: Some(lock) })
    }

    /// An existing file, to be written on.
    pub fn open(file: &Path) -> Result<Self, ArchiveError> {
        Self::open_as(file, OpenFlags::SQLITE_OPEN_READ_WRITE, true)
    }

    /// An existing file, to be read, also while another process writes on it.
    pub fn look(file: &Path) -> Result<Self, ArchiveError> {
        Self::open_as(file, OpenFlags::SQLITE_OPEN_READ_ONLY, false)
    }

    fn open_as(file: &Path, flags: OpenFlags, to_write: bool) -> Result<Self, ArchiveError> {
        if !file.exists() {
            return Err(ArchiveError::Missing(file.to_path_buf()));
        }
        let failed = |source| database_error(file, source);
        let lock = if to_write { Some(lock(file, false)?) } else { None };
        let database = Connection::open_with_flags(file, flags).map_err(failed)?;
        let application: i64 = database
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(|_| ArchiveError::Foreign(file.to_path_buf()))?;
        if application != APPLICATION {
            return Err(ArchiveError::Foreign(file.to_path_buf()));
        }
        if to_write {
            database.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        }
        let found: i64 = database.query_row("SELECT format FROM run", [], |row| row.get(0)).map_err(failed)?;
        if found != FORMAT {
            return Err(ArchiveError::Format { file: file.to_path_buf(), found, expected: FORMAT });
        }
        let count = database
            .query_row("SELECT count(*) FROM individuals", [], |row| row.get::<_, i64>(0))
            .map_err(failed)? as Id;
        let mut archive = Self { file: file.to_path_buf(), database, count, link: 0, checked: 0, _lock: lock };
        archive.link = chained_config(&archive.config()?, &archive.origins()?);
        Ok(archive)
    }

    /// Those whom the first generation was filled with, as births.
    pub fn founders(&self) -> Result<Vec<Child>, ArchiveError> {
        let immigrant = |Founder { genome, .. }| Child { genome, parents: Vec::new(), operator: Operator::Immigrant };
        Ok(self.origins()?.into_iter().map(immigrant).collect())
    }

    /// Those whom the first generation was filled with.
    pub fn origins(&self) -> Result<Vec<Founder>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<(Vec<u8>, String)>> {
            let mut statement = self.database.prepare("SELECT genome, origin FROM founders ORDER BY number")?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let founder = |(bytes, origin): (Vec<u8>, String)| {
            let genome = store::retrieve(&bytes).map_err(|error| self.damaged(0, format!("a founder: {error}")))?;
            Ok(Founder { genome, origin })
        };
        read().map_err(|source| self.failed(source))?.into_iter().map(founder).collect()
    }

    /// How the run was set up.
    pub fn config(&self) -> Result<RunConfig, ArchiveError> {
        let text: String =
            self.database.query_row("SELECT config FROM run", [], |row| row.get(0)).map_err(|e| self.failed(e))?;
        toml::from_str(&text).map_err(|error| self.damaged(0, format!("the configuration: {error}")))
    }

    /// Individuals in the file.
    pub fn count(&self) -> Id {
        self.count
    }

    /// Over all individuals, in order. The whole archive must have been gone through.
    pub fn hash(&self) -> u64 {
        self.link
    }

    /// What became of a birth, if the file knows; refused if it knows another one by this number.
    pub fn result(&self, id: Id, birth: &Birth) -> Result<Option<Evaluated>, ArchiveError> {
        if id >= self.count {
            return Ok(None);
        }
        let columns = "SELECT genome, outcome, reason, fitness, measures, descriptors, steps, seconds, evaluation
                       FROM individuals WHERE id = ?1";
        let row = self.database.query_row(columns, [id as i64], |row| {
            Ok((
                row.get::<_, Vec<u8>>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(4)?,
                row.get::<_, String>(5)?,
                Evaluated {
                    outcome: Ending::Faulty,
                    reason: row.get(2)?,
                    fitness: row.get(3)?,
                    measures: Default::default(),
                    descriptors: Default::default(),
                    steps: row.get::<_, i64>(6)? as u64,
                    seconds: row.get(7)?,
                    hash: row.get::<_, i64>(8)? as u64,
                },
            ))
        });
        let (genome, outcome, measures, descriptors, mut result) =
            row.optional().map_err(|e| self.failed(e))?.ok_or_else(|| self.damaged(id, "it is missing".to_string()))?;
        if genome != store::store(&birth.genome) {
            return Err(self.damaged(id, "its genome is not the one that was bred".to_string()));
        }
        let unreadable = |error: serde_json::Error| self.damaged(id, error.to_string());
        result.outcome = serde_json::from_value(outcome.into()).map_err(unreadable)?;
        result.measures = serde_json::from_str(&measures).map_err(unreadable)?;
        result.descriptors = serde_json::from_str(&descriptors).map_err(unreadable)?;
        Ok(Some(result))
    }

    /// Keeps a result, or checks it against what is kept. Returns whether it is new.
    pub fn append(&mut self, entry: &Entry) -> Result<bool, ArchiveError> {
        if entry.id != self.checked {
            return Err(ArchiveError::OutOfOrder(entry.id));
        }
        let row = Row::new(entry);
        let link = row.link(self.link);
        let is_new = entry.id >= self.count;
        if is_new {
            self.insert(entry, &row, link).map_err(|source| self.failed(source))?;
            self.count += 1;
        } else {
            let kept: i64 = self
                .database
                .query_row("SELECT link FROM individuals WHERE id = ?1", [entry.id as i64], |row| row.get(0))
                .map_err(|source| self.failed(source))?;
            if kept as u64 != link {
                return Err(self.damaged(entry.id, "its row is not the one that was written".to_string()));
            }
        }
        self.checked += 1;
        self.link = link;
        Ok(is_new)
    }

    fn insert(&mut self, entry: &Entry, row: &Row, link: u64) -> rusqlite::Result<()> {
        let Entry { id, generation, seed, birth, result, .. } = *entry;
        let transaction = self.database.transaction()?;
        transaction
            .prepare_cached("INSERT INTO individuals VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)")?
            .execute(params![
                id as i64,
                generation as i64,
                row.operator,
                seed as i64,
                row.genome,
                birth.opponent.as_ref().map(|(id, _)| *id as i64),
                result.outcome.name(),
                result.reason,
                result.fitness,
                row.parameters,
                row.measures,
                row.descriptors,
                result.steps as i64,
                result.seconds,
                result.hash as i64,
                link as i64,
            ])?;
        for (place, parent) in birth.parents.iter().enumerate() {
            transaction.prepare_cached("INSERT INTO parents VALUES (?1, ?2, ?3)")?.execute(params![
                id as i64,
                place as i64,
                *parent as i64
            ])?;
        }
        transaction.commit()
    }

    fn failed(&self, source: rusqlite::Error) -> ArchiveError {
        database_error(&self.file, source)
    }

    fn damaged(&self, id: Id, what: String) -> ArchiveError {
        ArchiveError::Damaged { file: self.file.clone(), id, what }
    }
}

/// What of an entry has to be put into other words first.
struct Row {
    operator: String,
    genome: Vec<u8>,
    parameters: String,
    measures: String,
    descriptors: String,
    /// Numbers in a fixed order, as they are hashed.
    numbers: Vec<u64>,
    outcome: &'static str,
    reason: String,
}

impl Row {
    fn new(entry: &Entry) -> Self {
        let Entry { id, generation, seed, parameters, birth, result } = entry;
        let mut numbers = vec![*id, *generation, *seed, birth.opponent.as_ref().map_or(u64::MAX, |(id, _)| *id)];
        numbers.extend(&birth.parents);
        numbers.extend([result.fitness.to_bits(), result.steps, result.seconds.to_bits(), result.hash]);
        Self {
            operator: operator_name(birth.operator),
            genome: store::store(&birth.genome),
            parameters: json(parameters),
            measures: json(&result.measures),
            descriptors: json(&result.descriptors),
            numbers,
            outcome: result.outcome.name(),
            reason: result.reason.clone(),
        }
    }

    fn link(&self, before: u64) -> u64 {
        let texts = [&self.operator, &self.parameters, &self.measures, &self.descriptors, &self.reason]
            .map(|text| text.as_bytes());
        let mut link = before;
        for bytes in texts.into_iter().chain([self.outcome.as_bytes(), &self.genome]) {
            link = chained(link, bytes);
        }
        self.numbers.iter().fold(link, |link, number| chained(link, &number.to_le_bytes()))
    }
}

/// FNV-1a over the length and the bytes, then mixed: not against forgers, but no accident goes unnoticed.
fn chained(link: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let start = (bytes.len() as u64).to_le_bytes().into_iter().fold(link ^ 0xcbf2_9ce4_8422_2325, step);
    burgess_creature::dice::mixed(bytes.iter().copied().fold(start, step), &[])
}

/// The first link.
fn chained_config(config: &RunConfig, founders: &[Founder]) -> u64 {
    let config = chained(0, toml::to_string(config).unwrap_or_default().as_bytes());
    founders.iter().fold(config, |link, founder| chained(link, &store::store(&founder.genome)))
}

fn json<T: serde::Serialize>(value: &T) -> String {
    // Maps of names and finite numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

fn operator_name(operator: Operator) -> String {
    json(&operator).trim_matches('"').to_string()
}

fn database_error(file: &Path, source: rusqlite::Error) -> ArchiveError {
    ArchiveError::Database { file: file.to_path_buf(), source }
}

/// Only one process writes. The lock goes with the process, whatever ends it.
fn lock(file: &Path, create: bool) -> Result<std::fs::File, ArchiveError> {
    let failed = |source| ArchiveError::File { file: file.to_path_buf(), source };
    let mut options = std::fs::OpenOptions::new();
    let opened = options.create(create).truncate(false).read(true).write(true).open(file).map_err(failed)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(std::fs::TryLockError::WouldBlock) => Err(ArchiveError::InUse(file.to_path_buf())),
        Err(std::fs::TryLockError::Error(source)) => Err(failed(source)),
    }
}
