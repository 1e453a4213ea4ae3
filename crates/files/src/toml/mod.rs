//! TOML whose errors name the line and the field.

mod tree;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use serde::de::DeserializeOwned;

use crate::{Fault, FieldError, FieldPath, FileError, Location, MAX_FILE_BYTES, Step};

/// Reads plain data of any kind from TOML. `file` is its name for messages.
pub fn read_toml<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, FileError> {
    let refuse = |line, field, fault| {
        let location = Location { file: file.to_string(), line, field };
        Err(FileError { location, fault })
    };
    if text.len() as u64 > MAX_FILE_BYTES {
        return refuse(None, FieldPath::default(), Box::new(Fault::TooLong { limit: MAX_FILE_BYTES }));
    }
    let root = match DeTable::parse(text) {
        Ok(root) => Spanned::new(root.span(), DeValue::Table(root.into_inner())),
        Err(error) => {
            let line = error.span().map(|span| line_at(text, span.start));
            return refuse(line, FieldPath::default(), Box::new(Fault::Syntax(error.message().to_string())));
        }
    };
    T::deserialize(tree::Node::new(&root)).or_else(|error| {
        let line = error.span.map(|span| line_at(text, span.start));
        refuse(line, FieldPath(error.steps.into_iter().rev().collect()), error.fault)
    })
}

/// A fault of a field of a text that was read by [`read_toml`]. `names` leads to the field, from the outside in.
pub fn fault_at(text: &str, file: &str, names: &[&str], fault: Fault) -> FileError {
    let path = FieldPath(names.iter().map(|name| Step::Field(name.to_string())).collect());
    FieldError { path, fault: Box::new(fault) }.in_toml(text, file)
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

/// The line of a field, or of the innermost value around it that the text has.
pub(crate) fn line_of(text: &str, path: &FieldPath) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let mut offset = root.span().start;
    let root = DeValue::Table(root.into_inner());
    let mut here = &root;
    for step in &path.0 {
        let next = match (step, here) {
            (Step::Field(name), DeValue::Table(table)) => {
                let key = table.keys().find(|key| key.get_ref() == name.as_str());
                key.zip(table.get(name.as_str())).map(|(key, value)| (key.span().start, value.get_ref()))
            }
            (Step::Index(index), DeValue::Array(array)) => {
                array.get(*index).map(|value| (value.span().start, value.get_ref()))
            }
            _ => None,
        };
        let Some((start, value)) = next else { break };
        (offset, here) = (start, value);
    }
    Some(line_at(text, offset))
}
