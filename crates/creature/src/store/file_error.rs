//! Errors of creature files: which file, where in it, what was found and what was expected.

use thiserror::Error;

use super::creature_file::{FORMAT, JSON_VERSION, MAX_JSON_BYTES};

/// An error with the file that it is about.
#[derive(Debug, Error)]
#[error("{file}{}: {fault}", at(fault))]
pub struct CreatureFileError {
    /// Name of the file.
    pub file: String,
    /// The error.
    pub fault: CreatureFault,
}

/// What is wrong with a creature file.
#[derive(Debug, Error)]
pub enum CreatureFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Unwritable(std::io::Error),
    /// The file is too long.
    #[error("has more than {MAX_JSON_BYTES} bytes, the maximum size of a creature file")]
    TooLong,
    /// The file is not JSON, or a field has the wrong type.
    #[error("{}{reason}", if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Content {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// Path to the field, such as `genome.nodes[2].size`; empty for the file as a whole.
        field: String,
        /// What was found and what was expected.
        reason: String,
    },
    /// The file is JSON, but not a creature.
    #[error("not a creature file: its \"format\" is {found}, expected \"{FORMAT}\"")]
    Foreign {
        /// The format of the file, or `missing`.
        found: String,
    },
    /// A newer program wrote the file.
    #[error("is written in version {found} of creature files; this program reads versions 1 to {JSON_VERSION}")]
    Version {
        /// Version of the file.
        found: u64,
    },
    /// The family is unknown.
    #[error("{field}.family: found {found}, expected \"graph\" or \"legged\"")]
    Family {
        /// Name of the field with the genome.
        field: &'static str,
        /// The family in the file, or `nothing`.
        found: String,
    },
    /// The operators cannot have made such a genome, or the physiology is out of bounds.
    #[error("{field}: {reason}")]
    Invalid {
        /// Name of the field, such as `genome`.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

/// Returns the position, if there is one.
fn at(fault: &CreatureFault) -> String {
    match fault {
        CreatureFault::Content { line, column, .. } => format!(":{line}:{column}"),
        _ => String::new(),
    }
}
