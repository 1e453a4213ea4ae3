//! What cannot be done with a run's file, in sentences.

use std::path::PathBuf;

use thiserror::Error;

use crate::individual::Id;

/// What cannot be done with a run's file.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// It is there already.
    #[error("{0}: there is a file already; 'burgess resume' goes on with a run, or choose another name with --run")]
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
    /// It was written by a program that may compute something else.
    #[error("{file}: it was made by {found}, and this is {own}; go on with that one, or start anew with --from {file}")]
    Program {
        /// The file.
        file: PathBuf,
        /// Who made it.
        found: String,
        /// Who this is.
        own: String,
    },
    /// Another process writes to it.
    #[error("{0}: another process is at work on this run; wait for it, or end it first")]
    InUse(PathBuf),
    /// It is not what was written.
    #[error("{file}: damaged{}: {what}", at(*id))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The individual, if it is about one.
        id: Option<Id>,
        /// What is wrong.
        what: String,
    },
    /// There is nobody by that number.
    #[error("{file}: there is no individual {id}; the run has {count}, from 0")]
    NoSuchIndividual {
        /// The file.
        file: PathBuf,
        /// Who was asked for.
        id: Id,
        /// How many there are.
        count: Id,
    },
    /// Nobody lived.
    #[error("{0}: nobody in this run has a fitness yet")]
    NobodyScored(PathBuf),
    /// A result came before its turn.
    #[error("individual {0} came before its turn")]
    OutOfOrder(Id),
    /// The disk has no room for the next row.
    #[error("{0}: the disk is full; all up to the last row is safe: make room, then 'burgess resume'")]
    DiskFull(PathBuf),
    /// SQLite has a word to say.
    #[error("{file}: {cause}")]
    Database {
        /// The file.
        file: PathBuf,
        /// In SQLite's words.
        cause: rusqlite::Error,
    },
    /// It cannot be opened or made.
    #[error("{file}: {cause}")]
    File {
        /// The file.
        file: PathBuf,
        /// In the system's words.
        cause: std::io::Error,
    },
}

fn at(id: Option<Id>) -> String {
    id.map_or_else(String::new, |id| format!(" at individual {id}"))
}

impl ArchiveError {
    /// Of SQLite's.
    pub(super) fn of_database(file: &std::path::Path, cause: rusqlite::Error) -> Self {
        let file = file.to_path_buf();
        match cause.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::DiskFull(file),
            Some(rusqlite::ErrorCode::NotADatabase) => Self::Foreign(file),
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => Self::Damaged { file, id: None, what: cause.to_string() },
            _ => Self::Database { file, cause },
        }
    }
}
