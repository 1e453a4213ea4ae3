//! Interventions: what a person does to a run while it evolves. Arnold (1997) appendix: populations are loaded and
//! merged, single creatures deleted.
//!
//! An intervention happens before a birth, and is recorded with the id of that birth before it takes effect. So a run
//! is a function of its configuration, its founders and its interventions, and does not depend on time.

mod queue;

pub use queue::{
    InterventionReceiver, InterventionRequest, InterventionResult, InterventionSender, PendingIntervention,
    QueuedIntervention,
};

use std::collections::BTreeSet;

use burgess_creature::{AnyGenome, Family};
use thiserror::Error;

use crate::individual::Id;

/// What a person can do to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Intervention {
    /// Marks a favourite, or removes the mark. A [share](crate::RunConfig::favour) of the births are children of
    /// favourites.
    Favourite {
        /// Individual that is marked.
        id: Id,
        /// Whether it is a favourite from now on.
        on: bool,
    },
    /// Removes an individual from the population: it has no more children.
    Remove {
        /// Individual that is removed.
        id: Id,
    },
    /// Breeds a child of two individuals.
    Breed {
        /// Parents, the one that contributes most first.
        parents: [Id; 2],
    },
    /// Adds an immigrant.
    Join {
        /// Genome of the immigrant.
        genome: AnyGenome,
        /// Source: a file, or a run and an id.
        origin: String,
    },
}

impl Intervention {
    /// Returns the individuals that it refers to.
    pub fn names(&self) -> &[Id] {
        match self {
            Self::Favourite { id, .. } | Self::Remove { id } => std::slice::from_ref(id),
            Self::Breed { parents } => parents,
            Self::Join { .. } => &[],
        }
    }

    /// Returns whether it causes a birth.
    pub fn is_birth(&self) -> bool {
        matches!(self, Self::Breed { .. } | Self::Join { .. })
    }
}

/// Why an intervention is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There is no individual with that id.
    #[error("there is no individual {id}; {count} have been evaluated so far, numbered from 0")]
    Unknown {
        /// Requested id.
        id: Id,
        /// Number of individuals that have been evaluated.
        count: Id,
    },
    /// The individual was not scored.
    #[error("individual {0} has no fitness, so it cannot have children")]
    NotScored(Id),
    /// The individual was removed.
    #[error("individual {0} was removed")]
    Removed(Id),
    /// The parents' genomes are of different families.
    #[error("a {} genome and a {} genome cannot have a child; choose two parents of the same family", .0[0].name(), .0[1].name())]
    Families([Family; 2]),
    /// No genome of the run is of the immigrant's family.
    #[error("this run has no {} genomes", .0.name())]
    Stranger(Family),
    /// All births of the run have taken place.
    #[error("all {0} individuals of this run are bred; raise its number of evaluations first")]
    NoRoom(u64),
    /// In a contest it is not defined which population a manual birth belongs to.
    #[error("two populations compete in this run; manual births are possible only in runs with one population")]
    Contest,
    /// The number of evaluations is too low or too high.
    #[error("{0} evaluations: {1}")]
    Evaluations(u64, String),
    /// The run has ended.
    #[error("this run is not evolving any more")]
    Over,
}

/// Individuals that a person has marked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// Individuals that are favourites now.
    pub favourites: BTreeSet<Id>,
    /// Individuals that were removed. They are not favourites.
    pub removed: BTreeSet<Id>,
}

impl Marks {
    /// Updates the marks by an intervention.
    pub fn apply(&mut self, what: &Intervention) {
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
