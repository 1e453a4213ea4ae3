//! The diffusion model (001 section 3.1.5): individuals live on a torus and mate with their neighbours only, so that different ways of
//! living hold out in different places.

use burgess_creature::Dice;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Learned, by_fitness};

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
}

impl Default for DiffusionSettings {
    fn default() -> Self {
        Self { columns: 16, rows: 16, reach: 1 }
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
}

impl Diffusion {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: DiffusionSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let settings = DiffusionSettings { columns: settings.columns.max(1), rows: settings.rows.max(1), ..settings };
        let places = (0..settings.columns * settings.rows).map(|_| None).collect();
        Self { settings, breeder, founders, places, told: Vec::new() }
    }

    fn size(&self) -> u64 {
        self.places.len() as u64
    }

    /// Those who live at a place and around it, the fittest first.
    fn neighbours(&self, place: usize) -> Vec<&Learned> {
        let DiffusionSettings { columns, rows, reach } = self.settings;
        let (column, row) = (place % columns, place / columns);
        let around = |center: usize, count: usize| {
            let reach = reach.min((count - 1) / 2);
            (0..=2 * reach).map(move |offset| (center + count + offset - reach) % count)
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
        self.generation(number) * self.size()
    }

    fn breed(&mut self, number: u64, dice: &mut Dice) -> Birth {
        if let Some(founder) = self.founders.get(number as usize) {
            return Birth::of(founder.clone());
        }
        let neighbours = self.neighbours((number % self.size()) as usize);
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
        let last_of_generation = (number + 1) % self.size() == 0;
        if result.scored {
            self.told.push(((number % self.size()) as usize, result));
        }
        if last_of_generation {
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

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}
