//! Competing populations, after Sims (1994b): every individual meets opponents of the other population or, with one
//! species, of its own. Its fitness is relative, because the task computes it from the contest.
//!
//! New opponents change the meaning of every fitness. Then all populations are [renewed](Algorithm::renew), and survivors
//! are evaluated again against the new opponents. In the first generation there are no opponents yet, so every
//! individual meets its limp twin. A generation is complete before the next begins. Births alternate between the
//! populations.
//!
//! All individuals of a population and a generation meet the same opponents: otherwise the fittest would be the one that
//! was lucky in its opponents. When a generation is complete, the populations receive its results with
//! [adjusted fitness](AdjustedFitness), which also counts what a survivor did in earlier generations.

use std::collections::BTreeMap;

use burgess_creature::evaluation::Side;
use burgess_creature::{AnyGenome, Random};
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::adjusted_fitness::{AdjustedFitness, Played};
use crate::individual::{Birth, EvaluatedIndividual, Id, Operator, best_first};

/// Largest number of opponents of one individual. More would take too long, and their genomes would not fit into a
/// message to a worker.
pub const MAX_OPPONENTS: usize = 100;

/// Settings of competing populations, where the task is a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RivalSettings {
    /// Whether individuals compete if the task is a contest. Otherwise every individual meets its limp twin.
    pub compete: bool,
    /// For `best`: number of past generations from whose champions the opponent of a generation is drawn. Sims (1994b) has
    /// 1. More make it harder to win by a trick that works only against the current champion.
    pub memory: usize,
    /// Which opponents an individual meets.
    #[serde(skip_serializing_if = "Opponents::is_best")]
    pub opponents: Opponents,
    /// For `several` and `ancestors`: number of opponents.
    #[serde(skip_serializing_if = "is_default_count")]
    pub count: usize,
    /// Number of species: 2 for two populations that compete with each other, 1 for one that competes with itself.
    #[serde(skip_serializing_if = "is_default_species")]
    pub species: usize,
}

/// Default of [`RivalSettings::count`].
const DEFAULT_COUNT: usize = 3;
/// Default of [`RivalSettings::species`].
const DEFAULT_SPECIES: usize = 2;

impl Default for RivalSettings {
    fn default() -> Self {
        let (count, species) = (DEFAULT_COUNT, DEFAULT_SPECIES);
        Self { compete: true, memory: 1, opponents: Opponents::Best, count, species }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_default_count(count: &usize) -> bool {
    *count == DEFAULT_COUNT
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_default_species(species: &usize) -> bool {
    *species == DEFAULT_SPECIES
}

/// Which opponents an individual meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponents {
    /// The champion of the last generation, or one of the last `memory` champions.
    #[default]
    Best,
    /// The `count` of the last generation with the highest adjusted fitness.
    Several,
    /// The champion of the last generation and `count - 1` champions drawn from all earlier generations (a hall of fame,
    /// Rosin and Belew 1997).
    Ancestors,
    /// All of the last generation that were scored, at most [`MAX_OPPONENTS`] of them, those with the highest adjusted
    /// fitness.
    All,
}

impl Opponents {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    fn is_best(&self) -> bool {
        *self == Self::Best
    }
}

/// An individual that others meet.
type Opponent = (Id, AnyGenome);

/// Competing populations: one or two.
pub struct Rivals {
    settings: RivalSettings,
    populations: Vec<Box<dyn Algorithm>>,
    /// Champions of past generations of each population, the latest last.
    champions: Vec<Vec<Opponent>>,
    /// Scored individuals of the last generation of each population, those of the highest adjusted fitness first.
    last: Vec<Vec<Opponent>>,
    /// Results of the current generation of each population, with the numbers of the births there.
    current: Vec<Vec<(u64, EvaluatedIndividual)>>,
    /// Adjusted fitness in each population.
    adjusted: Vec<AdjustedFitness>,
    /// Individual that a copy of the current generation copies, by the number of the birth.
    originals: BTreeMap<u64, Id>,
    /// Whether the task has changed since the current generation began.
    is_new_task: bool,
    /// Opponents that the individuals of the current generation of each population meet.
    opponents: Vec<Vec<Opponent>>,
    /// Current generation, and the number of its first birth.
    generation: u64,
    first: u64,
}

impl Rivals {
    /// Creates a contest of one or two populations with the same settings.
    pub fn new(settings: RivalSettings, populations: Vec<Box<dyn Algorithm>>) -> Self {
        let count = populations.len();
        Self {
            settings,
            populations,
            champions: vec![Vec::new(); count],
            last: vec![Vec::new(); count],
            current: vec![Vec::new(); count],
            adjusted: (0..count).map(|_| AdjustedFitness::default()).collect(),
            originals: BTreeMap::new(),
            is_new_task: false,
            opponents: vec![Vec::new(); count],
            generation: 0,
            first: 0,
        }
    }

    /// Returns the population of a birth, and the number of the birth there.
    fn place(&self, number: u64) -> (usize, u64) {
        let count = self.populations.len() as u64;
        ((number % count) as usize, number / count)
    }

    /// Passes the results of the last generation to its populations and makes its individuals opponents. A population
    /// without a scored individual keeps its opponents.
    fn crown(&mut self) {
        for population in 0..self.populations.len() {
            let mut ranked = Vec::new();
            for (own, result) in self.adjusted_results(population) {
                ranked.extend(result.scored.then(|| result.clone()));
                self.populations[population].record_result(own, result);
            }
            best_first(&mut ranked);
            ranked.truncate(MAX_OPPONENTS);
            let ranked: Vec<Opponent> = ranked.into_iter().map(|one| (one.id, one.genome)).collect();
            let Some(champion) = ranked.first().cloned() else { continue };
            self.champions[population].push(champion);
            self.last[population] = ranked;
        }
        self.originals.clear();
        if std::mem::take(&mut self.is_new_task) {
            self.adjusted.iter_mut().for_each(AdjustedFitness::renew);
        }
        self.populations.iter_mut().for_each(|population| population.renew());
    }

    /// Takes the results of the last generation of a population, with adjusted fitness.
    fn adjusted_results(&mut self, population: usize) -> Vec<(u64, EvaluatedIndividual)> {
        let mut results = std::mem::take(&mut self.current[population]);
        let count = self.populations.len() as u64;
        let played = |(own, one): &(u64, EvaluatedIndividual)| Played {
            id: one.id,
            original: self.originals.get(&(own * count + population as u64)).copied(),
            fitness: one.fitness,
            meetings: self.opponents[population].len(),
        };
        let all: Vec<Played> = results.iter().filter(|(_, one)| one.scored).map(played).collect();
        let adjusted = self.adjusted[population].add_generation(&all);
        let scored = results.iter_mut().filter(|(_, one)| one.scored);
        scored.zip(adjusted).for_each(|((_, one), fitness)| one.fitness = fitness);
        results
    }

    /// Chooses the opponents of a population in the current generation.
    fn choose_opponents(&self, population: usize, dice: &mut Random) -> Vec<Opponent> {
        let other = (population + 1) % self.populations.len();
        let (champions, last) = (&self.champions[other], &self.last[other]);
        match self.settings.opponents {
            Opponents::Best => {
                let remembered = &champions[champions.len().saturating_sub(self.settings.memory.max(1))..];
                remembered.get(dice.below(remembered.len())).cloned().into_iter().collect()
            }
            Opponents::Several => last.iter().take(self.settings.count).cloned().collect(),
            Opponents::All => last.clone(),
            Opponents::Ancestors => {
                let Some((champion, earlier)) = champions.split_last() else { return Vec::new() };
                let mut chosen = vec![champion.clone()];
                let mut left: Vec<usize> = (0..earlier.len()).collect();
                while chosen.len() < self.settings.count && !left.is_empty() {
                    chosen.push(earlier[left.swap_remove(dice.below(left.len()))].clone());
                }
                chosen
            }
        }
    }
}

impl Algorithm for Rivals {
    fn needs(&self, number: u64) -> u64 {
        if self.generation(number) > self.generation { number } else { self.first }
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        let generation = self.generation(number);
        let is_first = generation > self.generation;
        if is_first {
            (self.generation, self.first) = (generation, number);
            self.crown();
        }
        let (population, own) = self.place(number);
        let birth = self.populations[population].breed(own, dice);
        if birth.operator == Operator::Copy {
            self.originals.extend(birth.parents.first().map(|original| (number, *original)));
        }
        if is_first {
            self.opponents = (0..self.populations.len()).map(|one| self.choose_opponents(one, dice)).collect();
        }
        // With one species, every second individual plays on the second side.
        Birth { side: Some(Side::of_index(number)), opponents: self.opponents[population].clone(), ..birth }
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let (population, own) = self.place(number);
        self.current[population].push((own, result));
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.populations[0].add_immigrant(immigrant);
    }

    fn forget(&mut self, id: Id) {
        // Those of the last generation stay opponents: a part of the current one has met them already.
        let current = self.current.iter_mut().flatten().map(|(_, result)| result);
        current.filter(|result| result.id == id).for_each(|result| result.scored = false);
        self.populations.iter_mut().for_each(|population| population.forget(id));
    }

    fn renew(&mut self) {
        // The populations are renewed when they have received the results of the last generation.
        self.is_new_task = true;
    }

    fn generation(&self, number: u64) -> u64 {
        let (population, own) = self.place(number);
        self.populations[population].generation(own)
    }
}
