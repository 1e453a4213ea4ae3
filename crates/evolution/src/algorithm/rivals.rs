//! Two competing populations, after Sims (1994), "all against the best": every individual meets the champion of the
//! other side's last generation. Its fitness is relative, because the task computes it from the contest.
//!
//! A new champion changes the meaning of every fitness. Then both sides are [renewed](Algorithm::renew), and
//! survivors are evaluated again against the new champion. In the first generation there is no champion yet, so every
//! individual plays alone. A generation is complete before the next begins. Births alternate between the sides.

use std::collections::VecDeque;

use burgess_creature::{AnyGenome, Random};
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::individual::{Birth, EvaluatedIndividual, Id, by_fitness};

/// Settings of competing populations, where the task is a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RivalSettings {
    /// Whether two populations compete if the task is a contest. Otherwise every individual plays alone.
    pub compete: bool,
    /// Number of past generations from whose champions the opponent is drawn. Sims (1994) has 1. More make it harder
    /// to win by a trick that works only against the current champion.
    pub memory: usize,
}

impl Default for RivalSettings {
    fn default() -> Self {
        Self { compete: true, memory: 1 }
    }
}

/// Two competing populations.
pub struct Rivals {
    settings: RivalSettings,
    sides: [Box<dyn Algorithm>; 2],
    /// Champions of the last generations of each side, the latest last.
    champions: [VecDeque<(Id, AnyGenome)>; 2],
    /// Best individual of the current generation of each side.
    best: [Option<EvaluatedIndividual>; 2],
    /// Current generation, and the number of its first birth.
    generation: u64,
    first: u64,
}

impl Rivals {
    /// Creates a contest of two populations with the same settings.
    pub fn new(settings: RivalSettings, sides: [Box<dyn Algorithm>; 2]) -> Self {
        Self { settings, sides, champions: Default::default(), best: [None, None], generation: 0, first: 0 }
    }

    /// Returns the side of a birth, and the number of the birth there.
    fn place(number: u64) -> (usize, u64) {
        ((number % 2) as usize, number / 2)
    }

    /// Makes the best of the last generation champions. A side without a scored individual keeps its champions.
    fn crown(&mut self) {
        for (best, champions) in self.best.iter_mut().zip(&mut self.champions) {
            let Some(EvaluatedIndividual { id, genome, .. }) = best.take() else { continue };
            champions.push_back((id, genome));
            while champions.len() > self.settings.memory.max(1) {
                champions.pop_front();
            }
        }
        self.sides.iter_mut().for_each(|side| side.renew());
    }
}

impl Algorithm for Rivals {
    fn needs(&self, number: u64) -> u64 {
        if self.generation(number) > self.generation {
            return number;
        }
        let (side, own) = Self::place(number);
        self.first.max(2 * self.sides[side].needs(own))
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        let generation = self.generation(number);
        if generation > self.generation {
            (self.generation, self.first) = (generation, number);
            self.crown();
        }
        let (side, own) = Self::place(number);
        let birth = self.sides[side].breed(own, dice);
        let others = &self.champions[1 - side];
        Birth { opponent: others.get(dice.below(others.len())).cloned(), ..birth }
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let (side, own) = Self::place(number);
        let best = &mut self.best[side];
        if result.scored && best.as_ref().is_none_or(|best| by_fitness(&result, best).is_lt()) {
            *best = Some(result.clone());
        }
        self.sides[side].record_result(own, result);
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.sides[0].add_immigrant(immigrant);
    }

    fn forget(&mut self, id: Id) {
        // As a champion it stays an opponent: half of a generation has met it already.
        self.best.iter_mut().for_each(|best| *best = best.take().filter(|one| one.id != id));
        self.sides.iter_mut().for_each(|side| side.forget(id));
    }

    fn renew(&mut self) {
        self.sides.iter_mut().for_each(|side| side.renew());
    }

    fn generation(&self, number: u64) -> u64 {
        let (side, own) = Self::place(number);
        self.sides[side].generation(own)
    }
}
