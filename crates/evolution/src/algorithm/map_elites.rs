//! MAP-Elites (Mouret and Clune 2015): a grid over descriptors of body and behaviour, with the best individual of
//! every cell. It keeps many kinds of solutions, where a population converges to one.
//!
//! Parents are drawn uniformly from all cells. There are no generations: a birth depends on all results but the last
//! few, so that evaluations can run in parallel. That number is fixed, so that timing changes nothing.

use std::collections::BTreeMap;

use burgess_creature::Random;
use burgess_creature::task::Formula;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, EvaluatedIndividual, Id};

/// One dimension of the grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Name of a descriptor, or a formula over descriptors and measures.
    pub descriptor: String,
    /// Lowest value. Lower ones belong to the first cell.
    pub low: f64,
    /// Highest value. Higher ones belong to the last cell.
    pub high: f64,
    /// Number of cells.
    pub cells: usize,
}

impl Dimension {
    /// Returns the value of the formula; the lowest value if there is none, because it was not checked.
    fn by_formula(&self, descriptors: &BTreeMap<String, f64>) -> f64 {
        let formula = Formula::parse(&self.descriptor);
        let known = |formula: &Formula| formula.names().all(|name| descriptors.contains_key(name));
        formula.ok().filter(known).map_or(self.low, |formula| formula.evaluate(|name| descriptors.get(name).copied()))
    }

    /// Returns the index of the cell for the given descriptors and measures.
    pub fn cell(&self, descriptors: &BTreeMap<String, f64>) -> usize {
        let value = descriptors.get(&self.descriptor).copied().unwrap_or_else(|| self.by_formula(descriptors));
        let share = (value - self.low) / (self.high - self.low);
        // Casting NaN gives 0.
        ((share.clamp(0.0, 1.0) * self.cells as f64) as usize).min(self.cells.max(1) - 1)
    }
}

/// Settings of MAP-Elites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapElitesSettings {
    /// Dimensions of the grid.
    pub dimensions: Vec<Dimension>,
    /// Number of random genomes before any child is bred.
    pub founders: usize,
    /// Number of results that a birth does not wait for.
    pub window: u64,
    /// Number of births that learning curves show as one generation.
    pub generation: u64,
}

impl Default for MapElitesSettings {
    fn default() -> Self {
        let dimension =
            |descriptor: &str, low, high, cells| Dimension { descriptor: descriptor.to_string(), low, high, cells };
        Self {
            dimensions: vec![dimension("parts", 2.0, 18.0, 8), dimension("height", 0.0, 1.0, 8)],
            founders: 300,
            window: 96,
            generation: 100,
        }
    }
}

/// State of MAP-Elites.
#[derive(Debug)]
pub struct MapElites {
    settings: MapElitesSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    cells: BTreeMap<Vec<usize>, Elite>,
    /// Births that are copies of elites, by number, each with the cell of the elite.
    copies: BTreeMap<u64, Vec<usize>>,
}

/// The elite of a cell.
#[derive(Debug)]
struct Elite {
    one: EvaluatedIndividual,
    standing: Standing,
}

/// Validity of the fitness of an elite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The fitness is valid.
    Present,
    /// The fitness is out of date: any individual may take the cell, and the elite has to be evaluated again.
    Past,
    /// The fitness is out of date, and a copy of the elite is being evaluated.
    Copied,
}

/// What an individual adds to the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gain {
    /// Whether its cell is empty.
    is_new: bool,
    /// Fitness in an empty cell, otherwise the difference to the fitness of the elite.
    value: f64,
}

impl Gain {
    /// Returns whether the individual becomes an elite.
    pub fn adds(&self) -> bool {
        self.is_new || self.value > 0.0
    }

    /// Order from the smallest gain to the largest. An empty cell is worth more than any improvement.
    pub fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.is_new.cmp(&other.is_new).then(self.value.total_cmp(&other.value))
    }
}

impl MapElites {
    /// Creates a grid from founders and, if these are too few, random genomes.
    pub fn new(settings: MapElitesSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        Self { settings, breeder, founders, cells: BTreeMap::new(), copies: BTreeMap::new() }
    }

    /// Returns the elites whose fitness is valid, with their cells.
    pub fn cells(&self) -> impl Iterator<Item = (&[usize], &EvaluatedIndividual)> {
        let present = self.cells.iter().filter(|(_, elite)| elite.standing == Standing::Present);
        present.map(|(cell, elite)| (cell.as_slice(), &elite.one))
    }

    /// Returns what an individual would add to the map, if it was scored.
    pub(super) fn gain(&self, one: &EvaluatedIndividual) -> Option<Gain> {
        let elite = self.cells.get(&self.cell(&one.descriptors));
        let known = elite.filter(|elite| elite.standing == Standing::Present).map(|elite| elite.one.fitness);
        let gain = known.map_or(Gain { is_new: true, value: one.fitness }, |known| Gain {
            is_new: false,
            value: one.fitness - known,
        });
        one.scored.then_some(gain)
    }

    /// Returns whether a birth is a founder, or a copy of an elite whose fitness is out of date.
    pub(super) fn is_waiting(&self, number: u64) -> bool {
        let has_past = || self.cells.values().any(|elite| elite.standing == Standing::Past);
        (number as usize) < self.founders.len() || number.is_multiple_of(2) && has_past()
    }

    /// Puts an individual into its cell if it is better than the elite there.
    fn place(&mut self, one: EvaluatedIndividual) {
        let cell = self.cell(&one.descriptors);
        let gives_way = |elite: &Elite| elite.standing != Standing::Present || one.fitness > elite.one.fitness;
        if self.cells.get(&cell).is_none_or(gives_way) {
            self.cells.insert(cell, Elite { one, standing: Standing::Present });
        }
    }

    fn cell(&self, descriptors: &BTreeMap<String, f64>) -> Vec<usize> {
        self.settings.dimensions.iter().map(|dimension| dimension.cell(descriptors)).collect()
    }
}

impl Algorithm for MapElites {
    fn needs(&self, number: u64) -> u64 {
        number.saturating_sub(self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        if let Some(founder) = self.founders.get(number as usize) {
            return Birth::of(founder.clone());
        }
        if number < self.settings.founders as u64 || self.cells.is_empty() {
            return Birth::of(self.breeder.random(dice));
        }
        // Only every second birth is a copy, so that the search continues meanwhile.
        let past = self.cells.iter_mut().find(|(_, elite)| elite.standing == Standing::Past);
        if let Some((cell, elite)) = past.filter(|_| number.is_multiple_of(2)) {
            elite.standing = Standing::Copied;
            self.copies.insert(number, cell.clone());
            return Birth::copy(&elite.one);
        }
        let cells: Vec<&EvaluatedIndividual> = self.cells.values().map(|elite| &elite.one).collect();
        Birth::of(self.breeder.child(dice, |dice| {
            let elite = cells[dice.below(cells.len())];
            Parent { id: elite.id, genome: &elite.genome }
        }))
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        // The copy may fail or belong to another cell. In any case the out-of-date elite is removed.
        if let Some(cell) = self.copies.remove(&number)
            && self.cells.get(&cell).is_some_and(|elite| elite.standing == Standing::Copied)
        {
            self.cells.remove(&cell);
        }
        if result.scored {
            self.place(result);
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.place(immigrant);
    }

    fn forget(&mut self, id: Id) {
        self.cells.retain(|_, elite| elite.one.id != id);
    }

    fn renew(&mut self) {
        self.cells.retain(|_, elite| elite.standing != Standing::Copied);
        self.cells.values_mut().for_each(|elite| elite.standing = Standing::Past);
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.settings.generation.max(1)
    }
}
