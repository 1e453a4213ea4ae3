//! What can be wrong with a scene: the file, the line, the field, what was found and what was expected.

use std::fmt;

use burgess_geometry::GeometryError;
use burgess_simulation::WorldError;
use thiserror::Error;

/// One step of the way to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Field(String),
    Index(usize),
}

/// The way to a field: `bodies[3].shapes[0].radius`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPath(pub(crate) Vec<Step>);

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (place, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) if place == 0 => write!(f, "{name}")?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Where in which file. Scenes that were made in Rust have no file and no line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// Name of the file.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// The field; empty for the file as a whole.
    pub field: FieldPath,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}")?,
            (Some(file), None) => write!(f, "{file}")?,
            (None, _) => write!(f, "scene")?,
        }
        if self.field.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.field) }
    }
}

/// Why a scene was refused.
#[derive(Debug, Error)]
#[error("{location}: {fault}")]
pub struct SceneError {
    /// Where.
    pub location: Location,
    /// What.
    pub fault: Box<Fault>,
}

/// What is wrong.
#[derive(Debug, Error)]
pub enum Fault {
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The system cannot write it.
    #[error("cannot be written: {0}")]
    Unwritable(std::io::Error),
    /// Too many bytes.
    #[error("has more than {limit} bytes, the longest that a scene file may be")]
    TooLong {
        /// In bytes.
        limit: u64,
    },
    /// Too many of something.
    #[error("has {found} {what}; at most {limit} are allowed")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// No TOML.
    #[error("{0}")]
    Syntax(String),
    /// No such field.
    #[error("unknown field{}", did_you_mean(.suggestion, .expected))]
    UnknownField {
        /// The field whose name is closest.
        suggestion: Option<String>,
        /// All that there are.
        expected: Vec<&'static str>,
    },
    /// A field that must be there is not.
    #[error("missing")]
    Missing,
    /// A value of another type.
    #[error("must be {expected}, found {found}")]
    WrongType {
        /// In words.
        expected: String,
        /// In words.
        found: String,
    },
    /// A word that is none of the ones allowed.
    #[error("unknown '{found}'{}", did_you_mean(.suggestion, .expected))]
    UnknownWord {
        /// The word.
        found: String,
        /// The word that is closest.
        suggestion: Option<String>,
        /// All that there are.
        expected: Vec<&'static str>,
    },
    /// A number out of its range.
    #[error("must be {expected}, found {found}")]
    OutOfRange {
        /// Its range in words.
        expected: &'static str,
        /// What was given.
        found: f64,
    },
    /// A vector or orientation that makes no sense.
    #[error("must be {expected}")]
    Senseless {
        /// What would be right.
        expected: &'static str,
    },
    /// A name that nobody has.
    #[error("there is no {what} called '{name}'{}", did_you_mean(.suggestion, &[]))]
    UnknownName {
        /// "body" or "material".
        what: &'static str,
        /// The name.
        name: String,
        /// The name that is closest.
        suggestion: Option<String>,
    },
    /// A name that two have.
    #[error("there is another {what} called '{name}'")]
    Duplicate {
        /// "body" or "material".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Things that do not go together.
    #[error("{0}")]
    Conflict(String),
    /// A shape that cannot be.
    #[error(transparent)]
    Shape(GeometryError),
    /// A mesh file that gives no mesh.
    #[error("{0}")]
    MeshFile(String),
    /// The simulator refuses it.
    #[error(transparent)]
    World(WorldError),
    /// Two bodies start inside each other.
    #[error(
        "'{a}' and '{b}' start {depth:.3e} m deep in each other; move them apart, exclude the pair, or set \
         simulation.allow_overlap = true"
    )]
    Overlap {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// In m.
        depth: f64,
    },
    /// A scene includes itself.
    #[error("'{0}' includes itself, directly or by way of others")]
    Cycle(String),
}

fn did_you_mean(suggestion: &Option<String>, expected: &[&str]) -> String {
    match suggestion {
        Some(word) => format!("; did you mean '{word}'?"),
        None if expected.is_empty() => String::new(),
        None => format!("; expected one of {}", expected.join(", ")),
    }
}

/// By how many slips two words differ, if one may have been meant by the other.
pub(crate) fn slips(word: &str, meant: &str) -> Option<usize> {
    // A word of thousands of letters is nobody's slip, and comparing takes the product of the lengths.
    if word.len().max(meant.len()) > 64 {
        return None;
    }
    let distance = strsim::damerau_levenshtein(word, meant);
    (distance <= 1 + word.chars().count() / 3).then_some(distance)
}

/// The word that is closest to another one, if any is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = candidates.into_iter().filter_map(|candidate| Some((slips(word, candidate)?, candidate)));
    near.min_by_key(|&(slips, _)| slips).map(|(_, best)| best.to_string())
}

/// The way to a field while a scene is walked through, without memory until it is needed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    up: Option<&'a At<'a>>,
    step: AtStep<'a>,
}

#[derive(Debug, Clone, Copy)]
enum AtStep<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub const ROOT: Self = At { up: None, step: AtStep::Root };

    pub fn field(&'a self, name: &'a str) -> At<'a> {
        At { up: Some(self), step: AtStep::Field(name) }
    }

    pub fn index(&'a self, index: usize) -> At<'a> {
        At { up: Some(self), step: AtStep::Index(index) }
    }

    pub fn path(&self) -> FieldPath {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(at) = here {
            match at.step {
                AtStep::Root => {}
                AtStep::Field(name) => steps.push(Step::Field(name.to_string())),
                AtStep::Index(index) => steps.push(Step::Index(index)),
            }
            here = at.up;
        }
        steps.reverse();
        FieldPath(steps)
    }

    pub fn fault(&self, fault: Fault) -> Misfit {
        Misfit { path: self.path(), fault: Box::new(fault) }
    }
}

/// A fault whose line is not known yet.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub path: FieldPath,
    pub fault: Box<Fault>,
}

impl Misfit {
    /// For scenes that come from no file.
    pub fn without_file(self) -> SceneError {
        SceneError { location: Location { file: None, line: None, field: self.path }, fault: self.fault }
    }
}
