//! The tasks that come with the program.

use burgess_scene::closest;
use thiserror::Error;

use super::Task;

/// Names and texts.
const PRESETS: [(&str, &str); 1] = [("walk", include_str!("presets/walk.toml"))];

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
