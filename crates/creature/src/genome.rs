//! What every family of genomes can do (000 section 4.4.1), and a genome of any family.

use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::graph::{GraphGenome, GraphSettings};
use crate::legged::{LeggedGenome, LeggedSettings};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::store::StoreError;
use crate::viability::Unviable;

/// A family of genomes. All operators are pure functions of their arguments and the dice, and what they return is valid.
pub trait Genome: Clone + PartialEq + std::fmt::Debug + Send + Sync + Sized {
    /// How random genomes are drawn, and how often each member mutates.
    type Settings: Clone + PartialEq + std::fmt::Debug + Default;

    /// A new genome.
    fn random(settings: &Self::Settings, dice: &mut Dice) -> Self;

    /// A copy with some members changed, each with its own rate.
    fn mutate(&self, settings: &Self::Settings, dice: &mut Dice) -> Self;

    /// A child of two: `self` gives the most of it.
    fn recombine(&self, other: &Self, how: Recombination, settings: &Self::Settings, dice: &mut Dice) -> Self;

    /// The body and the brain that come of it, or why there are none.
    fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable>;

    /// What it is in a few lines, for people.
    fn describe(&self) -> String;

    /// Is it one that the operators could have made? The reason, if not.
    fn validate(&self) -> Result<(), String>;

    /// As bytes, with a version and a checksum.
    fn store(&self) -> Vec<u8>;

    /// From such bytes; refused if they are damaged, of an unknown version or of another family.
    fn retrieve(bytes: &[u8]) -> Result<Self, StoreError>;
}

/// How two genomes make one (000 section 4.7.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recombination {
    /// A run of parts of one in place of those of the other.
    Crossover,
    /// Some parts of one are added to the other.
    Grafting,
    /// What is below the level of a part is exchanged: a local controller, a joint (000 section 4.9).
    Exchange,
    /// The mean of all numbers that are in the same place in both, where they are built alike (001 section 3.1.4).
    Intermediate,
}

impl Recombination {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Crossover, Self::Grafting, Self::Exchange, Self::Intermediate];
}

/// A genome of any family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum AnyGenome {
    /// After Sims and 000.
    Graph(GraphGenome),
    /// After 001.
    Legged(LeggedGenome),
}

/// Which family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// After Sims and 000.
    Graph,
    /// After 001.
    Legged,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Graph, Self::Legged];

    /// As in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Legged => "legged",
        }
    }

    /// A new genome of this family.
    pub fn random(self, settings: &GenomeSettings, dice: &mut Dice) -> AnyGenome {
        match self {
            Self::Graph => AnyGenome::Graph(GraphGenome::random(&settings.graph, dice)),
            Self::Legged => AnyGenome::Legged(LeggedGenome::random(&settings.legged, dice)),
        }
    }
}

/// Settings of all families.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GenomeSettings {
    /// Of graph genomes.
    pub graph: GraphSettings,
    /// Of legged genomes.
    pub legged: LeggedSettings,
}

impl GenomeSettings {
    /// Mutations are as frequent and larger or smaller by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        scaled.graph.magnitudes = self.graph.magnitudes.scaled(factor);
        scaled.legged.mutation = self.legged.mutation.scaled(factor);
        scaled
    }
}

impl AnyGenome {
    /// Its family.
    pub fn family(&self) -> Family {
        match self {
            Self::Graph(_) => Family::Graph,
            Self::Legged(_) => Family::Legged,
        }
    }

    /// A copy with some members changed.
    pub fn mutate(&self, settings: &GenomeSettings, dice: &mut Dice) -> Self {
        match self {
            Self::Graph(genome) => Self::Graph(genome.mutate(&settings.graph, dice)),
            Self::Legged(genome) => Self::Legged(genome.mutate(&settings.legged, dice)),
        }
    }

    /// A child of two; a copy of the first where the families differ.
    pub fn recombine(&self, other: &Self, how: Recombination, settings: &GenomeSettings, dice: &mut Dice) -> Self {
        match (self, other) {
            (Self::Graph(a), Self::Graph(b)) => Self::Graph(a.recombine(b, how, &settings.graph, dice)),
            (Self::Legged(a), Self::Legged(b)) => Self::Legged(a.recombine(b, how, &settings.legged, dice)),
            _ => self.clone(),
        }
    }

    /// The body and the brain that come of it, or why there are none.
    pub fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable> {
        match self {
            Self::Graph(genome) => genome.grow(physiology),
            Self::Legged(genome) => genome.grow(physiology),
        }
    }

    /// What it is in a few lines, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Graph(genome) => genome.describe(),
            Self::Legged(genome) => genome.describe(),
        }
    }

    /// Is it one that the operators could have made? The reason, if not.
    pub fn validate(&self) -> Result<(), String> {
        match self {
            Self::Graph(genome) => genome.validate(),
            Self::Legged(genome) => genome.validate(),
        }
    }
}
