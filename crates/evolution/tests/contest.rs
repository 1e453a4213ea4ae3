//! Contests of populations with real bodies.

use burgess_creature::evaluation::{Decision, Side};
use burgess_creature::task::Task;
use burgess_creature::{evaluation, legged};
use burgess_evolution::algorithm::{GeneticSettings, IslandSettings, Opponents, RivalSettings};
use burgess_evolution::evaluator::{Evaluator, Threads};
use burgess_evolution::{AlgorithmConfig, Archive, Intervention, OutcomeKind, RecordedResult, Run, RunConfig};

use crate::common::formula_runs::{Scrambler, Scratch};
use crate::common::{config, kinds};
use crate::servers::{Server, connect, worker};

fn short_contest() -> Task {
    Task { duration: 1.0, ..Task::preset("contest").unwrap() }
}

fn small(rivals: RivalSettings) -> RunConfig {
    let population = GeneticSettings { population: 4, ..Default::default() };
    let algorithm = AlgorithmConfig::Genetic(population);
    let config = RunConfig { evaluations: 24, algorithm, rivals, task: short_contest(), ..Default::default() };
    config.check().unwrap();
    config
}

fn finished(config: &RunConfig, threads: usize, scratch: &Scratch) -> Archive {
    evaluated_by(&mut Threads::new(threads), config, scratch)
}

fn evaluated_by(evaluator: &mut dyn Evaluator, config: &RunConfig, scratch: &Scratch) -> Archive {
    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, config, &[]).unwrap()).unwrap();
    run.advance(evaluator, &mut |news: &RecordedResult| {
        assert_eq!(!news.birth.opponents.is_empty(), news.generation > 0, "{}", news.id);
    })
    .unwrap();
    run.into_archive()
}

#[test]
fn without_an_opponent_a_creature_meets_its_limp_twin() {
    let genome = burgess_creature::AnyGenome::Legged(legged::handmade::quadruped());
    let alone = evaluation::evaluate(&genome, &short_contest(), 1);
    // Fitness above 1 means nearer than the limp twin; 2 is never reached.
    assert!(alone.outcome.is_scored() && (0.5..2.0).contains(&alone.fitness), "{:?}: {}", alone.outcome, alone.fitness);
    let [own, other] = evaluation::evaluate_contest(&genome, &genome, &short_contest(), 1, &Default::default());
    // The fitness values of both sides add up to 2.
    assert!((own.fitness + other.fitness - 2.0).abs() < 1e-9, "{} and {}", own.fitness, other.fitness);
}

#[test]
fn populations_compete_with_the_same_hash_on_any_number_of_threads() {
    let scratch = Scratch::new("contest-threads");
    for rivals in [
        RivalSettings::default(),
        RivalSettings { opponents: Opponents::Ancestors, count: 2, ..RivalSettings::default() },
        RivalSettings { opponents: Opponents::All, species: 1, ..RivalSettings::default() },
    ] {
        // Little time to settle keeps this short. Some bodies then move before the contest and are refused, on any thread.
        let config = RunConfig { task: Task { settle: 0.2, ..short_contest() }, ..small(rivals) };
        assert_eq!(finished(&config, 1, &scratch).hash(), finished(&config, 2, &scratch).hash(), "{rivals:?}");
    }
}

#[test]
fn a_contest_over_nats_has_the_hash_of_a_contest_on_threads() {
    let Some(server) = Server::start(&[]) else { return };
    let _worker = worker(&server.url(), 2, "");
    let rivals = RivalSettings { opponents: Opponents::Several, count: 2, ..RivalSettings::default() };
    let (config, scratch) = (small(rivals), Scratch::new("contest-nats"));
    let over_nats = evaluated_by(&mut connect(&server.url(), "contest"), &config, &scratch).hash();
    assert_eq!(over_nats, finished(&config, 1, &scratch).hash());
}

#[test]
fn the_archive_has_sides_opponents_and_results() {
    let scratch = Scratch::new("contest-archive");
    let rivals = RivalSettings { opponents: Opponents::Several, count: 2, ..RivalSettings::default() };
    let written = finished(&small(rivals), 2, &scratch).hash();
    let mut archive = Archive::open_read_only(&scratch.0).unwrap();
    archive.check().unwrap();
    assert_eq!(archive.hash(), written);
    let mut met = 0;
    for id in 0..archive.count() {
        let one = archive.individual(id).unwrap();
        assert_eq!(one.side, Some(Side::of_index(id)), "{id}");
        assert_eq!(one.opponent, one.meetings.first().map(|(opponent, _)| *opponent).or(one.opponent), "{id}");
        if one.result.outcome != OutcomeKind::Scored {
            assert!(one.meetings.is_empty());
            continue;
        }
        assert_eq!(one.meetings.is_empty(), one.generation == 0, "{id}");
        for (opponent, meeting) in &one.meetings {
            met += 1;
            // The opponent is of the other side and of the generation before; the sum of both is 2.
            let opponent = archive.individual(*opponent).unwrap();
            assert_eq!((opponent.side, opponent.generation), (one.side.map(Side::other), one.generation - 1), "{id}");
            assert!((meeting.fitness + meeting.opponent_fitness - 2.0).abs() < 1e-9, "{meeting:?}");
            assert_eq!(meeting.decision() == Decision::Won, meeting.fitness > 1.01, "{meeting:?}");
        }
        if let count @ 1.. = one.meetings.len() {
            let mean = one.meetings.iter().map(|(_, meeting)| meeting.fitness).sum::<f64>() / count as f64;
            assert!((one.result.fitness - mean).abs() < 1e-12, "{id}");
        }
    }
    assert!(met >= 16, "{met}");
    // A changed result breaks the chain.
    drop(archive);
    let database = rusqlite::Connection::open(&scratch.0).unwrap();
    let changed = database.execute("UPDATE meetings SET opponent_fitness = 0.5 WHERE place = 1", []).unwrap();
    assert!(changed > 0);
    drop(database);
    assert!(Archive::open_read_only(&scratch.0).unwrap().check().is_err());
}

/// Contests with each algorithm, one and two species, and with islands.
fn all_contests() -> Vec<(String, RunConfig)> {
    let mut all = Vec::new();
    for (name, algorithm) in kinds() {
        for (species, count) in [(1, 1), (2, 1), (2, 2)] {
            let rivals = RivalSettings { opponents: Opponents::Ancestors, species, ..RivalSettings::default() };
            let islands = IslandSettings { count, ..IslandSettings::default() };
            let own = RunConfig { rivals, islands, task: short_contest(), ..config(algorithm.clone()) };
            all.push((format!("{name}, {species} species, {count} islands"), own));
        }
    }
    all
}

/// Compares the champions of an archive with those that the next generation met.
fn assert_champions_were_met(archive: &Archive, species: usize, name: &str) {
    let champions = archive.side_champions().unwrap();
    let mut met = 0;
    for id in 0..archive.count() {
        let one = archive.individual(id).unwrap();
        let Some((opponent, _)) = one.meetings.first() else { continue };
        let side = if species == 1 { Side::First } else { one.side.unwrap().other() };
        // A side without a scored individual keeps its champion.
        let earlier = champions.iter().filter(|other| other.side == side && other.generation < one.generation);
        let last = earlier.max_by_key(|other| other.generation).unwrap();
        assert_eq!(last.id, *opponent, "{name}: {id}");
        met += 1;
    }
    assert!(met > 20, "{name}: {met}");
}

#[test]
fn the_champions_in_the_archive_are_those_that_the_next_generation_meets() {
    let scratch = Scratch::new("contest-champions");
    for (name, config) in all_contests() {
        let archive = evaluated_by(&mut Scrambler::new(8), &config, &scratch);
        assert_champions_were_met(&archive, config.rivals.species, &name);
        let (champions, best) = (archive.side_champions().unwrap(), archive.champion().unwrap());
        let adjusted = archive.adjusted_fitness().unwrap();
        let last = champions.iter().map(|one| one.generation).max().unwrap();
        let mut leaders = champions.iter().filter(|one| one.generation + 1 >= last);
        assert!(leaders.all(|one| adjusted[&one.id] <= adjusted[&best.id]), "{name}");
    }
}

#[test]
fn removed_individuals_and_new_parameters_change_champions_in_the_archive_as_in_the_run() {
    let scratch = Scratch::new("contest-removed");
    let task = |extra: &str| {
        let text =
            format!("name = 'hard'\nfitness = 'opponent_gap'\nparameters = {{ hardness = 1 }}\n{extra}[contest]");
        Task::from_toml(&text, "hard.toml").unwrap()
    };
    let harder = task("syllabus = { hardness = { per_generation = 0.5, until = 9 } }\n");
    for (name, config) in all_contests() {
        scratch.clear();
        let config = RunConfig { task: harder.clone(), ..config };
        let mut archive = Archive::create(&scratch.0, &config, &[]).unwrap();
        // Removed at births all over the run: individuals of the current, the last and earlier generations.
        for at in (30..config.evaluations).step_by(7) {
            archive.intervene(at, &Intervention::Remove { id: at - 1 - at % 29 }).unwrap();
        }
        let mut run = Run::new(archive).unwrap();
        run.advance(&mut Scrambler::new(8), &mut |_: &RecordedResult| ()).unwrap();
        assert_champions_were_met(run.archive(), config.rivals.species, &name);
    }
}
