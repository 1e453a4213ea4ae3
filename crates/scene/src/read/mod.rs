//! Scenes from TOML and back to it.

mod file;
mod include;
mod tree;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::check::{check_names, check_values};
use crate::error::{Fault, FieldPath, Location, Misfit, SceneError, Step};
use crate::spec::SceneSpec;

pub(crate) use file::sync_folder;
pub use file::{SceneFile, write_atomically};

/// Longer scene files are refused, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 26;

impl SceneSpec {
    /// Reads a scene from TOML and checks all that can be checked without other files. `file` is its name for messages.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, SceneError> {
        let scene = parse(text, file)?;
        let names = if scene.include.is_empty() { check_names(&scene) } else { Ok(()) };
        names.map_err(|misfit| located(misfit, text, file))?;
        Ok(scene)
    }

    /// The scene as TOML that reads as the same scene. Refused if the scene is not in order.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        check_values(self).map_err(Misfit::without_file)?;
        toml::to_string(self).map_err(|error| SceneError {
            location: Location::default(),
            fault: Box::new(Fault::Syntax(error.to_string())),
        })
    }
}

/// Reads and checks values, but not whether names exist: they may be in included files.
pub(crate) fn parse(text: &str, file: &str) -> Result<SceneSpec, SceneError> {
    let scene = read_toml(text, file)?;
    check_values(&scene).map_err(|misfit| located(misfit, text, file))?;
    Ok(scene)
}

/// Reads plain data of any kind from TOML, with errors that name the file, the line and the field. `file` is its name for
/// messages.
pub fn read_toml<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, SceneError> {
    let refuse = |line, field, fault| {
        let location = Location { file: Some(file.to_string()), line, field };
        Err(SceneError { location, fault })
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

/// A fault of a field of a text that was read by [`read_toml`]: the names on the way to the field, from outside in.
pub fn fault_at(text: &str, file: &str, way: &[&str], fault: Fault) -> SceneError {
    let path = FieldPath(way.iter().map(|name| Step::Field(name.to_string())).collect());
    located(Misfit { path, fault: Box::new(fault) }, text, file)
}

/// Finds the line of a field.
pub(crate) fn located(misfit: Misfit, text: &str, file: &str) -> SceneError {
    let line = line_of(text, &misfit.path);
    SceneError { location: Location { file: Some(file.to_string()), line, field: misfit.path }, fault: misfit.fault }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

/// The line of a field, or of the innermost thing around it that the text has.
fn line_of(text: &str, path: &FieldPath) -> Option<usize> {
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
