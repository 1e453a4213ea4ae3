//! Individuals: what is bred, and what became of it.

use std::collections::BTreeMap;

use burgess_creature::{AnyGenome, Recombination};
use serde::{Deserialize, Serialize};

use crate::breeder::Child;

/// Number of an individual in its run, from 0, in the order in which they are bred. All that evolution decides depends on this
/// order, never on the order in which evaluations end.
pub type Id = u64;

/// How an individual came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// From nothing.
    Random,
    /// From a file or another run.
    Immigrant,
    /// An unchanged copy that is evaluated again, because the task has changed.
    Copy,
    /// From one.
    Mutation,
    /// From two, a run of parts exchanged.
    Crossover,
    /// From two, a part of one added to the other.
    Grafting,
    /// From two, what is below the level of a part exchanged.
    Exchange,
    /// From two, the mean of their numbers (001).
    Intermediate,
    /// From two that a person chose.
    ByHand,
    /// From one or two of a person's favourites.
    Favoured,
}

impl Operator {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Immigrant => "immigrant",
            Self::Copy => "copy",
            Self::Mutation => "mutation",
            Self::Crossover => "crossover",
            Self::Grafting => "grafting",
            Self::Exchange => "exchange",
            Self::Intermediate => "intermediate",
            Self::ByHand => "by_hand",
            Self::Favoured => "favoured",
        }
    }
}

impl From<Recombination> for Operator {
    fn from(how: Recombination) -> Self {
        match how {
            Recombination::Crossover => Self::Crossover,
            Recombination::Grafting => Self::Grafting,
            Recombination::Exchange => Self::Exchange,
            Recombination::Intermediate => Self::Intermediate,
        }
    }
}

/// What an algorithm asks to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Birth {
    /// What it inherits.
    pub genome: AnyGenome,
    /// Whom from, the one that gave most first.
    pub parents: Vec<Id>,
    /// How.
    pub operator: Operator,
    /// Whom it is to compete with, where the task is a contest of two.
    pub opponent: Option<(Id, AnyGenome)>,
}

impl Birth {
    /// Of a child, without an opponent.
    pub fn of(child: Child) -> Self {
        let Child { genome, parents, operator } = child;
        Self { genome, parents, operator, opponent: None }
    }

    /// Of somebody who is evaluated again.
    pub fn copy(of: &Learned) -> Self {
        Self { genome: of.genome.clone(), parents: vec![of.id], operator: Operator::Copy, opponent: None }
    }
}

/// What an algorithm learns of an individual. Nothing else of an evaluation may steer evolution.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// Which one.
    pub id: Id,
    /// As it was bred.
    pub genome: AnyGenome,
    /// Was it scored? Unviable and faulty ones never enter a gene pool.
    pub scored: bool,
    /// Finite; the higher the better.
    pub fitness: f64,
    /// Of its behaviour and body, by the names of [`burgess_creature`]'s descriptors.
    pub descriptors: BTreeMap<String, f64>,
}

/// The fittest first, the elder of equals first.
pub fn by_fitness(a: &Learned, b: &Learned) -> std::cmp::Ordering {
    b.fitness.total_cmp(&a.fitness).then(a.id.cmp(&b.id))
}

/// Sorts by [`by_fitness`].
pub fn best_first(all: &mut [Learned]) {
    all.sort_by(by_fitness);
}
