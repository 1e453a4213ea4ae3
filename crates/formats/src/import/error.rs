//! What can be wrong with a model of another program: the file, the line, the element, what was found and what was expected.

use std::fmt;

use burgess_scene::SceneError;
use thiserror::Error;

use super::ImportWarning;

/// Why a model was refused.
#[derive(Debug, Error)]
pub struct ImportError {
    /// Name of the file.
    pub file: String,
    /// Line, counted from 1; none for the file as a whole.
    pub line: Option<usize>,
    /// Name of the element; none for the file as a whole.
    pub element: Option<String>,
    /// What; it is in the message already.
    pub fault: Box<ImportFault>,
}

impl ImportError {
    /// Of a file as a whole.
    pub fn file(file: &str, fault: ImportFault) -> Self {
        Self { file: file.to_string(), line: None, element: None, fault: Box::new(fault) }
    }

    /// At a line.
    pub fn at(file: &str, line: usize, fault: ImportFault) -> Self {
        Self { line: Some(line), ..Self::file(file, fault) }
    }

    /// In an element.
    pub fn within(self, element: &str) -> Self {
        Self { element: Some(element.to_string()), ..self }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(element) = &self.element {
            write!(f, ": <{element}>")?;
        }
        write!(f, ": {}", self.fault)
    }
}

/// What is wrong.
#[derive(Debug, Error)]
pub enum ImportFault {
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// Too many bytes.
    #[error("has more than {limit} bytes, the longest that such a file may be")]
    TooLong {
        /// In bytes.
        limit: u64,
    },
    /// Too many of something.
    #[error("has more than {limit} {what}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// No XML, or no text at all.
    #[error("{0}")]
    Syntax(String),
    /// A file of a kind that is not known.
    #[error("begins with <{root}>, but a model begins with <mujoco> (MJCF) or <robot> (URDF)")]
    UnknownFormat {
        /// The outermost element.
        root: String,
    },
    /// No such element.
    #[error("there is no such element in <{inside}>{}", did_you_mean(.suggestion))]
    UnknownElement {
        /// The element around it.
        inside: String,
        /// The element whose name is closest.
        suggestion: Option<String>,
    },
    /// An element that may be there only once.
    #[error("is in <{inside}> more than once")]
    Repeated {
        /// The element around it.
        inside: String,
    },
    /// No such attribute.
    #[error("there is no attribute '{attribute}'{}", did_you_mean(.suggestion))]
    UnknownAttribute {
        /// The name.
        attribute: String,
        /// The attribute whose name is closest.
        suggestion: Option<String>,
    },
    /// An attribute with a value that it cannot have.
    #[error("{attribute} must be {expected}, found {found}")]
    Value {
        /// Its name.
        attribute: &'static str,
        /// In words.
        expected: String,
        /// As it was written.
        found: String,
    },
    /// Something that must be there is not.
    #[error("has no {what}")]
    Missing {
        /// In words.
        what: String,
    },
    /// A name that nobody has.
    #[error("there is no {what} called '{name}'{}", did_you_mean(.suggestion))]
    UnknownName {
        /// "body", "joint" and so on.
        what: &'static str,
        /// The name.
        name: String,
        /// The name that is closest.
        suggestion: Option<String>,
    },
    /// A name that two have.
    #[error("there is another {what} called '{name}'")]
    Duplicate {
        /// "body", "joint" and so on.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A file that the model must not or cannot use.
    #[error("the file '{path}' {why}")]
    File {
        /// As it was written.
        path: String,
        /// In words.
        why: String,
    },
    /// Things that do not go together, or that cannot be told in a scene.
    #[error("{0}")]
    Conflict(String),
    /// Something is not supported, and nothing may be left out.
    #[error("{}", sentences(.0))]
    Strict(Vec<ImportWarning>),
    /// The scene that came of it is not in order.
    #[error("the scene that it makes is not in order: {0}")]
    Scene(SceneError),
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |word| format!("; did you mean '{word}'?"))
}

fn sentences(warnings: &[ImportWarning]) -> String {
    warnings.iter().map(ImportWarning::to_string).collect::<Vec<_>>().join("\n")
}
