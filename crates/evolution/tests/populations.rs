//! Algorithms made of several populations: islands and rivals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use crate::common::*;
use burgess_creature::{AnyGenome, Random};
use burgess_evolution::algorithm::*;
use burgess_evolution::{AlgorithmConfig, Birth, EvaluatedIndividual, Operator, RunConfig};

/// A population that records its immigrants and results.
struct RecordingPopulation {
    island: usize,
    notes: Arc<Mutex<Vec<(usize, u64)>>>,
}

impl Algorithm for RecordingPopulation {
    fn needs(&self, number: u64) -> u64 {
        number / 4 * 4
    }
    fn breed(&mut self, number: u64, _: &mut Random) -> Birth {
        Birth::of(breeder().random(&mut Random::new(number)))
    }
    fn record_result(&mut self, _: u64, _: EvaluatedIndividual) {}
    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        self.notes.lock().unwrap().push((self.island, immigrant.id));
    }
    fn forget(&mut self, _: u64) {}
    fn renew(&mut self) {}
    fn generation(&self, number: u64) -> u64 {
        number / 4
    }
}

#[test]
fn the_best_since_the_last_migration_move_to_the_next_island() {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let island = |island| Box::new(RecordingPopulation { island, notes: Arc::clone(&notes) }) as Box<dyn Algorithm>;
    let settings = IslandSettings { count: 3, every: 2, migrants: 2 };
    let mut islands = Islands::new(settings, (0..3).map(island).collect());
    let fitness = |number: u64| ((number * 37) % 61) as f64;
    // Three islands of four: a generation has 12 births, and migrations follow after 24 and 48.
    drive(&mut islands, 60, 9, |number, _| fitness(number));
    let mut expected = Vec::new();
    for first in [0, 24] {
        for from in 0..3 {
            let mut own: Vec<u64> = (first..first + 24).filter(|number| number % 3 == from).collect();
            own.sort_by(|a, b| fitness(*b).total_cmp(&fitness(*a)).then(a.cmp(b)));
            expected.extend(own[..2].iter().map(|id| ((from as usize + 1) % 3, *id)));
        }
    }
    assert_eq!(*notes.lock().unwrap(), expected);
}

#[test]
fn migrants_become_parents_where_they_arrive() {
    for (name, algorithm) in kinds() {
        let islands = IslandSettings { count: 2, every: 1, migrants: 1 };
        let mut islands = RunConfig { islands, ..config(algorithm) }.algorithm(&[]);
        // All individuals of the second island are bad, except immigrants from the first.
        let all = drive(&mut *islands, 1600, 10, |number, birth| {
            if number.is_multiple_of(2) { 1.0 + closeness(&birth.genome) } else { 0.1 * closeness(&birth.genome) }
        });
        let crossed =
            |(number, (birth, _)): (u64, &(Birth, f64))| birth.parents.iter().any(|parent| parent % 2 != number % 2);
        assert!((0..).zip(&all).filter(|one| crossed(*one)).count() > 10, "{name}");
    }
}

/// A contest with an algorithm, and the function that gives the generation of a birth.
fn contest(algorithm: AlgorithmConfig, rivals: RivalSettings) -> RunConfig {
    let task = burgess_creature::task::Task::preset("contest").unwrap();
    RunConfig { task, rivals, ..config(algorithm) }
}

/// Alone an individual scores high; against opponents it is better to resemble them.
fn relative_fitness(number: u64, birth: &Birth) -> f64 {
    let against = |(_, other): &(u64, AnyGenome)| closeness(&birth.genome) / closeness(other);
    match birth.opponents.len() {
        0 => 100.0 + closeness(&birth.genome),
        count => birth.opponents.iter().map(against).sum::<f64>() / count as f64 + 1e-6 * (number % 7) as f64,
    }
}

/// Adjusted fitness by its formula: earlier meetings of the same genome count less each time it is evaluated again, and
/// two meetings with the mean fitness of the generation are added.
fn adjusted(all: &[(Birth, f64)], populations: u64, generation: impl Fn(u64) -> u64) -> Vec<f64> {
    let mut means: BTreeMap<(u64, u64), Vec<f64>> = BTreeMap::new();
    for (number, (_, fitness)) in (0..).zip(all) {
        means.entry((generation(number), number % populations)).or_default().push(*fitness);
    }
    let mean = |number: u64| {
        let own = &means[&(generation(number), number % populations)];
        own.iter().sum::<f64>() / own.len() as f64
    };
    let adjust = |number: u64| {
        if all[number as usize].0.opponents.is_empty() {
            return all[number as usize].1;
        }
        let (mut weight, mut count, mut sum, mut one) = (1.0, 2.0, 0.0, number);
        loop {
            let (birth, fitness) = &all[one as usize];
            let meetings = weight * birth.opponents.len() as f64;
            (count, sum) = (count + meetings, sum + meetings * (fitness - mean(one)));
            if birth.operator != Operator::Copy {
                return mean(number) + sum / count;
            }
            (weight, one) = (0.7 * weight, birth.parents[0]);
        }
    };
    (0..all.len() as u64).map(adjust).collect()
}

/// Individuals by generation and population, those of the highest adjusted fitness first.
fn ranked(all: &[(Birth, f64)], populations: u64, generation: impl Fn(u64) -> u64) -> BTreeMap<(u64, u64), Vec<u64>> {
    let mut ranked: BTreeMap<(u64, u64), Vec<u64>> = BTreeMap::new();
    for number in 0..all.len() as u64 {
        ranked.entry((generation(number), number % populations)).or_default().push(number);
    }
    let adjusted = adjusted(all, populations, generation);
    let fitness = |number: &u64| adjusted[*number as usize];
    ranked.values_mut().for_each(|own| own.sort_by(|a, b| fitness(b).total_cmp(&fitness(a)).then(a.cmp(b))));
    ranked
}

#[test]
fn every_individual_meets_the_champion_of_the_other_side() {
    for (name, algorithm) in kinds() {
        for memory in [1, 3] {
            let settings = contest(algorithm.clone(), RivalSettings { memory, ..RivalSettings::default() });
            let mut algorithm = settings.algorithm(&[]);
            let generation = |number: u64| settings.algorithm(&[]).generation(number);
            let all = drive(&mut *algorithm, 640, 13, relative_fitness);
            let champions = ranked(&all, 2, generation);
            let mut met = BTreeSet::new();
            for (number, (birth, _)) in (0..).zip(&all) {
                let (now, other) = (generation(number), 1 - number % 2);
                assert_eq!(birth.side.unwrap().index() as u64, number % 2, "{name}");
                let [(opponent, genome)] = &birth.opponents[..] else {
                    assert_eq!((now, birth.opponents.len()), (0, 0), "{name}: {number}");
                    continue;
                };
                let of = (now.saturating_sub(memory as u64)..now).find(|of| champions[&(*of, other)][0] == *opponent);
                assert!(of.is_some(), "{name}: {number} of generation {now} meets {opponent}");
                assert_eq!(*genome, all[*opponent as usize].0.genome);
                met.extend(of.map(|of| now - of));
            }
            assert_eq!(met.len(), memory, "{name}: {met:?}");
            // Parents are of the same side.
            for (number, (birth, _)) in (0..).zip(&all) {
                assert!(birth.parents.iter().all(|parent| parent % 2 == number % 2), "{name}");
            }
        }
    }
}

#[test]
fn opponents_are_those_of_the_chosen_scheme() {
    for (name, algorithm) in kinds() {
        for species in [1, 2] {
            for opponents in [Opponents::Several, Opponents::Ancestors, Opponents::All] {
                let rivals = RivalSettings { opponents, species, count: 4, ..RivalSettings::default() };
                let settings = contest(algorithm.clone(), rivals);
                let generation = |number: u64| settings.algorithm(&[]).generation(number);
                let all = drive(&mut *settings.algorithm(&[]), 640, 13, relative_fitness);
                let populations = species as u64;
                let ranks = ranked(&all, populations, generation);
                for (number, (birth, _)) in (0..).zip(&all) {
                    let met: Vec<u64> = birth.opponents.iter().map(|(id, _)| *id).collect();
                    let (now, other) = (generation(number), (number + 1) % populations);
                    assert_eq!(birth.side.unwrap().index() as u64, number % 2, "{name}");
                    if now == 0 {
                        assert!(met.is_empty(), "{name}: {number}");
                        continue;
                    }
                    let last = &ranks[&(now - 1, other)];
                    let expected: Vec<u64> = match opponents {
                        Opponents::Several => last.iter().take(4).copied().collect(),
                        Opponents::All => last.iter().take(MAX_OPPONENTS).copied().collect(),
                        _ => {
                            assert_eq!(met[0], last[0], "{name}: {number} meets the newest champion first");
                            let earlier: Vec<u64> = (0..now - 1).map(|of| ranks[&(of, other)][0]).collect();
                            assert_eq!(met.len(), 1 + earlier.len().min(3), "{name}: {number}");
                            assert!(met[1..].iter().all(|id| earlier.contains(id)), "{name}: {number}");
                            assert_eq!(met.iter().collect::<BTreeSet<_>>().len(), met.len(), "{name}: {number}");
                            continue;
                        }
                    };
                    assert_eq!(met, expected, "{name}: {number}, {opponents:?}");
                }
            }
        }
    }
}

#[test]
fn individuals_of_a_generation_and_a_population_meet_the_same_opponents() {
    for (name, algorithm) in kinds() {
        for species in [1, 2] {
            for opponents in [Opponents::Best, Opponents::Several, Opponents::Ancestors, Opponents::All] {
                let rivals = RivalSettings { compete: true, memory: 5, opponents, count: 3, species };
                let settings = contest(algorithm.clone(), rivals);
                let generation = |number: u64| settings.algorithm(&[]).generation(number);
                let all = drive(&mut *settings.algorithm(&[]), 640, 13, relative_fitness);
                let mut shared: BTreeMap<(u64, u64), Vec<u64>> = BTreeMap::new();
                for (number, (birth, _)) in (0..).zip(&all) {
                    let met: Vec<u64> = birth.opponents.iter().map(|(id, _)| *id).collect();
                    let key = (generation(number), number % species as u64);
                    assert_eq!(met.is_empty(), key.0 == 0, "{name}: {number}, {opponents:?}");
                    let expected = shared.entry(key).or_insert_with(|| met.clone());
                    assert_eq!(met, *expected, "{name}: {number}, {opponents:?}");
                }
            }
        }
    }
}

#[test]
fn without_a_contest_individuals_have_no_opponents() {
    let (_, algorithm) = kinds().swap_remove(0);
    for (preset, compete) in [("walk", true), ("contest", false)] {
        let task = burgess_creature::task::Task::preset(preset).unwrap();
        let rivals = RivalSettings { compete, ..RivalSettings::default() };
        let mut algorithm = RunConfig { task, rivals, ..config(algorithm.clone()) }.algorithm(&[]);
        let all = drive(&mut *algorithm, 200, 1, |_, _| 1.0);
        assert!(all.iter().all(|(birth, _)| birth.opponents.is_empty() && birth.side.is_none()));
    }
}
