//! Creatures that come with the program: made by hand, to be looked at, changed and compared with.

use crate::genome::{AnyGenome, Family};
use crate::store::CreatureFile;

/// A creature that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// In a word, as on the command line.
    pub name: &'static str,
    /// In a sentence.
    pub description: &'static str,
    /// What its genome is like.
    pub family: Family,
    /// Name of the task that it is for.
    pub task: &'static str,
    make: fn() -> AnyGenome,
}

/// In the order of their names.
const ALL: &[Builtin] = &[];

/// All of them, in the order of their names.
pub fn all() -> &'static [Builtin] {
    ALL
}

/// The one of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// What it grows from.
    pub fn genome(&self) -> AnyGenome {
        (self.make)()
    }

    /// As a file.
    pub fn file(&self) -> CreatureFile {
        CreatureFile {
            description: Some(self.description.to_string()),
            task: Some(self.task.to_string()),
            ..CreatureFile::new(self.name, self.genome())
        }
    }
}
