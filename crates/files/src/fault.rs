//! What can be wrong with a file or one of its fields.

use thiserror::Error;

/// What is wrong with a file or one of its fields.
#[derive(Debug, Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Unwritable(std::io::Error),
    /// The file is too long.
    #[error("has more than {limit} bytes, which is the limit")]
    TooLong {
        /// Largest number of bytes allowed.
        limit: u64,
    },
    /// There are too many of something.
    #[error("has {found} {what}; at most {limit} are allowed")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The text does not parse.
    #[error("{0}")]
    Syntax(String),
    /// There is no such field.
    #[error("unknown field{}", did_you_mean(.suggestion, .expected))]
    UnknownField {
        /// The field whose name is closest.
        suggestion: Option<String>,
        /// All fields.
        expected: Vec<&'static str>,
    },
    /// A required field is missing.
    #[error("missing")]
    Missing,
    /// The value has the wrong type.
    #[error("must be {expected}, found {found}")]
    WrongType {
        /// The type that was expected, in words.
        expected: String,
        /// What was found, in words.
        found: String,
    },
    /// The word is none of those allowed.
    #[error("unknown '{found}'{}", did_you_mean(.suggestion, .expected))]
    UnknownWord {
        /// The word.
        found: String,
        /// The word that is closest.
        suggestion: Option<String>,
        /// All words.
        expected: Vec<&'static str>,
    },
    /// The number is out of its range.
    #[error("must be {expected}, found {found}")]
    OutOfRange {
        /// The range, in words.
        expected: &'static str,
        /// The number.
        found: f64,
    },
    /// The vector or orientation is not valid.
    #[error("must be {expected}")]
    Invalid {
        /// What would be valid.
        expected: &'static str,
    },
    /// A name is unknown or not unique.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// Values that do not go together.
    #[error("{0}")]
    Conflict(String),
}

/// A name that is unknown or not unique.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameFault {
    /// Nothing has this name.
    #[error("there is no {what} called '{name}'{}", did_you_mean(.suggestion, &[]))]
    Unknown {
        /// Kind of the item, such as "body" or "material".
        what: &'static str,
        /// The name that was not found.
        name: String,
        /// The known name that is most similar.
        suggestion: Option<String>,
    },
    /// Two items have the same name.
    #[error("there is another {what} called '{name}'")]
    Duplicate {
        /// Kind of the items, such as "body" or "material".
        what: &'static str,
        /// The name.
        name: String,
    },
}

fn did_you_mean(suggestion: &Option<String>, expected: &[&str]) -> String {
    match suggestion {
        Some(word) => format!("; did you mean '{word}'?"),
        None if expected.is_empty() => String::new(),
        None => format!("; expected one of {}", expected.join(", ")),
    }
}
