//! Errors of archives.

use std::path::PathBuf;

use thiserror::Error;

use crate::individual::Id;

/// Why a run's file cannot be created, read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file to be created exists.
    #[error("{0}: the file exists; continue its run with 'burgess resume', or choose another name with --run")]
    Exists(PathBuf),
    /// The file does not exist.
    #[error("{0}: there is no such file")]
    Missing(PathBuf),
    /// The file was not written by this program.
    #[error("{0}: this is not the file of a burgess run")]
    Foreign(PathBuf),
    /// The file has a format that this program does not know yet.
    #[error(
        "{file}: the file has format {found}, and this program reads formats up to {newest}; \
         use {program}, which wrote it, or a later release"
    )]
    NewerFormat {
        /// Path of the file.
        file: PathBuf,
        /// Format of the file.
        found: i64,
        /// Newest format that this program reads.
        newest: i64,
        /// Program that wrote the file.
        program: String,
    },
    /// The file was written by a program that may compute other bits.
    #[error(
        "{file}: the run was made by {found} and cannot be continued with the same bits by {own}; it can still be shown and \
         exported; continue it with the program that made it, or start a new run with --from {file}"
    )]
    Program {
        /// Path of the file.
        file: PathBuf,
        /// Program that wrote the file.
        found: String,
        /// This program.
        own: String,
    },
    /// Another process writes to the file.
    #[error("{0}: another process is running this run; wait for it, or stop it first")]
    InUse(PathBuf),
    /// Another program holds SQLite's lock of the file.
    #[error(
        "{0}: another program has locked the file, so nothing can be written; all results so far are saved; \
         end that program, then continue with 'burgess resume'"
    )]
    Locked(PathBuf),
    /// The file has lost its name, or another file has it now.
    #[error(
        "{0}: the file was deleted, renamed or replaced during the run, which has stopped; if it was renamed, it has \
         all results and can be resumed; if it was deleted, they are lost"
    )]
    Displaced(PathBuf),
    /// The content is not what was written.
    #[error(
        "{file}: the file is damaged{}: {what}; `burgess salvage {file} -o NEW` copies every row that is whole", at(*id)
    )]
    Damaged {
        /// Path of the file.
        file: PathBuf,
        /// Individual whose row is damaged, if it is a row.
        id: Option<Id>,
        /// Description of the damage.
        what: String,
    },
    /// There is no individual with that id.
    #[error("{file}: there is no individual {id}; the run has {count}, numbered from 0")]
    NoSuchIndividual {
        /// Path of the file.
        file: PathBuf,
        /// Requested id.
        id: Id,
        /// Number of individuals in the run.
        count: Id,
    },
    /// The run has no champion.
    #[error("{0}: no individual of this run has a fitness yet")]
    NoneScored(PathBuf),
    /// A result or an intervention does not follow the last one.
    #[error("individual {0} is out of order")]
    OutOfOrder(Id),
    /// The disk is full.
    #[error(
        "{0}: the disk is full; all results so far are saved; free some space, then continue with 'burgess resume'"
    )]
    DiskFull(PathBuf),
    /// Another error of SQLite.
    #[error("{file}: {cause}")]
    Database {
        /// Path of the file.
        file: PathBuf,
        /// SQLite's error.
        cause: rusqlite::Error,
    },
    /// The file cannot be opened or created.
    #[error("{file}: {cause}")]
    File {
        /// Path of the file.
        file: PathBuf,
        /// The operating system's error.
        cause: std::io::Error,
    },
}

fn at(id: Option<Id>) -> String {
    id.map_or_else(String::new, |id| format!(" at individual {id}"))
}

/// SQLite has no error code of its own for a missing table or column.
fn is_missing_table(cause: &rusqlite::Error) -> bool {
    let text = cause.to_string();
    text.contains("no such table") || text.contains("no such column")
}

impl ArchiveError {
    /// Converts an error of SQLite.
    pub(super) fn of_database(file: &std::path::Path, cause: rusqlite::Error) -> Self {
        let file = file.to_path_buf();
        match cause.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::DiskFull(file),
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => Self::Locked(file),
            Some(rusqlite::ErrorCode::NotADatabase) => Self::Foreign(file),
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => Self::Damaged { file, id: None, what: cause.to_string() },
            _ if is_missing_table(&cause) => Self::Damaged { file, id: None, what: cause.to_string() },
            _ => Self::Database { file, cause },
        }
    }
}
