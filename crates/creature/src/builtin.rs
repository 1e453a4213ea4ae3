//! Built-in creatures, designed by hand as examples and references.

use crate::genome::{AnyGenome, Family};
use crate::graph::handmade as graph;
use crate::legged::handmade as legged;
use crate::store::CreatureFile;

/// A built-in creature.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Name, as on the command line.
    pub name: &'static str,
    /// One-sentence description.
    pub description: &'static str,
    /// Family of the genome.
    pub family: Family,
    /// Name of the task that it was designed for.
    pub task: &'static str,
    make: fn() -> AnyGenome,
}

/// All built-in creatures, sorted by name.
const ALL: &[Builtin] = &[
    Builtin {
        name: "centipede",
        description: "A head and six segments in a chain, each with a pair of legs; waves run down the chain.",
        family: Family::Graph,
        task: "walk",
        make: || AnyGenome::Graph(graph::centipede()),
    },
    Builtin {
        name: "hexapod",
        description: "A trunk on six legs of two segments that go in two groups of three, by one clock.",
        family: Family::Legged,
        task: "walk",
        make: || AnyGenome::Legged(legged::hexapod()),
    },
    Builtin {
        name: "jumper",
        description: "A table that jumps: all its legs are pressed down at once.",
        family: Family::Graph,
        task: "jump-up",
        make: || AnyGenome::Graph(graph::jumper()),
    },
    Builtin {
        name: "quadruped",
        description: "A trunk on four legs of two segments that trot, by one clock.",
        family: Family::Legged,
        task: "walk",
        make: || AnyGenome::Legged(legged::quadruped()),
    },
    Builtin {
        name: "swimmer",
        description: "An eel: a wave runs to the tail and pushes water back.",
        family: Family::Graph,
        task: "swim",
        make: || AnyGenome::Graph(graph::swimmer()),
    },
    Builtin {
        name: "tree",
        description: "A tree of limbs that shrink from fork to fork, all from one gene; it sways.",
        family: Family::Graph,
        task: "walk",
        make: || AnyGenome::Graph(graph::tree()),
    },
    Builtin {
        name: "walker",
        description: "Six legs on a flat trunk, of which three carry while the others swing.",
        family: Family::Graph,
        task: "walk",
        make: || AnyGenome::Graph(graph::walker()),
    },
];

/// Returns all built-in creatures, sorted by name.
pub fn all() -> &'static [Builtin] {
    ALL
}

/// Returns the built-in creature with the given name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// Returns the genome.
    pub fn genome(&self) -> AnyGenome {
        (self.make)()
    }

    /// Returns the creature as a file.
    pub fn file(&self) -> CreatureFile {
        CreatureFile {
            description: Some(self.description.to_string()),
            task: Some(self.task.to_string()),
            ..CreatureFile::new(self.name, self.genome())
        }
    }
}
