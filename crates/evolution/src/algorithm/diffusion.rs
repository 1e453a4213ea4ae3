//! The diffusion model (001 section 3.1.5): individuals live on a torus and mate with their neighbours only, so that different ways of
//! living hold out in different places.

use std::collections::BTreeMap;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Id, Learned, by_fitness};

/// The torus.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiffusionSettings {
    /// Places along one way.
    pub columns: usize,
    /// Places along the other.
    pub rows: usize,
    /// How many places away a mate may live, either way.
    pub reach: usize,
    /// How many of the last generation the first of the next do not wait for.
    pub window: u64,
}

impl Default for DiffusionSettings {
    fn default() -> Self {
        Self { columns: 16, rows: 16, reach: 1, window: 0 }
    }
}

/// Everybody's place.
#[derive(Debug)]
pub struct Diffusion {
    settings: DiffusionSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    /// Row by row.
    places: Vec<Option<Learned>>,
    /// With their places.
    told: Vec<(usize, Learned)>,
    /// Those that have to be evaluated again, by their places.
    again: BTreeMap<usize, Learned>,
    /// Is everybody's fitness out of date?
    stale: bool,
}

impl Diffusion {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: DiffusionSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = DiffusionSettings { columns: settings.columns.max(1), rows: settings.rows.max(1), ..settings };
        let places = (0..settings.columns * settings.rows).map(|_| None).collect();
        Self { settings, breeder, founders, places, told: Vec::new(), again: BTreeMap::new(), stale: false }
    }

    fn size(&self) -> u64 {
        self.places.len() as u64
    }

    /// Those who live at a place and around it, the fittest first.
    fn neighbours(&self, place: usize) -> Vec<&Learned> {
        let DiffusionSettings { columns, rows, reach, .. } = self.settings;
        let (column, row) = (place % columns, place / columns);
        let around = |center: usize, count: usize| {
            // Nobody is a neighbour twice, however small the torus is.
            let reach = reach.min(count / 2);
            (0..count.min(2 * reach + 1)).map(move |offset| (center + count + offset - reach) % count)
        };
        let mut found: Vec<&Learned> = around(row, rows)
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
            // The better of two.
            let chosen = neighbours[dice.below(neighbours.len()).min(dice.below(neighbours.len()))];
            Parent { id: chosen.id, genome: &chosen.genome }
        }))
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        if result.scored {
            self.told.push(((number % self.size()) as usize, result));
        }
        // A generation of which nobody was scored leaves everything as it was.
        if last_of_generation && !self.told.is_empty() {
            if std::mem::take(&mut self.stale) {
                self.places.fill(None);
            }
            for (place, child) in std::mem::take(&mut self.told) {
                if self.places[place].as_ref().is_none_or(|home| child.fitness >= home.fitness) {
                    self.places[place] = Some(child);
                }
            }
        }
    }

    fn welcome(&mut self, immigrant: Learned) {
        // It takes the place of the weakest.
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
        self.told.retain(|(_, one)| one.id != id);
        self.again.retain(|_, one| one.id != id);
    }

    fn renew(&mut self) {
        // The best of their neighbourhoods are worth another look; all others give way to children.
        let is_best =
            |place: usize, one: &Learned| self.neighbours(place).first().is_some_and(|best| best.id == one.id);
        let living = self.places.iter().enumerate().filter_map(|(place, one)| Some((place, one.as_ref()?)));
        self.again =
            living.filter(|(place, one)| is_best(*place, one)).map(|(place, one)| (place, one.clone())).collect();
        self.stale = true;
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
