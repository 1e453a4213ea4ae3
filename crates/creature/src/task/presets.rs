//! The tasks that come with the program.

use burgess_files::closest;
use thiserror::Error;

use super::Task;

/// A file beside this one, by its name.
macro_rules! preset {
    ($name:literal) => {
        ($name, include_str!(concat!("presets/", $name, ".toml")))
    };
}

/// Names and texts.
const PRESETS: [(&str, &str); 17] = [
    preset!("walk"),
    preset!("locomotion-000"),
    preset!("locomotion-001"),
    preset!("jump-up"),
    preset!("jump-up-000"),
    preset!("jump-away"),
    preset!("jump-away-000"),
    preset!("hit-ball"),
    preset!("hit-ball-000"),
    preset!("hit-ball-varying"),
    preset!("hit-ball-varying-000"),
    preset!("swim"),
    preset!("follow"),
    preset!("follow-water"),
    preset!("climb-stairs"),
    preset!("rough-terrain"),
    preset!("contest"),
];

/// There is no such task.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no task called '{name}'{}", .suggestion.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default())]
pub struct UnknownTask {
    /// What was asked for.
    pub name: String,
    /// The nearest name.
    pub suggestion: Option<String>,
}

impl Task {
    /// A task that comes with the program, by its name.
    pub fn preset(name: &str) -> Result<Self, UnknownTask> {
        let found = PRESETS.iter().find(|(known, _)| *known == name);
        let read = found.and_then(|(name, text)| Self::from_toml(text, name).ok());
        read.ok_or_else(|| UnknownTask {
            name: name.to_string(),
            suggestion: closest(name, PRESETS.iter().map(|(name, _)| *name)),
        })
    }

    /// All tasks that come with the program.
    pub fn presets() -> impl Iterator<Item = Self> {
        // A test reads all of them.
        PRESETS.iter().filter_map(|(name, text)| Self::from_toml(text, name).ok())
    }

    /// Their names and texts as files.
    pub fn preset_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
        PRESETS.into_iter()
    }
}
