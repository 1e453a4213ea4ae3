//! Algorithms made of several populations: islands and rivals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use crate::common::*;
use burgess_creature::Random;
use burgess_evolution::algorithm::*;
use burgess_evolution::{Birth, EvaluatedIndividual, RunConfig};

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

#[test]
fn every_individual_meets_the_champion_of_the_other_side() {
    for (name, algorithm) in kinds() {
        for memory in [1, 3] {
            let task = burgess_creature::task::Task::preset("contest").unwrap();
            let rivals = RivalSettings { compete: true, memory };
            let settings = RunConfig { task, rivals, ..config(algorithm.clone()) };
            let mut algorithm = settings.algorithm(&[]);
            let generation = |number: u64| settings.algorithm(&[]).generation(number);
            let all = drive(&mut *algorithm, 640, 13, |number, birth| {
                // Alone an individual scores high; against an opponent it is better to resemble it.
                match &birth.opponent {
                    None => 100.0 + closeness(&birth.genome),
                    Some((_, other)) => closeness(&birth.genome) / closeness(other) + 1e-6 * (number % 7) as f64,
                }
            });
            let mut champions: BTreeMap<(u64, u64), u64> = BTreeMap::new();
            for (number, (_, fitness)) in (0..).zip(&all) {
                let champion = champions.entry((generation(number), number % 2)).or_insert(number);
                if *fitness > all[*champion as usize].1 {
                    *champion = number;
                }
            }
            let mut met = BTreeSet::new();
            for (number, (birth, _)) in (0..).zip(&all) {
                let (now, other) = (generation(number), 1 - number % 2);
                let Some((opponent, genome)) = &birth.opponent else {
                    assert_eq!(now, 0, "{name}: {number} has no opponent");
                    continue;
                };
                let of = (now.saturating_sub(memory as u64)..now).find(|of| champions[&(*of, other)] == *opponent);
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
fn without_a_contest_individuals_have_no_opponents() {
    let (_, algorithm) = kinds().swap_remove(0);
    for (preset, compete) in [("walk", true), ("contest", false)] {
        let task = burgess_creature::task::Task::preset(preset).unwrap();
        let rivals = RivalSettings { compete, memory: 1 };
        let mut algorithm = RunConfig { task, rivals, ..config(algorithm.clone()) }.algorithm(&[]);
        assert!(drive(&mut *algorithm, 200, 1, |_, _| 1.0).iter().all(|(birth, _)| birth.opponent.is_none()));
    }
}
