//! Why a creature file is refused: which file, where in it, what was found and what was expected.

use thiserror::Error;

use super::creature_file::{FORMAT, JSON_VERSION, MAX_JSON_BYTES};

/// What is wrong with which file.
#[derive(Debug, Error)]
#[error("{file}{}: {fault}", at(fault))]
pub struct CreatureFileError {
    /// Name of the file.
    pub file: String,
    /// What is wrong with it.
    pub fault: CreatureFault,
}

/// What is wrong with a creature file.
#[derive(Debug, Error)]
pub enum CreatureFault {
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The system cannot write it.
    #[error("cannot be written: {0}")]
    Unwritable(std::io::Error),
    /// Too many bytes.
    #[error("has more than {MAX_JSON_BYTES} bytes, the longest that a creature file may be")]
    TooLong,
    /// Not JSON, or not what the field should hold.
    #[error("{}{reason}", if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Content {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The way to it, such as `genome.nodes[2].size`; empty for the file as a whole.
        field: String,
        /// What was found and what was expected.
        reason: String,
    },
    /// JSON of something else.
    #[error("is no creature: its \"format\" is {found}, expected \"{FORMAT}\"")]
    Foreign {
        /// What it says it is, or `missing`.
        found: String,
    },
    /// From a newer program.
    #[error("is written in version {found} of creature files; this program reads versions 1 to {JSON_VERSION}")]
    Version {
        /// Of the file.
        found: u64,
    },
    /// A family that is not known.
    #[error("genome.family: found {found}, expected \"graph\" or \"legged\"")]
    Family {
        /// What it says, or `nothing`.
        found: String,
    },
    /// No operator makes such a genome, or nothing lives like that.
    #[error("{field}: {reason}")]
    Invalid {
        /// `genome`, say.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

/// The line, where there is one.
fn at(fault: &CreatureFault) -> String {
    match fault {
        CreatureFault::Content { line, column, .. } => format!(":{line}:{column}"),
        _ => String::new(),
    }
}
