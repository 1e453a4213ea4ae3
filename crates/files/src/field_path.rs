//! Paths of fields: `bodies[3].shapes[0].radius`.

use std::fmt;

use crate::FieldError;

/// One step of the path to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field of a table.
    Field(String),
    /// An element of an array.
    Index(usize),
}

/// The path to a field: `bodies[3].shapes[0].radius`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPath(pub Vec<Step>);

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

/// The path to a field while data is checked. Allocates only when an error is made.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: AtStep<'a>,
}

#[derive(Debug, Clone, Copy)]
enum AtStep<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    /// The file as a whole.
    pub const ROOT: Self = At { parent: None, step: AtStep::Root };

    /// A field of the table at this path.
    pub fn field(&'a self, name: &'a str) -> At<'a> {
        At { parent: Some(self), step: AtStep::Field(name) }
    }

    /// An element of the array at this path.
    pub fn index(&'a self, index: usize) -> At<'a> {
        At { parent: Some(self), step: AtStep::Index(index) }
    }

    /// The path as a value of its own.
    pub fn path(&self) -> FieldPath {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(at) = here {
            match at.step {
                AtStep::Root => {}
                AtStep::Field(name) => steps.push(Step::Field(name.to_string())),
                AtStep::Index(index) => steps.push(Step::Index(index)),
            }
            here = at.parent;
        }
        steps.reverse();
        FieldPath(steps)
    }

    /// An error at this field.
    pub fn fault<F>(&self, fault: impl Into<F>) -> FieldError<F> {
        FieldError { path: self.path(), fault: Box::new(fault.into()) }
    }
}
