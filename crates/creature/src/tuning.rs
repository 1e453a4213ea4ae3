//! Genomes without a body: numbers that tune a crowd. The task says which numbers of the crowd's behaviour net they are,
//! and in which range.

use serde::{Deserialize, Serialize};

use crate::genome::{AnyGenome, Family, Genome, Recombination};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::random::Random;
use crate::store::{StoreError, retrieve, store};
use crate::viability::Unviable;

/// Maximum number of numbers that a task tunes.
pub const MAX_TUNED_NUMBERS: usize = 64;

/// Numbers that tune a crowd.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningGenome {
    /// For each tuned number, its place in its range: 0 is the lowest value and 1 the highest.
    pub shares: Vec<f64>,
}

/// How tuning genomes are drawn and changed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TuningSettings {
    /// Number of numbers: as many as the task tunes.
    pub numbers: usize,
    /// Standard deviation of a mutation, as a share of the range.
    pub deviation: f64,
}

impl Default for TuningSettings {
    fn default() -> Self {
        Self { numbers: 0, deviation: 0.15 }
    }
}

impl TuningSettings {
    /// Returns whether all settings have their defaults.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Genome for TuningGenome {
    type Settings = TuningSettings;

    fn random(settings: &TuningSettings, random: &mut Random) -> Self {
        Self { shares: (0..settings.numbers.min(MAX_TUNED_NUMBERS)).map(|_| random.between(0.0, 1.0)).collect() }
    }

    fn mutate(&self, settings: &TuningSettings, random: &mut Random) -> Self {
        let change = |share: &f64| (share + random.normal(settings.deviation)).clamp(0.0, 1.0);
        Self { shares: self.shares.iter().map(change).collect() }
    }

    fn recombine(&self, other: &Self, how: Recombination, _settings: &TuningSettings, random: &mut Random) -> Self {
        let mut pairs = self.shares.iter().zip(&other.shares);
        if self.shares.len() != other.shares.len() {
            return self.clone();
        }
        let shares = match how {
            Recombination::Intermediate => pairs.map(|(own, other)| 0.5 * (own + other)).collect(),
            Recombination::Crossover | Recombination::Grafting => {
                pairs.map(|(own, other)| if random.chance(0.3) { *other } else { *own }).collect()
            }
            Recombination::Exchange => {
                let exchanged = random.below(self.shares.len());
                let mut shares = self.shares.clone();
                if let Some((_, other)) = pairs.nth(exchanged) {
                    shares[exchanged] = *other;
                }
                shares
            }
        };
        Self { shares }
    }

    fn grow(&self, _physiology: &Physiology) -> Result<Phenotype, Unviable> {
        Err(Unviable::NoBody)
    }

    fn describe(&self) -> String {
        let shares: Vec<String> = self.shares.iter().map(|share| format!("{share:.3}")).collect();
        format!("tuning of a crowd, shares of the ranges: {}", shares.join(", "))
    }

    fn validate(&self) -> Result<(), String> {
        if self.shares.len() > MAX_TUNED_NUMBERS {
            return Err(format!("it has {} numbers, more than {MAX_TUNED_NUMBERS}", self.shares.len()));
        }
        match self.shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            Some(share) => Err(format!("a share is {share}, expected a number from 0 to 1")),
            None => Ok(()),
        }
    }

    fn store(&self) -> Vec<u8> {
        store(&AnyGenome::Tuning(self.clone()))
    }

    fn retrieve(bytes: &[u8]) -> Result<Self, StoreError> {
        match retrieve(bytes)? {
            AnyGenome::Tuning(genome) => Ok(genome),
            other => Err(StoreError::OtherFamily { found: other.family(), expected: Family::Tuning }),
        }
    }
}
