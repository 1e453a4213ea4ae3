//! CMA-ME (Fontaine et al. 2020): the map of MAP-Elites, filled by several CMA-ES. Each starts from an elite and ranks
//! its children by what they add to the map: first those in empty cells, then by how much they are better than the
//! elite of their cell. One whose children add nothing starts again from another elite.

use std::collections::BTreeMap;

use burgess_creature::Random;
use serde::{Deserialize, Serialize};

use super::{Emitter, Sample};
use crate::algorithm::{Algorithm, Dimension, Gain, MapElites, MapElitesSettings, barrier};
use crate::breeder::{Breeder, Child};
use crate::individual::{Birth, EvaluatedIndividual, Id};

/// Settings of CMA-ME.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CmaMeSettings {
    /// Dimensions of the grid.
    pub dimensions: Vec<Dimension>,
    /// Number of random genomes before any child is bred.
    pub founders: usize,
    /// Number of searches at the same time.
    pub emitters: usize,
    /// Number of births in a generation of each search.
    pub population: usize,
    /// First size of steps, as a multiple of the size of mutations.
    pub sigma: f64,
    /// Number of results that the first births of a generation do not wait for.
    pub window: u64,
    /// Number of births that learning curves show as one generation.
    pub generation: u64,
}

impl Default for CmaMeSettings {
    fn default() -> Self {
        let MapElitesSettings { dimensions, founders, generation, .. } = MapElitesSettings::default();
        Self { dimensions, founders, emitters: 4, population: 36, sigma: 0.5, window: 72, generation }
    }
}

/// State of CMA-ME.
#[derive(Debug)]
pub struct CmaMe {
    settings: CmaMeSettings,
    breeder: Breeder,
    map: MapElites,
    emitters: Vec<Search>,
}

/// One of the searches.
#[derive(Debug, Default)]
struct Search {
    emitter: Option<Emitter>,
    /// Samples of the births without a result, by number.
    pending: BTreeMap<u64, Sample>,
    /// Samples of the current generation with what they added.
    results: Vec<(Gain, Sample)>,
    /// Number of results of the current generation.
    count: usize,
}

impl Search {
    /// Ends the search, so that the next birth begins another. Samples have the coordinates of their own search.
    fn end(&mut self) {
        self.emitter = None;
        self.pending.clear();
        self.results.clear();
    }
}

impl CmaMe {
    /// Creates a map from founders and, if these are too few, random genomes.
    pub fn new(settings: CmaMeSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let CmaMeSettings { dimensions, founders: count, window, generation, .. } = settings.clone();
        let map = MapElitesSettings { dimensions, founders: count, window, generation };
        let map = MapElites::new(map, breeder.clone(), founders);
        let emitters = (0..settings.emitters.max(1)).map(|_| Search::default()).collect();
        Self { settings, breeder, map, emitters }
    }

    /// Map of elites.
    pub fn map(&self) -> &MapElites {
        &self.map
    }

    /// Search that a birth after the founders belongs to.
    fn place(&self, number: u64) -> Option<usize> {
        let own = number.checked_sub(self.settings.founders as u64)?;
        Some((own % self.emitters.len() as u64) as usize)
    }
}

impl Algorithm for CmaMe {
    fn needs(&self, number: u64) -> u64 {
        let founders = self.settings.founders as u64;
        let Some(own) = number.checked_sub(founders) else { return self.map.needs(number) };
        // All searches end their generations at the same time. The founders count as the first generation.
        let size = (self.emitters.len() * self.settings.population.max(1)) as u64;
        (founders + barrier(own + size, size, self.settings.window)).saturating_sub(size)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        let Some(place) = self.place(number).filter(|_| !self.map.is_waiting(number)) else {
            return self.map.breed(number, dice);
        };
        let (settings, genomes, search) = (&self.settings, &self.breeder.genomes, &mut self.emitters[place]);
        if search.emitter.is_none() {
            let elites: Vec<&EvaluatedIndividual> = self.map.cells().map(|(_, elite)| elite).collect();
            let chosen = elites.get(dice.below(elites.len().max(1)));
            search.emitter = chosen.map(|one| Emitter::new(one, genomes, settings.sigma, settings.population));
        }
        let Some(emitter) = &search.emitter else { return self.map.breed(number, dice) };
        let (child, sample) = emitter.child(genomes, dice);
        search.pending.insert(number, sample);
        Birth::of(child)
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let gain = self.map.gain(&result);
        self.map.record_result(number, result);
        let Some(place) = self.place(number) else { return };
        let search = &mut self.emitters[place];
        search.count += 1;
        search.results.extend(gain.zip(search.pending.remove(&number)));
        if search.count < self.settings.population.max(1) {
            return;
        }
        let mut results = std::mem::take(&mut search.results);
        search.count = 0;
        results.sort_by(|(a, _), (b, _)| b.cmp(a));
        let adds = results.first().is_some_and(|(gain, _)| gain.adds());
        match search.emitter.as_mut().filter(|_| adds) {
            Some(emitter) => {
                emitter.distribution.update(&results.iter().map(|(_, sample)| sample).collect::<Vec<_>>());
            }
            None => search.end(),
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.map.add_immigrant(immigrant);
    }

    fn forget(&mut self, id: Id) {
        self.map.forget(id);
        for search in &mut self.emitters {
            if search.emitter.as_ref().is_some_and(|emitter| emitter.parent == id) {
                search.end();
            }
        }
    }

    fn renew(&mut self) {
        self.map.renew();
        self.emitters.iter_mut().for_each(Search::end);
    }

    fn generation(&self, number: u64) -> u64 {
        self.map.generation(number)
    }
}
