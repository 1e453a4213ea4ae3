//! The built-in tasks.

use burgess_files::closest;
use thiserror::Error;

use super::Task;

/// The name and the text of the file with that name.
macro_rules! preset {
    ($name:literal) => {
        ($name, include_str!(concat!("presets/", $name, ".toml")))
    };
}

/// Names and texts of all built-in tasks.
const PRESETS: [(&str, &str); 20] = [
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
    preset!("sumo"),
    preset!("tag"),
    preset!("ball-game"),
];

/// Error: there is no built-in task with this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no task called '{name}'{}", .suggestion.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default())]
pub struct UnknownTask {
    /// Name that was not found.
    pub name: String,
    /// Closest known name.
    pub suggestion: Option<String>,
}

impl Task {
    /// Returns the built-in task with the given name.
    pub fn preset(name: &str) -> Result<Self, UnknownTask> {
        let found = PRESETS.iter().find(|(known, _)| *known == name);
        let read = found.and_then(|(name, text)| Self::from_toml(text, name).ok());
        read.ok_or_else(|| UnknownTask {
            name: name.to_string(),
            suggestion: closest(name, PRESETS.iter().map(|(name, _)| *name)),
        })
    }

    /// Returns all built-in tasks.
    pub fn presets() -> impl Iterator<Item = Self> {
        // A test reads all of them.
        PRESETS.iter().filter_map(|(name, text)| Self::from_toml(text, name).ok())
    }

    /// Returns the names and the file texts of all built-in tasks.
    pub fn preset_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
        PRESETS.into_iter()
    }
}
