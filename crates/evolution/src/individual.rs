//! Individuals: births, and the results that algorithms receive.

use std::collections::BTreeMap;

use burgess_creature::evaluation::Side;
use burgess_creature::{AnyGenome, Recombination};
use serde::{Deserialize, Serialize};

use crate::breeder::Child;

/// Id of an individual in its run, from 0, in the order of births. All decisions of evolution depend on this order,
/// never on the order in which evaluations end.
pub type Id = u64;

/// How an individual was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Random genome.
    Random,
    /// Genome from a file or another run.
    Immigrant,
    /// Unchanged copy that is evaluated again because the task has changed.
    Copy,
    /// Unchanged copy that is evaluated again under new draws of the conditions.
    Retest,
    /// Mutation of one parent.
    Mutation,
    /// Crossover of two parents: a sequence of parts is exchanged.
    Crossover,
    /// Grafting: a part of one parent is added to the other.
    Grafting,
    /// Exchange, between two parents, of what is below the level of a part.
    Exchange,
    /// Intermediate recombination: the mean of two parents' numbers (Arnold 1997).
    Intermediate,
    /// Child of two parents that a person chose.
    #[serde(rename = "by_hand")]
    Manual,
    /// Child of one or two of a person's favourites.
    Favoured,
}

impl Operator {
    /// Name of the operator, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Immigrant => "immigrant",
            Self::Copy => "copy",
            Self::Retest => "retest",
            Self::Mutation => "mutation",
            Self::Crossover => "crossover",
            Self::Grafting => "grafting",
            Self::Exchange => "exchange",
            Self::Intermediate => "intermediate",
            Self::Manual => "by_hand",
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

/// An individual that an algorithm wants to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Birth {
    /// Genome of the individual.
    pub genome: AnyGenome,
    /// Parents, the one that contributed most first.
    pub parents: Vec<Id>,
    /// Operator that made it.
    pub operator: Operator,
    /// Side on which it plays, if it competes.
    pub side: Option<Side>,
    /// Opponents that it meets one after the other, if it competes. Without any, it meets its limp twin.
    pub opponents: Vec<(Id, AnyGenome)>,
}

impl Birth {
    /// Creates the birth of a child, without an opponent.
    pub fn of(child: Child) -> Self {
        let Child { genome, parents, operator } = child;
        Self { genome, parents, operator, side: None, opponents: Vec::new() }
    }

    /// Creates the birth of a copy that is evaluated again.
    pub fn copy(of: &EvaluatedIndividual) -> Self {
        Self::of(Child { genome: of.genome.clone(), parents: vec![of.id], operator: Operator::Copy })
    }
}

/// An individual with the part of its evaluation that an algorithm receives. Nothing else of an evaluation may
/// influence evolution.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedIndividual {
    /// Id of the individual.
    pub id: Id,
    /// Genome of the individual.
    pub genome: AnyGenome,
    /// Whether it was scored. Unviable and faulty individuals never become parents.
    pub scored: bool,
    /// Fitness: finite; higher is better.
    pub fitness: f64,
    /// Descriptors of behaviour and body, by [name](burgess_creature::evaluation::Descriptors::NAMES), and measures.
    pub descriptors: BTreeMap<String, f64>,
}

/// Order from the fittest to the least fit. Of equals the older comes first.
pub fn by_fitness(a: &EvaluatedIndividual, b: &EvaluatedIndividual) -> std::cmp::Ordering {
    b.fitness.total_cmp(&a.fitness).then(a.id.cmp(&b.id))
}

/// Sorts by [`by_fitness`].
pub fn best_first(all: &mut [EvaluatedIndividual]) {
    all.sort_by(by_fitness);
}
