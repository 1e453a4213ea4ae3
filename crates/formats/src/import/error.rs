//! Import errors. Each names the file, line and element, what was found and what was expected.

use std::fmt;
use std::path::PathBuf;

use burgess_files::NameFault;
use burgess_scene::SceneError;
use thiserror::Error;

use super::ImportWarning;

/// An error in a model file, with its position.
#[derive(Debug, Error)]
pub struct ImportError {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1; `None` if the error concerns the whole file.
    pub line: Option<usize>,
    /// Name of the element; `None` if the error concerns the whole file.
    pub element: Option<String>,
    /// The kind of error. The `Display` output includes it.
    pub fault: Box<ImportFault>,
}

impl ImportError {
    /// Creates an error that concerns the whole file.
    pub fn file(file: &str, fault: ImportFault) -> Self {
        Self { file: file.to_string(), line: None, element: None, fault: Box::new(fault) }
    }

    /// Creates an error at a line.
    pub fn at(file: &str, line: usize, fault: ImportFault) -> Self {
        Self { line: Some(line), ..Self::file(file, fault) }
    }

    /// Adds the name of the element.
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

/// The kinds of import errors.
#[derive(Debug, Error)]
pub enum ImportFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The folder that [`package_root`](super::ImportOptions::package_root) names cannot be read.
    #[error("the package root '{}' cannot be read: {error}", .path.display())]
    PackageRoot {
        /// Path of the folder.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The file is too large.
    #[error("is larger than {limit} bytes, the maximum for such a file")]
    TooLong {
        /// Maximum file size, in bytes.
        limit: u64,
    },
    /// The file contains too many items of one kind.
    #[error("has more than {limit} {what}")]
    TooMany {
        /// Plural noun for the items.
        what: &'static str,
        /// Maximum number of items.
        limit: usize,
    },
    /// The file is not UTF-8 text or not well-formed XML.
    #[error("{0}")]
    Syntax(String),
    /// The file is neither MJCF nor URDF.
    #[error("the root element is <{root}>; expected <mujoco> (MJCF) or <robot> (URDF)")]
    UnknownFormat {
        /// Name of the root element.
        root: String,
    },
    /// The format does not define this element here.
    #[error("unknown element in <{inside}>{}", did_you_mean(.suggestion))]
    UnknownElement {
        /// Name of the parent element.
        inside: String,
        /// The known element name that is most similar.
        suggestion: Option<String>,
    },
    /// An element occurs more than once where one is allowed.
    #[error("occurs more than once in <{inside}>; expected at most one")]
    Repeated {
        /// Name of the parent element.
        inside: String,
    },
    /// The format does not define this attribute here.
    #[error("unknown attribute '{attribute}'{}", did_you_mean(.suggestion))]
    UnknownAttribute {
        /// Name of the attribute.
        attribute: String,
        /// The known attribute name that is most similar.
        suggestion: Option<String>,
    },
    /// An attribute has an invalid value.
    #[error("{attribute} must be {expected}, found {found}")]
    Value {
        /// Name of the attribute.
        attribute: &'static str,
        /// Description of the valid values.
        expected: String,
        /// The value in the file.
        found: String,
    },
    /// A required attribute or element is missing.
    #[error("has no {what}")]
    Missing {
        /// Description of what is missing.
        what: String,
    },
    /// A name is unknown or not unique.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// A file that the model refers to cannot be used.
    #[error("the file '{path}' {why}")]
    File {
        /// Path as written in the model.
        path: String,
        /// The reason, as a predicate.
        why: String,
    },
    /// Settings that contradict each other or that a scene cannot represent.
    #[error("{0}")]
    Conflict(String),
    /// The model uses unsupported features and [`strict`](super::ImportOptions::strict) is set.
    #[error("{}", join_lines(.0))]
    Strict(Vec<ImportWarning>),
    /// The resulting scene is invalid.
    #[error("the resulting scene is invalid: {0}")]
    Scene(SceneError),
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |word| format!("; did you mean '{word}'?"))
}

fn join_lines(warnings: &[ImportWarning]) -> String {
    warnings.iter().map(ImportWarning::to_string).collect::<Vec<_>>().join("\n")
}
