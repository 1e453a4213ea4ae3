//! Graph genomes (Fontijne (2000) sections 4.2 to 4.4, after Sims 1994): a directed graph of nodes, which parts are
//! made from, and connections, which attach parts to each other. Growth follows the connections from the root. A node
//! that is passed several times makes several parts, each with its own copy of the node's neurons, so a few genes give
//! chains, trees and mirrored limbs.
//!
//! ```
//! use burgess_creature::graph::{GraphGenome, GraphSettings};
//! use burgess_creature::{Random, Genome, Physiology, Recombination};
//!
//! let (settings, mut random) = (GraphSettings::default(), Random::new(1));
//! let mother = GraphGenome::random(&settings, &mut random);
//! let father = GraphGenome::random(&settings, &mut random).mutate(&settings, &mut random);
//! let child = mother.recombine(&father, Recombination::Grafting, &settings, &mut random);
//! assert_eq!(child.validate(), Ok(()));
//! match child.grow(&Physiology::default()) {
//!     Ok(phenotype) => println!("{} parts", phenotype.body.parts.len()),
//!     Err(reason) => println!("not viable: {reason}"),
//! }
//! ```

mod address;
mod beat;
mod bounds;
mod connection;
mod describe;
mod fit;
mod genome;
mod grow;
pub mod handmade;
mod intermediate;
mod joint_gene;
mod mutate;
mod neuron_gene;
mod node;
mod random_genes;
mod rates;
mod recombine;
mod settings;
mod wire;

pub use address::{Address, Place};
pub use bounds::{
    AXIS_ANGLE, HALF_SIZE, MAX_CONNECTIONS, MAX_GLOBAL_NEURONS, MAX_LOCAL_NEURONS, MAX_NODES, MAX_RECURSION, RHYTHM,
    SCALE, TURN, WEIGHT,
};
pub use connection::Connection;
pub use genome::{GraphGenome, Replication};
pub use joint_gene::{JointDrive, JointGene, JointType, MIN_DETERMINANT};
pub use neuron_gene::{InputGene, NeuronGene};
pub use node::{Node, ShapeKind};
pub use rates::{ConnectionRates, GraphRates, Magnitudes, NeuronRates, NodeRates, Rates};
pub use settings::GraphSettings;
pub use wire::{ROOT_SENSES, WORLD_SENSES};

use crate::genome::{AnyGenome, Family, Genome, Recombination};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::random::Random;
use crate::store::{StoreError, retrieve, store};
use crate::viability::Unviable;

impl Genome for GraphGenome {
    type Settings = GraphSettings;

    fn random(settings: &GraphSettings, random: &mut Random) -> Self {
        random_genes::genome(settings, random)
    }

    fn mutate(&self, settings: &GraphSettings, random: &mut Random) -> Self {
        mutate::mutated(self, settings, random)
    }

    fn recombine(&self, other: &Self, how: Recombination, settings: &GraphSettings, random: &mut Random) -> Self {
        recombine::recombined(self, other, how, settings, random)
    }

    fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable> {
        grow::grow(self, physiology)
    }

    fn describe(&self) -> String {
        describe::describe(self)
    }

    fn validate(&self) -> Result<(), String> {
        self.check()
    }

    fn store(&self) -> Vec<u8> {
        store(&AnyGenome::Graph(self.clone()))
    }

    fn retrieve(bytes: &[u8]) -> Result<Self, StoreError> {
        match retrieve(bytes)? {
            AnyGenome::Graph(genome) => Ok(genome),
            other => Err(StoreError::OtherFamily { found: other.family(), expected: Family::Graph }),
        }
    }
}
