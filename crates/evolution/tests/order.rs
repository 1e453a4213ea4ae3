//! A run does not depend on the order in which evaluations end, on the number in flight, or on where it was
//! interrupted.

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::{IslandSettings, Opponents, RivalSettings};
use burgess_evolution::{Archive, Id, Operator, RecordedResult, Run, RunConfig};

/// Summary of a run: the hash, the copies that were evaluated again, and the number of individuals with an opponent.
#[derive(Debug, PartialEq)]
struct Left {
    hash: u64,
    copies: Vec<Id>,
    opponents: usize,
}

fn run(config: &RunConfig, capacity: usize, cut_off_at: Option<Id>, scratch: &Scratch) -> Left {
    scratch.clear();
    let mut left = Left { hash: 0, copies: Vec::new(), opponents: 0 };
    let archive = Archive::create(&scratch.0, config, &[]).unwrap();
    let archive = match cut_off_at {
        None => archive,
        Some(last) => {
            let mut run = Run::new(archive).unwrap();
            run.advance(&mut Scrambler::new(capacity), &mut StopAfter { last, recorded: 0 }).unwrap();
            assert!(!run.is_done());
            drop(run);
            Archive::open(&scratch.0).unwrap()
        }
    };
    let known = archive.count();
    assert_eq!(known > 0, cut_off_at.is_some());
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Scrambler::new(capacity), &mut |news: &RecordedResult| {
        left.copies.extend((news.birth.operator == Operator::Copy).then_some(news.id));
        left.opponents += usize::from(!news.birth.opponents.is_empty());
        assert_eq!(news.is_new, news.id >= known, "{}", news.id);
    })
    .unwrap();
    left.hash = run.archive().hash();
    left
}

/// Capacity of the evaluator, and the individuals after which the run is interrupted.
type Case = (usize, Option<Id>);

/// Algorithms whose parents never survive, so that nothing is evaluated again.
fn keeps_no_survivors(name: &str) -> bool {
    name.starts_with("strategy") || name == "CMA-ES"
}

const CASES: [Case; 5] = [(3, None), (64, None), (5, Some(17)), (64, Some(101)), (1, Some(200))];
const SOME: [Case; 2] = [(64, None), (3, Some(101))];

fn assert_alike(name: &str, config: &RunConfig, cases: &[Case]) -> Left {
    config.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    let scratch = Scratch::new(&name.replace([' ', ','], "-"));
    let left = run(config, 1, None, &scratch);
    for &(capacity, cut_off_at) in cases {
        assert_eq!(run(config, capacity, cut_off_at, &scratch), left, "{name}, {capacity}, {cut_off_at:?}");
    }
    left
}

#[test]
fn every_algorithm_gives_the_same_archive() {
    for (name, algorithm) in kinds() {
        let left = assert_alike(name, &config(algorithm), &CASES);
        assert!(left.copies.is_empty() && left.opponents == 0, "{name}: {left:?}");
    }
}

#[test]
fn islands_give_the_same_archive() {
    for (name, algorithm) in kinds() {
        let islands = IslandSettings { count: 3, every: 1, migrants: 2 };
        assert_alike(&format!("islands {name}"), &RunConfig { islands, ..config(algorithm) }, &SOME);
    }
}

#[test]
fn rivals_give_the_same_archive() {
    for (name, algorithm) in kinds() {
        let islands = IslandSettings { count: if name == "genetic" { 2 } else { 1 }, every: 1, migrants: 2 };
        let rivals = RivalSettings { memory: 2, ..RivalSettings::default() };
        let task = Task::preset("contest").unwrap();
        let config = RunConfig { islands, rivals, task, ..config(algorithm) };
        let left = assert_alike(&format!("rivals {name}"), &config, &SOME);
        assert!(left.opponents > 50, "{name}: {left:?}");
        assert_eq!(left.copies.is_empty(), keeps_no_survivors(name), "{name}: {left:?}");
    }
}

#[test]
fn every_scheme_of_opponents_gives_the_same_archive() {
    let (_, algorithm) = kinds().into_iter().find(|(name, _)| *name == "genetic").unwrap();
    let mut hashes = Vec::new();
    for species in [1, 2] {
        for opponents in [Opponents::Several, Opponents::Ancestors, Opponents::All] {
            let rivals = RivalSettings { opponents, species, ..RivalSettings::default() };
            let task = Task::preset("contest").unwrap();
            let config = RunConfig { rivals, task, ..config(algorithm.clone()) };
            let left = assert_alike(&format!("scheme {opponents:?} {species}"), &config, &SOME);
            assert!(left.opponents > 50, "{opponents:?}: {left:?}");
            hashes.push(left.hash);
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 6);
}

#[test]
fn a_syllabus_gives_the_same_archive() {
    for (lesson, mastered) in [("", false), (", mastery = 0.02", true), (", mastery = 1e9", true)] {
        let task = task(&format!(
            "parameters = {{ hardness = 1 }}\nsyllabus = {{ hardness = {{ per_generation = 0.5, until = 3{lesson} }} }}"
        ));
        for (name, algorithm) in kinds() {
            let config = RunConfig { task: task.clone(), ..config(algorithm) };
            let left = assert_alike(&format!("syllabus {name} {}", lesson.len()), &config, &SOME[..1]);
            // A task that never gets harder needs no copies.
            let hopeless = mastered && lesson.contains("1e9");
            assert_eq!(left.copies.is_empty(), hopeless || keeps_no_survivors(name), "{name}: {left:?}");
        }
    }
}

/// The hashes contain the configuration, so they change with the defaults of all genomes. After an intended change, insert
/// those that the failing test prints.
#[test]
fn hashes_are_golden() {
    let golden = [
        ("diffusion", 0x80d7_b8e8_b52c_c4ef),
        ("age-fitness", 0x3f03_6031_7f63_5ad1),
        ("MAP-Elites", 0xdf06_77f5_2a79_fc8f),
    ];
    let mut wrong = String::new();
    for (name, golden) in golden {
        let (_, algorithm) = kinds().into_iter().find(|(kind, _)| *kind == name).unwrap();
        let scratch = Scratch::new(&format!("golden-{name}"));
        let found = run(&config(algorithm), 4, None, &scratch).hash;
        if found != golden {
            wrong += &format!("        (\"{name}\", {found:#018x}),\n");
        }
    }
    assert!(wrong.is_empty(), "these hashes differ from the golden ones:\n{wrong}");
}
