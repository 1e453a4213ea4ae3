//! Who becomes a parent (000 section 4.7.2, 001 section 3.1.2).

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

/// A rule of selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Selection {
    /// In proportion to fitness (above the worst, if that is negative), to which a multiple of the mean is added that falls to zero over the
    /// run: low pressure at first, so that nobody takes over (000).
    Proportional {
        /// The multiple at the start.
        pressure: f64,
    },
    /// The best of some drawn at random.
    Tournament {
        /// How many are drawn.
        size: usize,
    },
    /// Any of the best share.
    Truncation {
        /// Share of the population that may be parents.
        share: f64,
    },
    /// In proportion to the place in the order of fitness.
    Rank {
        /// How many times as likely as the mean the best is, 1 to 2.
        pressure: f64,
    },
}

impl Selection {
    /// Index of one of `fitness`, which is sorted from best to worst and not empty. `progress` of the run is from 0 to 1.
    pub fn select(&self, fitness: &[f64], progress: f64, dice: &mut Random) -> usize {
        let count = fitness.len();
        match *self {
            Self::Proportional { pressure } => {
                let least = fitness.last().copied().unwrap_or(0.0).min(0.0);
                let mean = fitness.iter().map(|f| f - least).sum::<f64>() / count as f64;
                let extra = pressure * (1.0 - progress).max(0.0) * mean;
                let total: f64 = fitness.iter().map(|f| f - least + extra).sum();
                if !(total > 0.0 && total.is_finite()) {
                    return dice.below(count);
                }
                let mut left = dice.between(0.0, total);
                let falls_on = |f: &f64| {
                    left -= f - least + extra;
                    left < 0.0
                };
                fitness.iter().position(falls_on).unwrap_or(count - 1)
            }
            // Sorted: the smallest index is the best.
            Self::Tournament { size } => (0..size.max(1)).map(|_| dice.below(count)).min().unwrap_or(0),
            Self::Truncation { share } => dice.below(((share * count as f64) as usize).clamp(1, count)),
            Self::Rank { pressure } => {
                // Baker's linear ranking: expected copies from `pressure` for the best to `2 - pressure` for the worst.
                let best = pressure.clamp(1.0, 2.0);
                let copies = |place: usize| best - (2.0 * best - 2.0) * place as f64 / (count.max(2) - 1) as f64;
                let mut left = dice.between(0.0, count as f64);
                let falls_on = |&place: &usize| {
                    left -= copies(place);
                    left < 0.0
                };
                (0..count).find(falls_on).unwrap_or(count - 1)
            }
        }
    }
}
