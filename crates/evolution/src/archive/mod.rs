//! The archive of a run: one SQLite file with the configuration and everybody who was ever evaluated.
//!
//! Rows are written in the order of the individuals, each with a link of a chain: a hash over its contents and the link
//! before. The last link is the hash of the whole archive, a damaged or changed row breaks the chain, and whatever moment a
//! process is killed at, the file ends with a whole row.
//!
//! The tables are meant to be read by other programs, too:
//!
//! ```sql
//! -- the ancestors of individual 4711, the youngest first
//! WITH RECURSIVE line(id) AS (SELECT 4711 UNION SELECT parent FROM parents JOIN line ON child = line.id)
//! SELECT id, generation, operator, fitness FROM individuals JOIN line USING (id) ORDER BY id DESC;
//! ```

mod brief;
mod curve;
mod elites;
mod error;
mod interventions;
mod look;
mod row;

pub use brief::{Brief, MOST_BRIEFS, Order, Query};
pub use curve::GenerationSummary;
pub use elites::Elite;
pub use error::ArchiveError;
pub use look::{Individual, Totals};

use std::path::{Path, PathBuf};

use burgess_creature::random::GENERATOR;
use burgess_creature::task::Parameters;
use burgess_creature::{AnyGenome, store};
use rusqlite::{Connection, OpenFlags, params};

use crate::Version;
use crate::breeder::Child;
use crate::config::RunConfig;
use crate::digest::chained;
use crate::individual::{Birth, Id, Operator};
use crate::result::Evaluated;
use interventions::Recorded;
use row::Row;

/// Of the tables; files of other versions are refused.
const FORMAT: i64 = 1;

/// SQLite's own number for files of this program ('Brgs').
const APPLICATION: i64 = 0x4272_6773;

/// How every SQLite file begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Somebody who looks on while a row is written is waited for so long, in ms.
const PATIENCE: u64 = 10_000;

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
    /// What a person did, in order.
    interventions: Vec<Recorded>,
    /// Held while anybody writes, and let go after the database.
    lock: Option<std::fs::File>,
}

const TABLES: &str = "
CREATE TABLE run (format INTEGER NOT NULL, program TEXT NOT NULL, generator TEXT NOT NULL, config TEXT NOT NULL,
  seal INTEGER NOT NULL, evaluations INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE founders (number INTEGER PRIMARY KEY, genome BLOB NOT NULL, origin TEXT NOT NULL);
CREATE TABLE individuals (
  id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, operator TEXT NOT NULL, seed INTEGER NOT NULL,
  genome BLOB NOT NULL, opponent INTEGER, outcome TEXT NOT NULL, reason TEXT NOT NULL, fitness REAL NOT NULL,
  parameters TEXT NOT NULL, measures TEXT NOT NULL, descriptors TEXT NOT NULL, steps INTEGER NOT NULL,
  seconds REAL NOT NULL, evaluation INTEGER NOT NULL, link INTEGER NOT NULL
);
CREATE TABLE parents (
  child INTEGER NOT NULL, place INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (child, place)
) WITHOUT ROWID;
CREATE INDEX children ON parents (parent);
CREATE INDEX by_fitness ON individuals (fitness);
";

impl Archive {
    /// Is there a database in this file? It may still be another program's.
    pub fn is_database(file: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        std::fs::File::open(file).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start)).is_ok()
            && start == *MAGIC
    }

    /// A new file. It is made beside, under another name, and then gets its own: whoever is killed meanwhile leaves no half of one.
    pub fn create(file: &Path, config: &RunConfig, founders: &[Founder]) -> Result<Self, ArchiveError> {
        if file.exists() {
            return Err(ArchiveError::Exists(file.to_path_buf()));
        }
        let beside = PathBuf::from(format!("{}.new", file.display()));
        let lock = lock(&beside, true)?;
        // What somebody who was killed has left; whoever is still at it holds the lock.
        lock.set_len(0).map_err(|cause| ArchiveError::File { file: beside.clone(), cause })?;
        // How long a run goes on changes nothing in what it does until then.
        let text = RunConfig { evaluations: 0, ..config.clone() }.as_kept();
        let made =
            fill(&beside, &text, config.evaluations, founders).map_err(|cause| ArchiveError::of_database(file, cause));
        let renamed =
            |()| std::fs::rename(&beside, file).map_err(|cause| ArchiveError::File { file: file.to_path_buf(), cause });
        if let Err(error) = made.and_then(renamed) {
            let _ = std::fs::remove_file(&beside);
            return Err(error);
        }
        let failed = |source| ArchiveError::of_database(file, source);
        let database = Connection::open(file).map_err(failed)?;
        write_ahead(&database).map_err(failed)?;
        let link = first_link(&text, founders);
        Ok(Self {
            file: file.to_path_buf(),
            database,
            count: 0,
            link,
            checked: 0,
            interventions: Vec::new(),
            lock: Some(lock),
        })
    }

    /// The files of runs in a folder, by their task and seed: the usual one, then others.
    pub fn files(folder: &Path, task: &str, seed: u64) -> impl Iterator<Item = PathBuf> {
        let plain: String = task.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let task = if plain.is_empty() { "task".to_string() } else { plain };
        (1_u64..).map(move |number| match number {
            1 => folder.join(format!("{task}-{seed}.burgess")),
            _ => folder.join(format!("{task}-{seed}-{number}.burgess")),
        })
    }

    /// The first of these that nobody has written yet.
    pub fn free_file(folder: &Path, task: &str, seed: u64) -> PathBuf {
        Self::files(folder, task, seed).find(|file| !file.exists()).unwrap_or_default()
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
        // Nobody but SQLite opens the file: closing it again would take the locks from whoever in this process is at work on it.
        let failed = |source| ArchiveError::of_database(file, source);
        let lock = if to_write { Some(lock(file, false)?) } else { None };
        let database = Connection::open_with_flags(file, flags).map_err(failed)?;
        database.busy_timeout(std::time::Duration::from_millis(PATIENCE)).map_err(failed)?;
        let application: i64 = database.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)?;
        if application != APPLICATION {
            return Err(ArchiveError::Foreign(file.to_path_buf()));
        }
        if to_write {
            write_ahead(&database).map_err(failed)?;
        }
        let found: i64 = database.query_row("SELECT format FROM run", [], |row| row.get(0)).map_err(failed)?;
        if found != FORMAT {
            return Err(ArchiveError::Format { file: file.to_path_buf(), found, expected: FORMAT });
        }
        let count: i64 =
            database.query_row("SELECT count(*) FROM individuals", [], |row| row.get(0)).map_err(failed)?;
        let file = file.to_path_buf();
        let mut archive =
            Self { file, database, count: count as Id, link: 0, checked: 0, interventions: Vec::new(), lock };
        archive.break_seal(to_write)?;
        // After the individuals were counted: whatever was done before one of them is there now.
        archive.read_interventions()?;
        Ok(archive)
    }

    /// Is the head of the file as it was written, and may this program go on with it?
    fn break_seal(&mut self, to_write: bool) -> Result<(), ArchiveError> {
        let query = "SELECT program, generator, config, seal FROM run";
        let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, i64>(3)?));
        let head: (String, String, String, i64) =
            self.database.query_row(query, [], read).map_err(|source| self.failed(source))?;
        let (program, generator, config, seal) = head;
        let founders = self.origins()?;
        if sealed(&program, &generator, &config, &founders) != seal as u64 {
            return Err(self.damaged(None, "its head is not the one that was written".to_string()));
        }
        // To know oneself takes a moment.
        if to_write {
            let (file, found, own) = (self.file.clone(), program, Version::own().to_string());
            if found != own {
                return Err(ArchiveError::Program { file, found, own });
            }
        }
        self.link = first_link(&config, &founders);
        Ok(())
    }

    /// A name that no other run has, wherever the file goes. It is no part of the hash.
    pub fn name(&self) -> Result<String, ArchiveError> {
        self.database.query_row("SELECT name FROM run", [], |row| row.get(0)).map_err(|source| self.failed(source))
    }

    /// Where it is.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// How the run was set up.
    pub fn config(&self) -> Result<RunConfig, ArchiveError> {
        let damaged = |error| self.damaged(None, format!("the configuration: {error}"));
        let config: RunConfig = toml::from_str(&self.config_text()?).map_err(damaged)?;
        let evaluations = self.database.query_row("SELECT evaluations FROM run", [], |row| row.get::<_, i64>(0));
        let evaluations = evaluations.map_err(|source| self.failed(source))? as u64;
        if evaluations < self.count {
            return Err(
                self.damaged(None, format!("it was set up for {evaluations} individuals and has {}", self.count))
            );
        }
        Ok(RunConfig { evaluations, ..config })
    }

    /// The run is to go on until so many are evaluated.
    pub fn extend(&self, evaluations: u64) -> Result<(), ArchiveError> {
        let changed = self.database.execute("UPDATE run SET evaluations = ?1", [evaluations as i64]);
        changed.map(|_| ()).map_err(|source| self.failed(source))
    }

    fn config_text(&self) -> Result<String, ArchiveError> {
        self.database.query_row("SELECT config FROM run", [], |row| row.get(0)).map_err(|source| self.failed(source))
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
            let damaged = |error| self.damaged(None, format!("the founder from {origin}: {error}"));
            Ok(Founder { genome: store::retrieve(&bytes).map_err(damaged)?, origin })
        };
        read().map_err(|source| self.failed(source))?.into_iter().map(founder).collect()
    }

    /// The file may not have more than so many pages of 4 kB: where disks are shared, and in tests.
    pub fn bound_pages(&self, most: u32) -> Result<(), ArchiveError> {
        self.database.pragma_update(None, "max_page_count", most).map_err(|source| self.failed(source))
    }

    /// Individuals in the file.
    pub fn count(&self) -> Id {
        self.count
    }

    /// Over the configuration, the founders, all individuals that have been gone through, in order, and what a person did before each.
    pub fn hash(&self) -> u64 {
        self.link
    }

    /// What became of a birth, if the file knows; refused if it knows another one by this number.
    pub fn result(&self, id: Id, birth: &Birth) -> Result<Option<Evaluated>, ArchiveError> {
        if id >= self.count {
            return Ok(None);
        }
        let (row, _) = self.row(id)?;
        if row.genome != store::store(&birth.genome) {
            return Err(self.damaged(Some(id), "its genome is not the one that was bred".to_string()));
        }
        row.result().map(Some).map_err(|what| self.damaged(Some(id), what))
    }

    /// Keeps a result, or checks it against what is kept. Returns whether it is new.
    pub fn append(&mut self, entry: &Entry) -> Result<bool, ArchiveError> {
        if entry.id != self.checked {
            return Err(ArchiveError::OutOfOrder(entry.id));
        }
        let row = Row::of(entry);
        let link = row.link(self.steered(self.link, entry.id));
        let is_new = entry.id >= self.count;
        if is_new {
            self.write(&row, link).map_err(|source| self.failed(source))?;
            self.count += 1;
        } else if self.row(entry.id)? != (row, link) {
            return Err(self.damaged(Some(entry.id), "its row is not the one that was written".to_string()));
        }
        self.checked += 1;
        self.link = link;
        Ok(is_new)
    }

    fn write(&mut self, row: &Row, link: u64) -> rusqlite::Result<()> {
        let transaction = self.database.transaction()?;
        row.write(link, &transaction)?;
        transaction.commit()
    }

    /// A row that must be there.
    fn row(&self, id: Id) -> Result<(Row, u64), ArchiveError> {
        let found = Row::read(&self.database, id).map_err(|source| self.failed(source))?;
        found.ok_or_else(|| self.damaged(Some(id), "it is missing".to_string()))
    }

    fn failed(&self, source: rusqlite::Error) -> ArchiveError {
        ArchiveError::of_database(&self.file, source)
    }

    pub(crate) fn damaged(&self, id: Option<Id>, what: String) -> ArchiveError {
        ArchiveError::Damaged { file: self.file.clone(), id, what }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // One plain file, which can be read from where nobody may write. Somebody may be looking on: then it stays as it is.
            let _ = self.database.pragma_update(None, "journal_mode", "DELETE");
        }
    }
}

/// The head of a new file.
fn fill(file: &Path, config: &str, evaluations: u64, founders: &[Founder]) -> rusqlite::Result<()> {
    let database = Connection::open(file)?;
    database.execute_batch("BEGIN")?;
    database.pragma_update(None, "application_id", APPLICATION)?;
    database.execute_batch(TABLES)?;
    let program = Version::own().to_string();
    let seal = sealed(&program, GENERATOR, config, founders) as i64;
    let row = params![FORMAT, program, GENERATOR, config, seal, evaluations as i64, unique_name()];
    database.execute("INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", row)?;
    for (number, Founder { genome, origin }) in founders.iter().enumerate() {
        let row = params![number as i64, store::store(genome), origin];
        database.execute("INSERT INTO founders VALUES (?1, ?2, ?3)", row)?;
    }
    database.execute_batch("COMMIT")
}

/// From the system's randomness, which seeds the hashes of the standard library.
fn unique_name() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one("a run"))
}

/// Over all that is written before the first individual.
fn sealed(program: &str, generator: &str, config: &str, founders: &[Founder]) -> u64 {
    let head = [program, generator, config].into_iter().fold(0, |link, text| chained(link, text.as_bytes()));
    let founder =
        |link, founder: &Founder| chained(chained(link, &store::store(&founder.genome)), founder.origin.as_bytes());
    founders.iter().fold(head, founder)
}

/// Of the configuration and the founders.
fn first_link(config: &str, founders: &[Founder]) -> u64 {
    let config = chained(0, config.as_bytes());
    founders.iter().fold(config, |link, founder| chained(link, &store::store(&founder.genome)))
}

/// Rows are added to a second file first, which a killed process may leave behind and SQLite then takes up by itself.
fn write_ahead(database: &Connection) -> rusqlite::Result<()> {
    database.pragma_update(None, "journal_mode", "WAL")?;
    database.pragma_update(None, "synchronous", "NORMAL")
}

/// Only one process writes. The lock goes with the process, whatever ends it.
fn lock(file: &Path, create: bool) -> Result<std::fs::File, ArchiveError> {
    let failed = |cause| ArchiveError::File { file: file.to_path_buf(), cause };
    let mut options = std::fs::OpenOptions::new();
    let opened = options.create(create).truncate(false).read(true).write(true).open(file).map_err(failed)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(std::fs::TryLockError::WouldBlock) => Err(ArchiveError::InUse(file.to_path_buf())),
        Err(std::fs::TryLockError::Error(cause)) => Err(failed(cause)),
    }
}
