//! Stages of a run: each with its own algorithm, budget and task, in one archive that resumes at any point.

use std::ops::Range;

use crate::common::formula_runs::*;
use crate::common::*;
use crate::interventions::{carried_out, foreign_genome};
use burgess_creature::Family;
use burgess_evolution::algorithm::IslandSettings;
use burgess_evolution::{
    AlgorithmConfig, Archive, Carry, Founder, Id, Individual, Operator, OutcomeKind, RecordedResult, Run, RunConfig,
    StageConfig,
};
use proptest::prelude::*;

pub fn kind(name: &str) -> AlgorithmConfig {
    kinds().into_iter().find(|(kind, _)| *kind == name).unwrap().1
}

fn stage(name: &str, evaluations: u64, carry: Carry) -> StageConfig {
    StageConfig { evaluations: Some(evaluations), carry, algorithm: Some(kind(name)), ..Default::default() }
}

/// MAP-Elites, then the strategy, then a genetic algorithm.
pub fn three(carry: Carry) -> RunConfig {
    let stages =
        vec![stage("MAP-Elites", 100, carry), stage("strategy", 90, carry), stage("genetic, window", 110, carry)];
    RunConfig { evaluations: 300, stages, ..config(kind("diffusion")) }
}

pub fn perform(config: &RunConfig, capacity: usize, cuts: &[Id], scratch: &Scratch) -> Archive {
    config.check().unwrap();
    scratch.clear();
    carried_out(Archive::create(&scratch.0, config, &[]).unwrap(), capacity, cuts, scratch)
}

pub fn all(archive: &Archive, births: Range<Id>) -> Vec<Individual> {
    births.map(|id| archive.individual(id).unwrap()).collect()
}

/// The scored individuals, the fittest first.
fn ranked(mut individuals: Vec<Individual>) -> Vec<Id> {
    individuals.retain(|one| one.result.outcome == OutcomeKind::Scored);
    individuals.sort_by(|a, b| b.result.fitness.total_cmp(&a.result.fitness).then(a.id.cmp(&b.id)));
    individuals.iter().map(|one| one.id).collect()
}

#[test]
fn a_stage_begins_with_the_best_of_the_one_before() {
    let scratch = Scratch::new("stage-best");
    let archive = perform(&three(Carry::Best), 4, &[], &scratch);
    let (first, second, third) = (all(&archive, 0..100), all(&archive, 100..190), all(&archive, 190..300));
    for (before, after, room) in [(first.clone(), &second, 48), (second.clone(), &third, 40)] {
        let expected: Vec<Id> = ranked(before).into_iter().take(room).collect();
        let carried: Vec<Id> = after.iter().take(room).map(|one| one.parents[0]).collect();
        assert_eq!(carried, expected);
        assert!(after.iter().take(room).all(|one| one.operator == Operator::Copy));
        assert!(after.iter().skip(room).all(|one| one.operator != Operator::Copy));
    }
    // Generations continue.
    let generations: Vec<u64> = all(&archive, 0..300).iter().map(|one| one.generation).collect();
    assert!(generations.is_sorted());
    assert_eq!((generations[99], generations[100], generations[189], generations[190]), (2, 3, 4, 5));
}

#[test]
fn elites_the_champion_or_nothing_can_be_carried_over() {
    let scratch = Scratch::new("stage-carry");
    let archive = perform(&three(Carry::Elites), 4, &[], &scratch);
    let elites: Vec<Individual> =
        all(&archive, 100..148).into_iter().filter(|one| one.operator == Operator::Copy).collect();
    let cells = archive.dimensions().unwrap();
    let cell = |one: &Individual| cells.iter().map(|cell| cell.cell(&one.result.descriptors)).collect::<Vec<_>>();
    let mut found: Vec<Vec<usize>> =
        elites.iter().map(|one| cell(&archive.individual(one.parents[0]).unwrap())).collect();
    let count = found.len();
    found.sort();
    found.dedup();
    assert!(count >= 4 && found.len() == count, "{found:?}");

    let archive = perform(&three(Carry::Champion), 4, &[], &scratch);
    let champion = ranked(all(&archive, 0..100))[0];
    let first = all(&archive, 100..148);
    assert!(first.iter().all(|one| one.parents == [champion]));
    assert_eq!(first[0].operator, Operator::Copy);
    assert!(first[1..].iter().all(|one| one.operator == Operator::Mutation && one.genome != first[0].genome));

    let archive = perform(&three(Carry::Nothing), 4, &[], &scratch);
    assert!(all(&archive, 100..148).iter().all(|one| one.operator == Operator::Random));
}

#[test]
fn a_run_without_stages_is_a_run_with_one() {
    let scratch = Scratch::new("stage-one");
    for (name, algorithm) in kinds() {
        let plain = config(algorithm.clone());
        let staged = RunConfig { stages: vec![StageConfig::default()], ..plain.clone() };
        let births = |archive: Archive| {
            let kept = |one: Individual| (one.genome, one.parents, one.generation, one.seed, one.result);
            all(&archive, 0..240).into_iter().map(kept).collect::<Vec<_>>()
        };
        let [plain, staged] = [plain, staged].map(|config| births(perform(&config, 8, &[], &scratch)));
        assert!(plain == staged, "{name}");
    }
}

#[test]
fn the_champion_is_one_of_the_last_task() {
    let scratch = Scratch::new("stage-task");
    let mut config = three(Carry::Best);
    // Ten times as hard: every fitness is a tenth.
    config.stages[2].task = Some(task("parameters = { hardness = 10 }"));
    let archive = perform(&config, 4, &[150], &scratch);
    let champion = archive.champion().unwrap();
    assert!(champion.id >= 190, "{}", champion.id);
    assert_eq!(archive.task_of(&champion).unwrap().parameters["hardness"], 10.0);
    assert!(archive.fittest(300).unwrap().iter().all(|id| *id >= 190));
    let before = archive.individual(120).unwrap();
    assert!(archive.task_of(&before).unwrap().parameters.is_empty());
    // With the same task, all stages count.
    let archive = perform(&three(Carry::Best), 4, &[], &scratch);
    assert_eq!(archive.fittest(300).unwrap(), ranked(all(&archive, 0..300)));
}

#[test]
fn curves_say_where_the_task_changes() {
    let scratch = Scratch::new("stage-curve");
    let mut config = three(Carry::Best);
    config.stages[2].task = Some(task("parameters = { hardness = 10 }"));
    let archive = perform(&config, 4, &[], &scratch);
    let individuals = all(&archive, 0..300);
    let first_of_third = individuals[190].generation;
    let changes = |archive: &Archive| {
        let curve = archive.curve().unwrap();
        curve.iter().filter(|one| one.is_new_task).map(|one| one.generation).collect::<Vec<_>>()
    };
    assert_eq!(changes(&archive), [first_of_third]);
    // The progress before the change is at most 1, and after it at most a tenth.
    let progress = archive.progress(300).unwrap();
    let best = |id: usize| progress[id].best.unwrap();
    assert!(best(189) > 0.1 && best(190) <= 0.1, "{} and {}", best(189), best(190));
    let highest = individuals[190..].iter().map(|one| one.result.fitness).fold(0.0, f64::max);
    assert_eq!(best(299), highest);
    // With the same task, nothing starts anew, neither with stages nor with islands.
    let archive = perform(&three(Carry::Best), 4, &[], &scratch);
    assert_eq!(changes(&archive), [] as [u64; 0]);
    let islands = IslandSettings { count: 3, ..Default::default() };
    let archive = perform(&RunConfig { islands, ..three(Carry::Best) }, 4, &[], &scratch);
    assert_eq!(changes(&archive), [] as [u64; 0]);
    let curve = archive.curve().unwrap();
    assert!(curve.iter().enumerate().all(|(place, one)| one.generation == place as u64), "every generation once");
    assert!(archive.progress(300).unwrap().is_sorted_by(|a, b| a.best <= b.best));
}

#[test]
fn an_extended_run_is_a_longer_run() {
    let scratch = Scratch::new("stage-extended");
    let long = perform(&three(Carry::Best), 4, &[], &scratch).hash();
    for evaluations in [191, 250] {
        let mut archive = perform(&RunConfig { evaluations, ..three(Carry::Best) }, 4, &[], &scratch);
        archive.extend(300).unwrap();
        drop(archive);
        let mut run = Run::new(Archive::open(&scratch.0).unwrap()).unwrap();
        run.advance(&mut Scrambler::new(4), &mut |_: &RecordedResult| ()).unwrap();
        assert_eq!(run.archive().hash(), long, "{evaluations}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Any number in flight and any interruptions give the same archive, also where they fall on the end of a stage.
    #[test]
    fn any_interruption_gives_the_same_archive(
        capacity in 1_usize..80,
        cuts in prop::collection::btree_set(prop_oneof![1_u64..299, 95_u64..105, 186_u64..194], 0..4),
    ) {
        let scratch = Scratch::new("stage-cuts");
        let cuts: Vec<Id> = cuts.into_iter().collect();
        let whole = perform(&three(Carry::Best), 1, &[], &scratch).hash();
        prop_assert_eq!(perform(&three(Carry::Best), capacity, &cuts, &scratch).hash(), whole);
    }
}

#[test]
fn faulty_stages_are_refused_with_their_line() {
    let task = "[task]\nname = 'far'\nfitness = 'distance'\n";
    let cases = [
        (
            "[[stages]]\n[[stages]]\nevaluations = 5",
            "far.toml:1: stages: stage 1: evaluations is missing; only the last may do without",
        ),
        ("evaluations = 0\n[[stages]]", "far.toml:1: evaluations: must be from 1 to 1000000000000, found 0"),
        (
            "evaluations = 100\n[[stages]]\nevaluations = 100\n[[stages]]",
            "far.toml:1: evaluations: the last stage begins after 100, found 100; raise it",
        ),
        (
            "[[stages]]\nevaluations = 10\n[[stages]]\nevaluations = 10\nalgorithm = { type = 'genetic', population = 0 }",
            "far.toml:5: stages[1].algorithm.population: must be from 2 to 1000000, found 0",
        ),
        (
            "[[stages]]\nevaluations = 10\n[stages.task]\nname = 'x'\nfitness = 'distance'\nduration = -1",
            "far.toml:6: stages[0].task.duration: must be positive, found -1",
        ),
        ("[[stages]]\ncarry = 'all'", "far.toml:2: stages[0].carry: "),
    ];
    for (text, expected) in cases {
        let found = RunConfig::from_toml(&format!("{text}\n{task}"), "far.toml").unwrap_err().to_string();
        assert!(found.starts_with(expected), "{text}\n  found    {found}\n  expected {expected}");
    }
}

#[test]
fn stages_are_written_read_and_scaled() {
    let config = three(Carry::Elites);
    let text = config.to_toml();
    assert_eq!(RunConfig::from_toml(&text, "out.toml").unwrap(), config, "{text}");
    let mut config = config;
    config.scale_to(3000);
    let budgets: Vec<_> = config.stages.iter().map(|stage| stage.evaluations.unwrap()).collect();
    assert_eq!((budgets, config.evaluations), (vec![1000, 900, 1100], 3000));
    config.scale_to(1);
    config.check().unwrap();
    assert_eq!(config.stages.len(), 1);
    // Without a total, the budgets of the stages count.
    let text = "task = 'walk'\n[[stages]]\nevaluations = 30\n[[stages]]\nevaluations = 12\n";
    let read = RunConfig::from_toml(text, "sum.toml").unwrap();
    assert_eq!((read.evaluations, read.stage_start(1), read.stage_of(29), read.stage_of(30)), (42, 30, 0, 1));
}

#[test]
fn mutants_of_the_founders_fill_the_first_generation() {
    let config = config(kind("genetic"));
    let founder = |seed: u64| Founder { genome: foreign_genome(seed, Family::Legged), origin: format!("{seed}.json") };
    let filled = config.fill_generation(vec![founder(1), founder(2)]);
    assert_eq!((filled.len(), &filled[..2]), (40, &[founder(1), founder(2)][..]));
    assert!(filled[2..].iter().step_by(2).all(|one| one.origin == "1.json, mutated" && one.genome != filled[0].genome));
    assert_eq!(filled, config.fill_generation(vec![founder(1), founder(2)]));
    assert_ne!(filled, RunConfig { seed: 2, ..config.clone() }.fill_generation(vec![founder(1), founder(2)]));
    assert!(config.fill_generation(Vec::new()).is_empty());
    let many: Vec<Founder> = (0..50).map(founder).collect();
    assert_eq!(config.fill_generation(many.clone()), many);
}
