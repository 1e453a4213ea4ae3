//! The migration model (Arnold 1997, section 3.1.5): several populations evolve separately, and at intervals the best
//! of each island migrate to the next. Births are assigned to the islands in turn.

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::individual::{Birth, EvaluatedIndividual, Id};

/// Settings of the migration model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IslandSettings {
    /// Number of islands. With 1 there is no migration.
    pub count: usize,
    /// Number of generations between two migrations.
    pub every: u64,
    /// Number of migrants from each island.
    pub migrants: usize,
}

impl Default for IslandSettings {
    fn default() -> Self {
        Self { count: 1, every: 10, migrants: 2 }
    }
}

/// Several populations with migration.
pub struct Islands {
    settings: IslandSettings,
    islands: Vec<Box<dyn Algorithm>>,
    /// The best of each island since the last migration, the best first.
    best: Vec<Vec<EvaluatedIndividual>>,
}

impl Islands {
    /// Creates islands from at least one population. All must have the same settings.
    pub fn new(settings: IslandSettings, islands: Vec<Box<dyn Algorithm>>) -> Self {
        let best = islands.iter().map(|_| Vec::new()).collect();
        Self { settings, islands, best }
    }

    /// Returns the island of a birth, and the number of the birth there.
    fn place(&self, number: u64) -> (usize, u64) {
        let count = self.islands.len() as u64;
        ((number % count) as usize, number / count)
    }

    fn migrate(&mut self) {
        let travellers: Vec<Vec<EvaluatedIndividual>> = self.best.iter_mut().map(std::mem::take).collect();
        for (island, group) in travellers.into_iter().enumerate() {
            let next = (island + 1) % self.islands.len();
            group.into_iter().for_each(|one| self.islands[next].add_immigrant(one));
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

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let (island, own) = self.place(number);
        if result.scored {
            let best = &mut self.best[island];
            let place = best.partition_point(|other| other.fitness >= result.fitness);
            best.insert(place, result.clone());
            best.truncate(self.settings.migrants);
        }
        self.islands[island].record_result(own, result);
        let generation = self.generation(number);
        let ends_generation = self.generation(number + 1) > generation;
        if ends_generation && (generation + 1).is_multiple_of(self.settings.every.max(1)) {
            self.migrate();
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        if let Some(first) = self.islands.first_mut() {
            first.add_immigrant(immigrant);
        }
    }

    fn forget(&mut self, id: Id) {
        self.best.iter_mut().for_each(|best| best.retain(|one| one.id != id));
        self.islands.iter_mut().for_each(|island| island.forget(id));
    }

    fn renew(&mut self) {
        // The ranking of the migrants is out of date.
        self.best.iter_mut().for_each(Vec::clear);
        self.islands.iter_mut().for_each(|island| island.renew());
    }

    fn generation(&self, number: u64) -> u64 {
        let (island, own) = self.place(number);
        self.islands[island].generation(own)
    }
}
