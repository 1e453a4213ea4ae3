//! Errors that name the file, the line and the field.

use std::fmt::{self, Debug, Display};

use thiserror::Error;

use crate::{Fault, FieldPath};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// Name of the file, or of the data if it was not read from a file.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// The field; empty for the file as a whole.
    pub field: FieldPath,
}

impl Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if self.field.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.field) }
    }
}

/// Why a file was refused. `F` is the kind of fault; files with faults of their own have a type that includes
/// [`Fault`].
#[derive(Debug, Error)]
#[error("{location}: {fault}")]
pub struct FileError<F: Debug + Display = Fault> {
    /// Where the fault is.
    pub location: Location,
    /// What is wrong.
    pub fault: Box<F>,
}

impl<F: Debug + Display> FileError<F> {
    /// A fault of a file as a whole.
    pub fn whole(file: impl Into<String>, fault: impl Into<F>) -> Self {
        Self { location: Location { file: file.into(), ..Location::default() }, fault: Box::new(fault.into()) }
    }

    /// The same error with a wider type of fault.
    pub fn widen<G: Debug + Display + From<F>>(self) -> FileError<G> {
        FileError { location: self.location, fault: Box::new(G::from(*self.fault)) }
    }
}

/// A fault of a field whose file and line are not known yet.
#[derive(Debug)]
pub struct FieldError<F = Fault> {
    /// The field.
    pub path: FieldPath,
    /// What is wrong.
    pub fault: Box<F>,
}

impl<F: Debug + Display> FieldError<F> {
    /// The error for data that was not read from a file; `name` stands in place of the file's name.
    pub fn without_file(self, name: &str) -> FileError<F> {
        FileError { location: Location { file: name.to_string(), line: None, field: self.path }, fault: self.fault }
    }

    /// The error with the line of the field in the TOML `text`. `file` is the name for messages.
    pub fn in_toml(self, text: &str, file: &str) -> FileError<F> {
        let line = crate::toml::line_of(text, &self.path);
        FileError { location: Location { file: file.to_string(), line, field: self.path }, fault: self.fault }
    }
}
