//! Graph genomes (000 sections 4.2 to 4.4, after Sims).

use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::genome::{Genome, Recombination};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::viability::Unviable;

/// A directed graph of nodes and connections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphGenome {}

/// How graph genomes are drawn and changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphSettings {}

impl Genome for GraphGenome {
    type Settings = GraphSettings;

    fn random(_: &GraphSettings, _: &mut Dice) -> Self {
        Self {}
    }

    fn mutate(&self, _: &GraphSettings, _: &mut Dice) -> Self {
        self.clone()
    }

    fn recombine(&self, _: &Self, _: Recombination, _: &GraphSettings, _: &mut Dice) -> Self {
        self.clone()
    }

    fn grow(&self, _: &Physiology) -> Result<Phenotype, Unviable> {
        Err(Unviable::TooFewParts { parts: 0, least: 2 })
    }

    fn describe(&self) -> String {
        String::new()
    }

    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}
