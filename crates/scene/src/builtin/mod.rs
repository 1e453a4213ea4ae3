//! Scenes that come with the program. One file each; a scene is a function that makes its [`SceneSpec`], so that it can be
//! looked at, changed and written as TOML like any other.

mod pendulum;
mod stack;

use crate::error::closest;
use crate::spec::SceneSpec;

/// A scene that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// In a word, as on the command line; the same as that of the scene.
    pub name: &'static str,
    /// In a sentence; the same as that of the scene.
    pub description: &'static str,
    make: fn(&str, &str) -> SceneSpec,
}

impl Builtin {
    /// The scene.
    pub fn spec(&self) -> SceneSpec {
        (self.make)(self.name, self.description)
    }
}

/// In the order of their names.
const ALL: &[Builtin] = &[
    Builtin { name: "pendulum", description: "A pendulum of two rods swings from a hinge.", make: pendulum::scene },
    Builtin { name: "stack", description: "Ten boxes stand on each other.", make: stack::scene },
];

/// All of them, in the order of their names.
pub fn all() -> &'static [Builtin] {
    ALL
}

/// The one of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

/// The name that is closest to a word, if any is close.
pub fn closest_name(word: &str) -> Option<&'static str> {
    let name = closest(word, ALL.iter().map(|builtin| builtin.name))?;
    find(&name).map(|builtin| builtin.name)
}
