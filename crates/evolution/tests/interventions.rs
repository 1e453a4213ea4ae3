//! Interventions are part of a run: the same interventions before the same births give the same hash.

use std::collections::BTreeSet;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_creature::random::mix_seed;
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random};
use burgess_evolution::algorithm::IslandSettings;
use burgess_evolution::{
    AlgorithmConfig, Archive, ArchiveError, Carry, ChampionSettings, Id, Individual, Intervention, Operator,
    RecordedResult, Refusal, Run, RunConfig, RunError, StageConfig,
};

pub type Script = Vec<(Id, Intervention)>;

pub fn is_scored(config: &RunConfig, id: Id) -> bool {
    // The formula evaluator decides this from the seed of the evaluation.
    !Random::new(mix_seed(config.seed, &[2, id])).chance(0.1)
}

/// The first individual from `from` on that is scored.
pub fn scored(config: &RunConfig, from: Id) -> Id {
    (from..).find(|id| is_scored(config, *id)).unwrap()
}

pub fn foreign_genome(seed: u64, family: Family) -> AnyGenome {
    family.random(&GenomeSettings::default(), &mut Random::new(seed))
}

/// Interventions of every kind: at the start, in the middle and next to each other.
fn script(config: &RunConfig) -> Script {
    let who = |from| scored(config, from);
    let join = |seed| Intervention::Join {
        genome: foreign_genome(seed, Family::Legged),
        origin: format!("other.burgess#{seed}"),
    };
    vec![
        (0, join(1)),
        (1, join(2)),
        (30, Intervention::Favourite { id: who(5), on: true }),
        (45, Intervention::Breed { parents: [who(3), who(20)] }),
        (46, Intervention::Breed { parents: [who(20), who(3)] }),
        (47, join(3)),
        (60, Intervention::Remove { id: who(40) }),
        (60, Intervention::Remove { id: 46 }),
        (60, Intervention::Favourite { id: who(50), on: true }),
        (120, Intervention::Favourite { id: who(5), on: false }),
        (121, Intervention::Remove { id: who(50) }),
        (239, Intervention::Breed { parents: [who(100), who(130)] }),
    ]
}

pub fn set_up(config: &RunConfig, script: &[(Id, Intervention)], scratch: &Scratch) -> Archive {
    scratch.clear();
    let mut archive = Archive::create(&scratch.0, config, &[]).unwrap();
    script.iter().for_each(|(at, what)| archive.intervene(*at, what).unwrap());
    archive
}

/// Carries out the run, interrupted after the given individuals and resumed each time.
pub fn carried_out(archive: Archive, capacity: usize, cut_off_at: &[Id], scratch: &Scratch) -> Archive {
    let mut archive = archive;
    for last in cut_off_at {
        let mut run = Run::new(archive).unwrap();
        run.advance(&mut Scrambler::new(capacity), &mut StopAfter { last: *last, recorded: 0 }).unwrap();
        drop(run);
        archive = Archive::open(&scratch.0).unwrap();
    }
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Scrambler::new(capacity), &mut |_: &RecordedResult| ()).unwrap();
    assert!(run.is_done());
    run.into_archive()
}

pub fn all_individuals(archive: &Archive) -> Vec<Individual> {
    (0..archive.count()).map(|id| archive.individual(id).unwrap()).collect()
}

pub fn all_kinds() -> Vec<(String, RunConfig)> {
    let islands = IslandSettings { count: 3, every: 1, migrants: 2 };
    let alone = kinds().into_iter().map(|(name, algorithm)| (name.to_string(), config(algorithm)));
    let some = kinds().into_iter().filter(|(name, _)| ["strategy", "MAP-Elites"].contains(name));
    let together =
        some.map(|(name, algorithm)| (format!("islands {name}"), RunConfig { islands, ..config(algorithm) }));
    // The task gets harder, and survivors are evaluated again.
    let lesson = "parameters = { hardness = 1 }\nsyllabus = { hardness = { per_generation = 0.5, until = 3 } }";
    let some = kinds().into_iter().filter(|(name, _)| ["genetic", "MAP-Elites"].contains(name));
    let harder = some
        .map(|(name, algorithm)| (format!("syllabus {name}"), RunConfig { task: task(lesson), ..config(algorithm) }));
    // A stage begins next to manual births, and another where an individual is removed.
    let stage = |evaluations, carry| StageConfig { evaluations, carry, ..Default::default() };
    let stages = vec![stage(Some(46), Carry::Best), stage(Some(75), Carry::Best), stage(None, Carry::Champion)];
    let staged = kinds()
        .into_iter()
        .map(|(name, algorithm)| (format!("stages {name}"), RunConfig { stages: stages.clone(), ..config(algorithm) }));
    let champions = ChampionSettings { draws: 3, every: 5, last: 0.1, window: 20, ..Default::default() };
    let some = kinds().into_iter().filter(|(name, _)| ["genetic, window", "strategy", "MAP-Elites"].contains(name));
    let tested = some.map(|(name, algorithm)| {
        (format!("retests {name}"), RunConfig { champions, stages: stages.clone(), ..config(algorithm) })
    });
    let tested: Vec<_> = tested.collect();
    alone.chain(together).chain(harder).chain(staged).chain(tested).collect()
}

pub fn map_elites() -> RunConfig {
    let (_, algorithm) = kinds().pop().unwrap();
    assert!(matches!(algorithm, AlgorithmConfig::MapElites(_)));
    config(algorithm)
}

#[test]
fn order_of_results_and_interruptions_do_not_change_the_archive() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("steered-{}", name.replace([' ', ','], "-")));
        let script = script(&config);
        let hash = carried_out(set_up(&config, &script, &scratch), 1, &[], &scratch).hash();
        let cases: [(usize, &[Id]); 3] = [(64, &[]), (3, &[1, 31, 47, 60]), (7, &[45, 59, 122])];
        for (capacity, cut_off_at) in cases {
            let again = carried_out(set_up(&config, &script, &scratch), capacity, cut_off_at, &scratch);
            assert_eq!(again.hash(), hash, "{name}, {capacity}, {cut_off_at:?}");
        }
        // Fewer interventions give another hash.
        let other = carried_out(set_up(&config, &script[..11], &scratch), 1, &[], &scratch);
        assert_ne!(other.hash(), hash, "{name}");
        let mut read_again = Archive::open_read_only(&scratch.0).unwrap();
        read_again.check().unwrap();
        assert_eq!(read_again.hash(), other.hash(), "{name}");
    }
}

#[test]
fn all_interventions_take_effect() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("happens-{}", name.replace([' ', ','], "-")));
        let archive = carried_out(set_up(&config, &script(&config), &scratch), 5, &[], &scratch);
        let who = |from| scored(&config, from);
        let all = all_individuals(&archive);
        for (child, parents) in [(45, [who(3), who(20)]), (46, [who(20), who(3)]), (239, [who(100), who(130)])] {
            let (child, parents) = (&all[child], parents.to_vec());
            assert_eq!((child.operator, &child.parents), (Operator::Manual, &parents), "{name}");
            let line = archive.lineage(child.id).unwrap();
            assert!(parents.iter().all(|parent| line.iter().any(|one| one.id == *parent)), "{name}");
        }
        for (id, seed) in [(0, 1), (1, 2), (47, 3)] {
            assert_eq!(all[id].genome, foreign_genome(seed, Family::Legged), "{name}");
            assert_eq!(all[id].operator, Operator::Immigrant, "{name}");
            assert_eq!(archive.origin_of(&all[id]).unwrap(), Some(format!("other.burgess#{seed}")), "{name}");
        }
        // A removed individual has no more children and is no champion.
        for (at, id) in [(60, who(40)), (60, 46), (121, who(50))] {
            let later = all.iter().filter(|one| one.id >= at);
            assert!(later.clone().all(|one| !one.parents.contains(&id)), "{name}: {id}");
            assert!(!archive.fittest(240).unwrap().contains(&id), "{name}");
        }
        let favoured: Vec<&Individual> = all.iter().filter(|one| one.operator == Operator::Favoured).collect();
        assert!(favoured.iter().all(|one| (30..121).contains(&one.id)), "{name}");
        // Five standard deviations of a binomial count of a quarter of 90.
        assert!((2..43).contains(&favoured.len()), "{name}: {}", favoured.len());
        let parents: BTreeSet<Id> = favoured.iter().flat_map(|one| one.parents.clone()).collect();
        assert_eq!(parents, [who(5), who(50)].into(), "{name}");
        let marks = archive.marks();
        assert_eq!((marks.favourites.len(), marks.removed.len()), (0, 3), "{name}");
    }
}

#[test]
fn a_run_continues_with_random_births_after_all_were_removed() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("nobody-{}", name.replace([' ', ','], "-")));
        let script: Script = (0..100).map(|id| (100, Intervention::Remove { id })).collect();
        let archive = carried_out(set_up(&config, &script, &scratch), 4, &[], &scratch);
        let all = all_individuals(&archive);
        let parents: BTreeSet<Id> = all[100..].iter().flat_map(|one| one.parents.clone()).collect();
        assert!(parents.iter().all(|parent| *parent >= 100), "{name}: {parents:?}");
        assert!(all[100..].iter().any(|one| one.operator == Operator::Random), "{name}");
    }
}

#[test]
fn marks_of_a_finished_run_take_effect_when_it_is_extended() {
    let (config, scratch) = (map_elites(), Scratch::new("done"));
    let plain = carried_out(set_up(&config, &[], &scratch), 4, &[], &scratch);
    let hash = plain.hash();
    drop(plain);
    let rows = "SELECT count(*) FROM interventions";
    let count = || rusqlite::Connection::open(&scratch.0).unwrap().query_row(rows, [], |row| row.get::<_, i64>(0));
    assert_eq!(count().unwrap(), 0);
    let (favourite, cheat) = (scored(&config, 20), scored(&config, 30));
    let mut archive = Archive::open(&scratch.0).unwrap();
    archive.mark(&Intervention::Favourite { id: favourite, on: true }).unwrap().unwrap();
    archive.mark(&Intervention::Remove { id: cheat }).unwrap().unwrap();
    assert_eq!(archive.mark(&Intervention::Breed { parents: [0, 1] }).unwrap(), Err(Refusal::Over));
    let unknown = archive.mark(&Intervention::Remove { id: 240 }).unwrap();
    assert_eq!(unknown, Err(Refusal::Unknown { id: 240, count: 240 }));
    drop(archive);
    assert_eq!(count().unwrap(), 2);
    let mut read = Archive::open_read_only(&scratch.0).unwrap();
    read.check().unwrap();
    assert_eq!(read.hash(), hash);
    assert!(read.marks().favourites.contains(&favourite) && read.marks().removed.contains(&cheat));
    drop(read);
    let mut archive = Archive::open(&scratch.0).unwrap();
    archive.extend(300).unwrap();
    let archive = carried_out(archive, 3, &[250], &scratch);
    let all = all_individuals(&archive);
    assert!(all[240..].iter().any(|one| one.operator == Operator::Favoured && one.parents.contains(&favourite)));
    assert!(all[240..].iter().all(|one| !one.parents.contains(&cheat)));
}

#[test]
fn damaged_interventions_are_detected() {
    let (config, scratch) = (map_elites(), Scratch::new("damage"));
    let changes = [
        "UPDATE interventions SET one = one + 1 WHERE number = 2",
        "UPDATE interventions SET at = at + 1 WHERE number = 11",
        "UPDATE interventions SET origin = 'elsewhere' WHERE number = 0",
        "UPDATE interventions SET genome = NULL WHERE number = 1",
        "UPDATE interventions SET what = 'remove' WHERE number = 2",
        "DELETE FROM interventions WHERE number = 3",
        "DELETE FROM interventions WHERE number = 11",
        "DROP TABLE interventions",
    ];
    drop(carried_out(set_up(&config, &script(&config), &scratch), 4, &[], &scratch));
    let whole = std::fs::read(&scratch.0).unwrap();
    for change in changes {
        std::fs::write(&scratch.0, &whole).unwrap();
        rusqlite::Connection::open(&scratch.0).unwrap().execute_batch(change).unwrap();
        let read = Archive::open_read_only(&scratch.0).and_then(|mut archive| archive.check());
        assert!(matches!(read, Err(ArchiveError::Damaged { .. })), "{change}: {read:?}");
        let gone_on = Archive::open(&scratch.0)
            .map_err(RunError::from)
            .and_then(Run::new)
            .and_then(|mut run| run.advance(&mut Scrambler::new(4), &mut |_: &RecordedResult| ()));
        assert!(matches!(gone_on, Err(RunError::Archive(ArchiveError::Damaged { .. }))), "{change}: {gone_on:?}");
    }
    std::fs::write(&scratch.0, &whole).unwrap();
    let mut archive = Archive::open(&scratch.0).unwrap();
    archive.check().unwrap();
    let refused = archive.intervene(100, &Intervention::Remove { id: 1 });
    assert!(matches!(refused, Err(ArchiveError::OutOfOrder(100))), "{refused:?}");
}
