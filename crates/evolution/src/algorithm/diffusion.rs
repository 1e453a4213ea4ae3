//! The diffusion model (Arnold 1997, section 3.1.5): individuals live on a torus and mate with their neighbours only,
//! so that different solutions survive in different places.

use std::collections::BTreeMap;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, EvaluatedIndividual, Id, by_fitness};

/// Settings of the diffusion model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiffusionSettings {
    /// Number of places along one direction of the torus.
    pub columns: usize,
    /// Number of places along the other direction.
    pub rows: usize,
    /// Largest distance of a mate along either direction, in places.
    pub reach: usize,
    /// Number of results of the last generation that the first births of the next do not wait for.
    pub window: u64,
}

impl Default for DiffusionSettings {
    fn default() -> Self {
        Self { columns: 16, rows: 16, reach: 1, window: 64 }
    }
}

/// State of the diffusion model.
#[derive(Debug)]
pub struct Diffusion {
    settings: DiffusionSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    /// Individual at each place, row by row.
    places: Vec<Option<EvaluatedIndividual>>,
    /// Results of the current generation, with their places.
    results: Vec<(usize, EvaluatedIndividual)>,
    /// Individuals that have to be evaluated again, by their places.
    again: BTreeMap<usize, EvaluatedIndividual>,
    /// Whether the fitness of all individuals is out of date.
    stale: bool,
}

impl Diffusion {
    /// Creates a population from founders and, if these are too few, random genomes.
    pub fn new(settings: DiffusionSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = DiffusionSettings { columns: settings.columns.max(1), rows: settings.rows.max(1), ..settings };
        let places = (0..settings.columns * settings.rows).map(|_| None).collect();
        Self { settings, breeder, founders, places, results: Vec::new(), again: BTreeMap::new(), stale: false }
    }

    fn size(&self) -> u64 {
        self.places.len() as u64
    }

    /// Returns the individuals at a place and around it, the fittest first.
    fn neighbours(&self, place: usize) -> Vec<&EvaluatedIndividual> {
        let DiffusionSettings { columns, rows, reach, .. } = self.settings;
        let (column, row) = (place % columns, place / columns);
        let around = |center: usize, count: usize| {
            // On a small torus a place can be reached in two ways; it counts once.
            let reach = reach.min(count / 2);
            (0..count.min(2 * reach + 1)).map(move |offset| (center + count + offset - reach) % count)
        };
        let mut found: Vec<&EvaluatedIndividual> = around(row, rows)
            .flat_map(|row| around(column, columns).map(move |column| row * columns + column))
            .filter_map(|place| self.places[place].as_ref())
            .collect();
        found.sort_by(|a, b| by_fitness(a, b));
        found
    }
}

impl Algorithm for Diffusion {
    fn needs(&self, number: u64) -> u64 {
        barrier(number, self.size(), self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        if let Some(founder) = self.founders.get(number as usize) {
            return Birth::of(founder.clone());
        }
        let place = (number % self.size()) as usize;
        if let Some(one) = self.again.remove(&place) {
            return Birth::copy(&one);
        }
        let neighbours = self.neighbours(place);
        if neighbours.is_empty() {
            return Birth::of(self.breeder.random(dice));
        }
        Birth::of(self.breeder.child(dice, |dice| {
            // The better of parent and child keeps the place.
            let chosen = neighbours[dice.below(neighbours.len()).min(dice.below(neighbours.len()))];
            Parent { id: chosen.id, genome: &chosen.genome }
        }))
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        if result.scored {
            self.results.push(((number % self.size()) as usize, result));
        }
        // If no individual of a generation was scored, the population stays as it was.
        if last_of_generation && !self.results.is_empty() {
            if std::mem::take(&mut self.stale) {
                self.places.fill(None);
            }
            for (place, child) in std::mem::take(&mut self.results) {
                if self.places[place].as_ref().is_none_or(|home| child.fitness >= home.fitness) {
                    self.places[place] = Some(child);
                }
            }
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        // An immigrant replaces the weakest individual.
        let weakest = (0..self.places.len()).min_by(|&a, &b| {
            let fitness = |place: usize| self.places[place].as_ref().map_or(f64::NEG_INFINITY, |one| one.fitness);
            fitness(a).total_cmp(&fitness(b))
        });
        if let Some(place) = weakest {
            self.places[place] = Some(immigrant);
        }
    }

    fn forget(&mut self, id: Id) {
        self.places
            .iter_mut()
            .filter(|place| place.as_ref().is_some_and(|one| one.id == id))
            .for_each(|place| *place = None);
        self.results.retain(|(_, one)| one.id != id);
        self.again.retain(|_, one| one.id != id);
    }

    fn renew(&mut self) {
        // Only the best of each neighbourhood are evaluated again; the others are replaced by children.
        let is_best = |place: usize, one: &EvaluatedIndividual| {
            self.neighbours(place).first().is_some_and(|best| best.id == one.id)
        };
        let living = self.places.iter().enumerate().filter_map(|(place, one)| Some((place, one.as_ref()?)));
        self.again =
            living.filter(|(place, one)| is_best(*place, one)).map(|(place, one)| (place, one.clone())).collect();
        self.stale = true;
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
