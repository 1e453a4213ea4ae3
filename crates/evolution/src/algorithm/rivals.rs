//! Two populations that compete (after Sims 1994b, "all against the best"): everybody meets the champion of the other side's last generation, and
//! the fitness is what the task makes of the contest, so it is relative.
//!
//! When champions change, so does the meaning of every fitness: both sides are [renewed](Algorithm::renew), and whoever lives on is
//! evaluated again against the new one. In the first generation there is nobody to meet yet, and everybody plays alone. A generation
//! is complete before the next begins; births alternate between the sides.

use std::collections::VecDeque;

use burgess_creature::{AnyGenome, Random};
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::individual::{Birth, Id, Learned, by_fitness};

/// How rivals meet, where the task is a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RivalSettings {
    /// Do two populations compete if the task has a contest? Else everybody plays alone.
    pub compete: bool,
    /// The opponent is drawn from the champions of so many of the last generations. One is Sims's rule; more make it harder to win by one trick
    /// that only the present champion falls for.
    pub memory: usize,
}

impl Default for RivalSettings {
    fn default() -> Self {
        Self { compete: true, memory: 1 }
    }
}

/// Two populations.
pub struct Rivals {
    settings: RivalSettings,
    sides: [Box<dyn Algorithm>; 2],
    /// Of the last generations of each side, the latest last.
    champions: [VecDeque<(Id, AnyGenome)>; 2],
    /// The best of the present generation of each side.
    best: [Option<Learned>; 2],
    /// The present generation, and the number of its first birth.
    generation: u64,
    first: u64,
}

impl Rivals {
    /// Of two populations that were made alike.
    pub fn new(settings: RivalSettings, sides: [Box<dyn Algorithm>; 2]) -> Self {
        Self { settings, sides, champions: Default::default(), best: [None, None], generation: 0, first: 0 }
    }

    /// The side of a birth, and its number there.
    fn place(number: u64) -> (usize, u64) {
        ((number % 2) as usize, number / 2)
    }

    /// The best of the last generation become champions. A side of which nobody was scored keeps those that it had.
    fn crown(&mut self) {
        for (best, champions) in self.best.iter_mut().zip(&mut self.champions) {
            let Some(Learned { id, genome, .. }) = best.take() else { continue };
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

    fn learn(&mut self, number: u64, result: Learned) {
        let (side, own) = Self::place(number);
        let best = &mut self.best[side];
        if result.scored && best.as_ref().is_none_or(|best| by_fitness(&result, best).is_lt()) {
            *best = Some(result.clone());
        }
        self.sides[side].learn(own, result);
    }

    fn welcome(&mut self, immigrant: Learned) {
        self.sides[0].welcome(immigrant);
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
