//! Built-in creatures: those designed by hand, as examples and references, and the champions of the zoo.

use std::sync::OnceLock;

use crate::genome::{AnyGenome, Family};
use crate::graph::handmade as graph;
use crate::legged::handmade as legged;
use crate::store::CreatureFile;
use crate::zoo;

/// A built-in creature.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Name, as on the command line.
    pub name: &'static str,
    /// One-sentence description.
    pub description: &'static str,
    /// Family of the genome.
    pub family: Family,
    /// Name of the task that it was designed or evolved for.
    pub task: &'static str,
    source: Source,
}

/// Where the genome of a built-in creature comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A person designed it.
    Designed(fn() -> AnyGenome),
    /// It was evolved: the text of its creature file.
    Evolved(&'static str),
}

/// The creatures designed by hand.
const DESIGNED: &[Builtin] = &[
    Builtin {
        name: "centipede",
        description: "A head and six segments in a chain, each with a pair of legs; waves run down the chain.",
        family: Family::Graph,
        task: "walk",
        source: Source::Designed(|| AnyGenome::Graph(graph::centipede())),
    },
    Builtin {
        name: "hexapod",
        description: "A trunk on six legs of two segments that go in two groups of three, by one clock.",
        family: Family::Legged,
        task: "walk",
        source: Source::Designed(|| AnyGenome::Legged(legged::hexapod())),
    },
    Builtin {
        name: "jumper",
        description: "A table that jumps: all its legs are pressed down at once.",
        family: Family::Graph,
        task: "jump-up",
        source: Source::Designed(|| AnyGenome::Graph(graph::jumper())),
    },
    Builtin {
        name: "quadruped",
        description: "A trunk on four legs of two segments that trot, by one clock.",
        family: Family::Legged,
        task: "walk",
        source: Source::Designed(|| AnyGenome::Legged(legged::quadruped())),
    },
    Builtin {
        name: "swimmer",
        description: "An eel: a wave runs to the tail and pushes water back.",
        family: Family::Graph,
        task: "swim",
        source: Source::Designed(|| AnyGenome::Graph(graph::swimmer())),
    },
    Builtin {
        name: "tree",
        description: "A tree of limbs that shrink from fork to fork, all from one gene; it sways.",
        family: Family::Graph,
        task: "walk",
        source: Source::Designed(|| AnyGenome::Graph(graph::tree())),
    },
    Builtin {
        name: "walker",
        description: "Six legs on a flat trunk, of which three carry while the others swing.",
        family: Family::Graph,
        task: "walk",
        source: Source::Designed(|| AnyGenome::Graph(graph::walker())),
    },
];

/// Returns all built-in creatures, sorted by name.
pub fn all() -> &'static [Builtin] {
    static ALL: OnceLock<Vec<Builtin>> = OnceLock::new();
    ALL.get_or_init(|| {
        let evolved = zoo::ALL.iter().map(|champion| Builtin {
            name: champion.name,
            description: champion.description,
            family: champion.family,
            task: champion.task,
            source: Source::Evolved(champion.text),
        });
        let mut all: Vec<Builtin> = DESIGNED.iter().copied().chain(evolved).collect();
        all.sort_by_key(|builtin| builtin.name);
        all
    })
}

/// Returns the built-in creature with the given name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    all().iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// Returns whether the creature was evolved: it is a champion of the zoo.
    pub fn is_evolved(&self) -> bool {
        matches!(self.source, Source::Evolved(_))
    }

    /// Returns the genome.
    pub fn genome(&self) -> AnyGenome {
        match self.source {
            Source::Designed(make) => make(),
            Source::Evolved(_) => self.file().genome,
        }
    }

    /// Returns the creature as a file. That of a champion has its seed, its fitness and its physiology, in a contest also
    /// its side and its opponent.
    pub fn file(&self) -> CreatureFile {
        let file = match self.source {
            Source::Designed(make) => CreatureFile::new(self.name, make()),
            // A test reads all of them.
            Source::Evolved(text) => CreatureFile::from_json(text, self.name).expect("built-in files are valid"),
        };
        CreatureFile {
            name: self.name.to_string(),
            description: Some(self.description.to_string()),
            task: Some(self.task.to_string()),
            ..file
        }
    }
}
