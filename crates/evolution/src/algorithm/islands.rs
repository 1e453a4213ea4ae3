//! The migration model (001 section 3.1.5): several populations that go their own ways, and once in a while the best of one
//! move on to the next. Birth after birth goes round the islands.

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::individual::{Birth, Id, Learned};

/// How many, and how far apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IslandSettings {
    /// Number of islands; 1 has no migration.
    pub count: usize,
    /// Generations between two migrations.
    pub every: u64,
    /// How many move on from each island.
    pub migrants: usize,
}

impl Default for IslandSettings {
    fn default() -> Self {
        Self { count: 1, every: 10, migrants: 2 }
    }
}

/// Populations side by side.
pub struct Islands {
    settings: IslandSettings,
    islands: Vec<Box<dyn Algorithm>>,
    /// The best of each island since the last migration, best first.
    best: Vec<Vec<Learned>>,
}

impl Islands {
    /// Of populations that were made alike, at least one.
    pub fn new(settings: IslandSettings, islands: Vec<Box<dyn Algorithm>>) -> Self {
        let best = islands.iter().map(|_| Vec::new()).collect();
        Self { settings, islands, best }
    }

    /// The island of a birth, and its number there.
    fn place(&self, number: u64) -> (usize, u64) {
        let count = self.islands.len() as u64;
        ((number % count) as usize, number / count)
    }

    fn migrate(&mut self) {
        let travellers: Vec<Vec<Learned>> = self.best.iter_mut().map(std::mem::take).collect();
        for (island, group) in travellers.into_iter().enumerate() {
            let next = (island + 1) % self.islands.len();
            group.into_iter().for_each(|one| self.islands[next].welcome(one));
        }
    }
}

impl Algorithm for Islands {
    fn needs(&self, number: u64) -> u64 {
        let (island, own) = self.place(number);
        self.islands[island].needs(own) * self.islands.len() as u64
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        let (island, own) = self.place(number);
        self.islands[island].breed(own, dice)
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let (island, own) = self.place(number);
        if result.scored {
            let best = &mut self.best[island];
            let place = best.partition_point(|other| other.fitness >= result.fitness);
            best.insert(place, result.clone());
            best.truncate(self.settings.migrants);
        }
        self.islands[island].learn(own, result);
        let generation = self.generation(number);
        let ends_generation = self.generation(number + 1) > generation;
        if ends_generation && (generation + 1).is_multiple_of(self.settings.every.max(1)) {
            self.migrate();
        }
    }

    fn welcome(&mut self, immigrant: Learned) {
        if let Some(first) = self.islands.first_mut() {
            first.welcome(immigrant);
        }
    }

    fn forget(&mut self, id: Id) {
        self.best.iter_mut().for_each(|best| best.retain(|one| one.id != id));
        self.islands.iter_mut().for_each(|island| island.forget(id));
    }

    fn renew(&mut self) {
        // Who was the best is not known any more.
        self.best.iter_mut().for_each(Vec::clear);
        self.islands.iter_mut().for_each(|island| island.renew());
    }

    fn generation(&self, number: u64) -> u64 {
        let (island, own) = self.place(number);
        self.islands[island].generation(own)
    }
}
