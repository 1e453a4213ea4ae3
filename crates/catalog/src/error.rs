//! Reasons why a subject cannot be resolved or loaded.

use std::path::PathBuf;

use burgess_creature::Unviable;
use burgess_creature::store::CreatureFileError;
use burgess_creature::task::UnknownTask;
use burgess_evolution::ArchiveError;
use burgess_files::{Fault, FileError};
use burgess_formats::import::ImportError;
use burgess_scene::SceneError;
use thiserror::Error;

/// Reason why a subject cannot be resolved or loaded.
#[derive(Debug, Error)]
pub enum CatalogError {
    /// There is no built-in subject of this name, and no file.
    #[error("there is no {what} called '{name}'; {}{lists}", did_you_mean(.suggestions))]
    Unknown {
        /// Kind of the subject, such as "scene".
        what: &'static str,
        /// The name.
        name: String,
        /// Similar names, the closest first.
        suggestions: Vec<&'static str>,
        /// Commands that list the known names.
        lists: &'static str,
    },
    /// There is no such file.
    #[error("{}: cannot be read: there is no such file", .0.display())]
    Missing(PathBuf),
    /// A folder was named where a file is expected.
    #[error("{}: cannot be read: it is a folder, expected a file", .0.display())]
    Folder(PathBuf),
    /// Neither the name of a file nor its beginning tells what it is.
    #[error(
        "{}: cannot be read: this kind of file is not known; scenes end in .toml, creatures in .json, runs in .burgess, \
         recordings in .bur, takes in .take.json, models in .xml, .mjcf or .urdf, curved spaces in .gens",
        .0.display()
    )]
    UnknownKind(PathBuf),
    /// A text file cannot be read.
    #[error("{file}: {fault}")]
    Text {
        /// The file.
        file: String,
        /// The reason.
        fault: Fault,
    },
    /// The subject is of another kind than the operation needs.
    #[error("'{name}' is {found}, expected {expected}")]
    WrongKind {
        /// The subject.
        name: String,
        /// Its kind, with an article.
        found: &'static str,
        /// The kinds that are accepted, with articles.
        expected: &'static str,
    },
    /// The text after `#` is not the id of an individual.
    #[error("{name}: expected the id of an individual after '#', found '{id}'")]
    Id {
        /// The word that was resolved.
        name: String,
        /// The text after `#`.
        id: String,
    },
    /// There is no built-in task of this name, and no file.
    #[error("{0}{end}`burgess tasks` lists all", end = after(.0))]
    Task(UnknownTask),
    /// The task that a creature file names is not built in.
    #[error("{creature}: {}; choose a task with --task, by name or file", .task.to_string().trim_end_matches('?'))]
    TaskOfCreature {
        /// The creature.
        creature: String,
        /// The task.
        task: UnknownTask,
    },
    /// A contest has two creatures, and one was given.
    #[error(
        "the task '{task}' is played by two creatures, and '{creature}' is only one; use `burgess match {creature} OTHER \
         --task {task}`, or choose an individual of a run"
    )]
    NoOpponent {
        /// The creature.
        creature: String,
        /// The task.
        task: String,
    },
    /// The genome does not grow into a creature.
    #[error("{creature}: the genome does not grow into a creature: {reason}")]
    Unviable {
        /// The creature.
        creature: String,
        /// The reason.
        reason: Unviable,
    },
    /// A scene is invalid.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A task file is invalid.
    #[error(transparent)]
    TaskFile(#[from] FileError),
    /// A creature file is invalid.
    #[error(transparent)]
    Creature(#[from] CreatureFileError),
    /// A run cannot be read.
    #[error(transparent)]
    Run(#[from] ArchiveError),
    /// A model cannot be imported.
    #[error(transparent)]
    Model(#[from] ImportError),
}

impl CatalogError {
    /// Whether the subject does not exist.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Unknown { .. } | Self::Missing(_) | Self::Task(_) => true,
            Self::Run(error) => matches!(
                error,
                ArchiveError::Missing(_) | ArchiveError::NoSuchIndividual { .. } | ArchiveError::NoneScored(_)
            ),
            _ => false,
        }
    }
}

/// The punctuation after an unknown task, which ends in a question mark if there is a suggestion.
fn after(unknown: &UnknownTask) -> &'static str {
    if unknown.suggestion.is_some() { " " } else { "; " }
}

fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [last] => format!("did you mean '{last}'? "),
        [names @ .., last] => format!("did you mean '{}' or '{last}'? ", names.join("', '")),
    }
}
