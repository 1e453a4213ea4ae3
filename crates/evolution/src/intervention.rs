//! What a person does to a run (001 appendix: populations are loaded and merged, single creatures deleted, while evolution goes on).
//!
//! An intervention happens before a birth, and is written down with the number of that birth before it takes effect. So a run is a
//! function of its configuration, its founders and what was done to it, and still nothing depends on time.

use std::collections::BTreeSet;

use burgess_creature::{AnyGenome, Family};
use thiserror::Error;

use crate::individual::Id;

/// What a person does to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Intervention {
    /// A [share](crate::RunConfig::favour) of all births from now on are children of favourites.
    Favourite {
        /// Whose.
        id: Id,
        /// Is it one from now on, or no more?
        on: bool,
    },
    /// Somebody is never a parent again.
    Remove {
        /// Who.
        id: Id,
    },
    /// The next birth is a child of these two.
    Breed {
        /// The first gives most.
        parents: [Id; 2],
    },
    /// The next birth is somebody from elsewhere.
    Join {
        /// What it brings.
        genome: AnyGenome,
        /// Where from: a file, or a run and the number there.
        origin: String,
    },
}

impl Intervention {
    /// Those whom it is about.
    pub fn names(&self) -> &[Id] {
        match self {
            Self::Favourite { id, .. } | Self::Remove { id } => std::slice::from_ref(id),
            Self::Breed { parents } => parents,
            Self::Join { .. } => &[],
        }
    }

    /// Is somebody born by it?
    pub fn is_birth(&self) -> bool {
        matches!(self, Self::Breed { .. } | Self::Join { .. })
    }
}

/// Why something cannot be done to a run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Nobody has that number.
    #[error("there is no individual {id}; {count} have been evaluated so far, from 0")]
    Unknown {
        /// Who was asked for.
        id: Id,
        /// How many there are.
        count: Id,
    },
    /// It is no parent.
    #[error("individual {0} has no fitness, so that it cannot have children")]
    NotScored(Id),
    /// It is no parent any more.
    #[error("individual {0} was removed")]
    Removed(Id),
    /// They have nothing in common.
    #[error("a {} and a {} genome have no children", .0[0].name(), .0[1].name())]
    Families([Family; 2]),
    /// It has nothing in common with anybody.
    #[error("this run has no {} genomes", .0.name())]
    Stranger(Family),
    /// It would be one too many.
    #[error("all {0} individuals of this run are bred; let it go on for longer first")]
    NoRoom(u64),
    /// In a contest nobody could say on which side.
    #[error("two populations compete in this run, and nobody can be bred into one of them or join it by hand")]
    Contest,
    /// Less than there is, or more than there can be.
    #[error("{0} evaluations: {1}")]
    Evaluations(u64, String),
    /// The run is done, or was ended.
    #[error("nobody is at work on this run any more")]
    Over,
}

/// Whom a person has marked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// Those that are favourites now.
    pub favourites: BTreeSet<Id>,
    /// Those that were removed; they are no favourites.
    pub removed: BTreeSet<Id>,
}

impl Marks {
    /// After one more.
    pub fn note(&mut self, what: &Intervention) {
        match what {
            Intervention::Favourite { id, on: true } => {
                self.favourites.insert(*id);
            }
            Intervention::Favourite { id, on: false } => {
                self.favourites.remove(id);
            }
            Intervention::Remove { id } => {
                self.favourites.remove(id);
                self.removed.insert(*id);
            }
            Intervention::Breed { .. } | Intervention::Join { .. } => {}
        }
    }
}
