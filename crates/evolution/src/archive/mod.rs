//! The archive of a run: one SQLite file with the configuration and every individual that was evaluated.
//!
//! Rows are written in the order of the individuals' ids. Each row has a link of a hash chain: a hash of its content
//! and of the previous link. The last link is the hash of the whole archive. A damaged or changed row breaks the
//! chain, and the file ends with a complete row whenever the process is killed.
//!
//! Other programs may read the tables, too:
//!
//! ```sql
//! -- the ancestors of individual 4711, the youngest first
//! WITH RECURSIVE line(id) AS (SELECT 4711 UNION SELECT parent FROM parents JOIN line ON child = line.id)
//! SELECT id, generation, operator, fitness FROM individuals JOIN line USING (id) ORDER BY id DESC;
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `schema/` | the tables, their formats and migrations |
//! | `file`, `create`, `open` | names and locks of files, new archives, existing archives |
//! | `header` | what is written once: program, configuration, founders |
//! | `row` | one individual as it is stored, and its link |
//! | `writing` | waiting for locks of other programs, files that are deleted or replaced |
//! | `survey`, `salvage` | damaged rows: what readers do with them, and a copy without them |
//! | `interventions` | what a person did to the run |
//! | `individuals`, `values`, `summary`, `figures`, `points`, `progress`, `curve`, `elites`, `contests` | queries |

mod contests;
mod create;
mod curve;
mod elites;
mod error;
mod figures;
mod file;
mod header;
mod individuals;
mod interventions;
mod open;
mod points;
mod progress;
mod row;
mod salvage;
mod schema;
mod summary;
mod survey;
mod values;
mod writing;

pub use contests::{SideChampion, SideSummary};
pub use curve::GenerationSummary;
pub use elites::Elite;
pub use error::ArchiveError;
pub use figures::{Figure, FigureRange};
pub use header::Founder;
pub use individuals::{Individual, Totals};
pub use points::{Point, Points};
pub use progress::ProgressPoint;
pub use salvage::Salvaged;
pub use summary::{IndividualSummary, MAX_SUMMARIES, MAX_TABLE_ROWS, Order, Query};
pub use survey::Damage;
pub use writing::WriteWait;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use burgess_creature::store;
use burgess_creature::task::Parameters;
use rusqlite::Connection;

use crate::individual::{Birth, Id};
use crate::result::EvaluationResult;
use interventions::Recorded;
use row::Row;

/// An evaluated individual that is to be written.
#[derive(Debug)]
pub struct Entry<'a> {
    /// Id of the individual.
    pub id: Id,
    /// Generation of the individual.
    pub generation: u64,
    /// Seed of the evaluation.
    pub seed: u64,
    /// Parameters of the task during the evaluation.
    pub parameters: &'a Parameters,
    /// Genome and origin of the individual.
    pub birth: &'a Birth,
    /// Result of the evaluation.
    pub result: &'a EvaluationResult,
}

/// The file of a run.
#[derive(Debug)]
pub struct Archive {
    file: PathBuf,
    database: Connection,
    /// Number of individuals in the file, including missing ones.
    count: Id,
    /// Individuals below `count` whose rows are missing. A salvaged file has such gaps.
    missing: BTreeSet<Id>,
    /// Damaged rows that were found so far. Queries leave them out.
    damage: Damage,
    /// Link of the last individual before `checked`.
    link: u64,
    /// Number of individuals that were written, or read and verified, since the file was opened.
    checked: Id,
    /// What a person did to the run, in order.
    interventions: Vec<Recorded>,
    /// What writes do while another program locks the file.
    wait: WriteWait,
    /// Whether the file was deleted, renamed or replaced while this process wrote to it.
    is_displaced: bool,
    /// Lock of the writing process. It is declared last, so that it is released after the database is closed.
    lock: Option<std::fs::File>,
}

impl Archive {
    /// Path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Limits the size of the file, in pages of 4 kB.
    pub fn bound_pages(&self, most: u32) -> Result<(), ArchiveError> {
        self.database.pragma_update(None, "max_page_count", most).map_err(|cause| self.failed(cause))
    }

    /// Number of individuals in the file. The rows of some may be missing.
    pub fn count(&self) -> Id {
        self.count
    }

    /// Hash of the configuration, the founders, all individuals that were [checked](Self::check) or written, in order,
    /// and the interventions before each.
    pub fn hash(&self) -> u64 {
        self.link
    }

    /// Returns the stored result of a birth, if there is one. A stored individual with another genome is an error.
    pub fn result(&self, id: Id, birth: &Birth) -> Result<Option<EvaluationResult>, ArchiveError> {
        if id >= self.count || self.missing.contains(&id) {
            return Ok(None);
        }
        let (row, _) = self.row(id)?;
        if row.genome != store::store(&birth.genome) {
            return Err(self.damaged(Some(id), "its genome is not the one that was bred".to_string()));
        }
        row.result().map(Some).map_err(|what| self.damaged(Some(id), what))
    }

    /// Writes the next individual, or compares it with the stored row. Returns whether it is new.
    pub fn append(&mut self, entry: &Entry) -> Result<bool, ArchiveError> {
        if entry.id != self.checked {
            return Err(ArchiveError::OutOfOrder(entry.id));
        }
        let row = Row::of(entry);
        let link = row.link(self.link_with_interventions(self.link, entry.id));
        let is_new = entry.id >= self.count || self.missing.contains(&entry.id);
        if is_new {
            self.write(|database| {
                let transaction = database.transaction()?;
                row.write(link, &transaction)?;
                transaction.commit()
            })?;
            self.missing.remove(&entry.id);
            self.count = self.count.max(entry.id + 1);
        } else if self.row(entry.id)? != (row, link) {
            return Err(self.damaged(Some(entry.id), "its row is not the one that was written".to_string()));
        }
        self.checked += 1;
        self.link = link;
        Ok(is_new)
    }

    /// Verifies the links of all rows; the first damaged or missing row is an error. Afterwards [`Archive::hash`] is the
    /// hash of the whole archive.
    pub fn check(&mut self) -> Result<(), ArchiveError> {
        while self.checked < self.count {
            let (row, stored) = self.row(self.checked)?;
            let link = row.link(self.link_with_interventions(self.link, row.id));
            if link != stored {
                return Err(self.damaged(Some(row.id), "its row is not the one that was written".to_string()));
            }
            self.link = link;
            self.checked += 1;
        }
        Ok(())
    }

    /// Reads a row that must exist.
    fn row(&self, id: Id) -> Result<(Row, u64), ArchiveError> {
        let found = Row::read(&self.database, id).map_err(|cause| self.failed(cause))?;
        found.ok_or_else(|| self.damaged(Some(id), "it is missing".to_string()))
    }

    fn failed(&self, cause: rusqlite::Error) -> ArchiveError {
        ArchiveError::of_database(&self.file, cause)
    }

    fn no_such_individual(&self, id: Id) -> ArchiveError {
        ArchiveError::NoSuchIndividual { file: self.file.clone(), id, count: self.count }
    }

    pub(crate) fn damaged(&self, id: Option<Id>, what: String) -> ArchiveError {
        ArchiveError::Damaged { file: self.file.clone(), id, what }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if self.lock.is_some() && !self.is_displaced {
            // Leaves a single file that can be read in a folder without write permission. This fails while another
            // process reads the file, which then keeps its write-ahead log.
            let _ = self.database.pragma_update(None, "journal_mode", "DELETE");
        }
    }
}
