//! Selection of parents (Fontijne 2000, section 4.7.2; Arnold 1997, section 3.1.2).

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

/// A rule of selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Selection {
    /// Proportional to fitness, or to fitness above the worst if that is negative. A multiple of the mean is added,
    /// which falls to zero over the run: low pressure at first prevents early takeover (Fontijne 2000).
    Proportional {
        /// The multiple at the start.
        pressure: f64,
    },
    /// The best of several individuals drawn at random.
    Tournament {
        /// Number of individuals that are drawn.
        size: usize,
    },
    /// Uniformly among the best share of the population.
    Truncation {
        /// Share of the population that may be parents.
        share: f64,
    },
    /// Proportional to the rank by fitness.
    Rank {
        /// Expected number of draws of the best, relative to the mean, from 1 to 2.
        pressure: f64,
    },
}

impl Selection {
    /// Draws an index into `fitness`, which is sorted from best to worst and not empty. `progress` of the run is from
    /// 0 to 1.
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
            // The list is sorted, so the smallest index is the best.
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
