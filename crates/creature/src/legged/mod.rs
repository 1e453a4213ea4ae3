//! Legged genomes (001 section 3.2).

use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::genome::{Genome, Recombination};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::viability::Unviable;

/// A trunk on two or three pairs of limbs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeggedGenome {}

/// How legged genomes are drawn and changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeggedSettings {}

impl Genome for LeggedGenome {
    type Settings = LeggedSettings;

    fn random(_: &LeggedSettings, _: &mut Dice) -> Self {
        Self {}
    }

    fn mutate(&self, _: &LeggedSettings, _: &mut Dice) -> Self {
        self.clone()
    }

    fn recombine(&self, _: &Self, _: Recombination, _: &LeggedSettings, _: &mut Dice) -> Self {
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
