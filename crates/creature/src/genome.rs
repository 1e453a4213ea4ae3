//! The operations that every family of genomes supports (Fontijne (2000) section 4.4.1), and a genome of any family.

use serde::{Deserialize, Serialize};

use crate::graph::{GraphGenome, GraphSettings};
use crate::legged::{LeggedGenome, LeggedSettings};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::random::Random;
use crate::store::StoreError;
use crate::tuning::{TuningGenome, TuningSettings};
use crate::viability::Unviable;

/// A family of genomes. All operators are pure functions of their arguments and the random numbers, and always return
/// valid genomes.
pub trait Genome: Clone + PartialEq + std::fmt::Debug + Send + Sync + Sized {
    /// Distribution of random genomes, and mutation rates.
    type Settings: Clone + PartialEq + std::fmt::Debug + Default;

    /// Returns a random genome.
    fn random(settings: &Self::Settings, random: &mut Random) -> Self;

    /// Returns a copy in which some members are changed, each with its own rate.
    fn mutate(&self, settings: &Self::Settings, random: &mut Random) -> Self;

    /// Returns a child of two genomes. Most of it comes from `self`.
    fn recombine(&self, other: &Self, how: Recombination, settings: &Self::Settings, random: &mut Random) -> Self;

    /// Grows the body and the brain, or says why the genome is not viable.
    fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable>;

    /// Describes the genome in a few lines of text.
    fn describe(&self) -> String;

    /// Checks that the operators could have made this genome. The error is the reason.
    fn validate(&self) -> Result<(), String>;

    /// Returns the genome as bytes, with a version and a checksum.
    fn store(&self) -> Vec<u8>;

    /// Reads such bytes. Fails if they are damaged, of an unknown version or of another family.
    fn retrieve(bytes: &[u8]) -> Result<Self, StoreError>;
}

/// Recombination operators (Fontijne (2000) section 4.7.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recombination {
    /// Replaces a run of parts by parts of the other parent.
    Crossover,
    /// Adds some parts of the other parent.
    Grafting,
    /// Exchanges something below the level of a part: a local controller or a joint (Fontijne (2000) section 4.9).
    Exchange,
    /// Takes the mean of all numbers at the same place in both parents, where their structure is equal (Arnold (1997)
    /// section 3.1.4).
    Intermediate,
}

impl Recombination {
    /// All operators.
    pub const ALL: [Self; 4] = [Self::Crossover, Self::Grafting, Self::Exchange, Self::Intermediate];
}

/// A genome of any family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum AnyGenome {
    /// A directed graph of parts (Sims 1994; Fontijne 2000).
    Graph(GraphGenome),
    /// A trunk with pairs of limbs (Arnold 1997).
    Legged(LeggedGenome),
    /// Numbers that tune a crowd, without a body.
    Tuning(TuningGenome),
}

/// The families of genomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// A directed graph of parts (Sims 1994; Fontijne 2000).
    Graph,
    /// A trunk with pairs of limbs (Arnold 1997).
    Legged,
    /// Numbers that tune a crowd, without a body.
    Tuning,
}

impl Family {
    /// All families that grow into bodies.
    pub const ALL: [Self; 2] = [Self::Graph, Self::Legged];

    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Legged => "legged",
            Self::Tuning => "tuning",
        }
    }

    /// Returns a random genome of this family.
    pub fn random(self, settings: &GenomeSettings, random: &mut Random) -> AnyGenome {
        match self {
            Self::Graph => AnyGenome::Graph(GraphGenome::random(&settings.graph, random)),
            Self::Legged => AnyGenome::Legged(LeggedGenome::random(&settings.legged, random)),
            Self::Tuning => AnyGenome::Tuning(TuningGenome::random(&settings.tuning, random)),
        }
    }
}

/// Settings of all families.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GenomeSettings {
    /// Settings of graph genomes.
    pub graph: GraphSettings,
    /// Settings of legged genomes.
    pub legged: LeggedSettings,
    /// Settings of tuning genomes.
    #[serde(skip_serializing_if = "TuningSettings::is_default")]
    pub tuning: TuningSettings,
}

impl GenomeSettings {
    /// Returns a copy whose mutations are scaled by a factor. Mutation rates stay.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        scaled.graph.magnitudes = self.graph.magnitudes.scaled(factor);
        scaled.legged.mutation = self.legged.mutation.scaled(factor);
        scaled.tuning.deviation *= factor;
        scaled
    }
}

impl AnyGenome {
    /// Returns the family.
    pub fn family(&self) -> Family {
        match self {
            Self::Graph(_) => Family::Graph,
            Self::Legged(_) => Family::Legged,
            Self::Tuning(_) => Family::Tuning,
        }
    }

    /// Returns a copy in which some members are changed.
    pub fn mutate(&self, settings: &GenomeSettings, random: &mut Random) -> Self {
        match self {
            Self::Graph(genome) => Self::Graph(genome.mutate(&settings.graph, random)),
            Self::Legged(genome) => Self::Legged(genome.mutate(&settings.legged, random)),
            Self::Tuning(genome) => Self::Tuning(genome.mutate(&settings.tuning, random)),
        }
    }

    /// Returns a child of two genomes, or a copy of `self` if the families differ.
    pub fn recombine(&self, other: &Self, how: Recombination, settings: &GenomeSettings, random: &mut Random) -> Self {
        match (self, other) {
            (Self::Graph(a), Self::Graph(b)) => Self::Graph(a.recombine(b, how, &settings.graph, random)),
            (Self::Legged(a), Self::Legged(b)) => Self::Legged(a.recombine(b, how, &settings.legged, random)),
            (Self::Tuning(a), Self::Tuning(b)) => Self::Tuning(a.recombine(b, how, &settings.tuning, random)),
            _ => self.clone(),
        }
    }

    /// Grows the body and the brain, or says why the genome is not viable.
    pub fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable> {
        match self {
            Self::Graph(genome) => genome.grow(physiology),
            Self::Legged(genome) => genome.grow(physiology),
            Self::Tuning(genome) => genome.grow(physiology),
        }
    }

    /// Describes the genome in a few lines of text.
    pub fn describe(&self) -> String {
        match self {
            Self::Graph(genome) => genome.describe(),
            Self::Legged(genome) => genome.describe(),
            Self::Tuning(genome) => genome.describe(),
        }
    }

    /// Checks that the operators could have made this genome. The error is the reason.
    pub fn validate(&self) -> Result<(), String> {
        match self {
            Self::Graph(genome) => genome.validate(),
            Self::Legged(genome) => genome.validate(),
            Self::Tuning(genome) => genome.validate(),
        }
    }
}
