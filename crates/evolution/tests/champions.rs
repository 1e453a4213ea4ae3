//! Robust champions: individuals are tested again under new draws before they may lead.

use std::collections::BTreeMap;

use crate::common::formula_runs::*;
use crate::common::*;
use crate::stages::{all, kind, perform, three};
use burgess_creature::Random;
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job};
use burgess_evolution::{
    Archive, Carry, ChampionSettings, EvaluationResult, Id, Individual, Operator, OutcomeKind, RecordedResult, Run,
    RunConfig,
};

const SETTINGS: ChampionSettings = ChampionSettings { draws: 4, quantile: 0.1, every: 5, last: 0.1, window: 16 };

fn tested(name: &str) -> RunConfig {
    RunConfig { champions: SETTINGS, ..config(kind(name)) }
}

fn staged() -> RunConfig {
    RunConfig { champions: SETTINGS, ..three(Carry::Best) }
}

/// The values of every individual that was tested again, in ascending order, its own fitness included.
fn values(individuals: &[Individual]) -> BTreeMap<Id, Vec<f64>> {
    let mut found: BTreeMap<Id, Vec<f64>> = BTreeMap::new();
    for retest in individuals.iter().filter(|one| one.operator == Operator::Retest) {
        let of = &individuals[retest.parents[0] as usize];
        found.entry(of.id).or_insert_with(|| vec![of.result.fitness]).push(retest.result.fitness);
    }
    found.values_mut().for_each(|values| values.sort_by(f64::total_cmp));
    found
}

#[test]
fn retests_repeat_an_individual_under_new_draws() {
    let scratch = Scratch::new("retests");
    for name in ["genetic", "strategy", "diffusion", "age-fitness", "MAP-Elites"] {
        let archive = perform(&tested(name), 7, &[], &scratch);
        let all = all(&archive, 0..240);
        let retests: Vec<&Individual> = all.iter().filter(|one| one.operator == Operator::Retest).collect();
        // At most one in five of the first nine tenths, if any may come to lead, and all of the last tenth.
        assert!((30..=67).contains(&retests.len()), "{name}: {}", retests.len());
        for retest in &retests {
            let of = &all[retest.parents[0] as usize];
            assert!(retest.id % 5 == 4 || retest.id >= 216, "{name}: {}", retest.id);
            assert_eq!((retest.parents.len(), &retest.genome), (1, &of.genome), "{name}");
            assert!(retest.seed != of.seed && of.operator != Operator::Retest, "{name}");
        }
        assert_eq!(archive.totals().unwrap().retests, retests.len() as u64);
        // Nothing else descends from a retest, and lists do not show them.
        let is_retest = |id: &Id| retests.iter().any(|retest| retest.id == *id);
        assert!(all.iter().all(|one| !one.parents.iter().any(is_retest)), "{name}");
        assert!(!archive.fittest(240).unwrap().iter().any(is_retest), "{name}");
        let born: usize = archive.curve().unwrap().iter().map(|generation| generation.born).sum();
        assert_eq!(born + retests.len(), 240, "{name}");
    }
}

#[test]
fn the_champion_has_the_highest_rank_of_the_tested() {
    let scratch = Scratch::new("retests-rank");
    for config in [tested("MAP-Elites"), tested("strategy"), staged()] {
        let archive = perform(&config, 7, &[], &scratch);
        let values = values(&all(&archive, 0..config.evaluations));
        let tested = values.iter().filter(|(_, values)| values.len() >= 5);
        let rank = |values: &[f64]| values[values.len() / 10];
        let (champion, expected) =
            tested.clone().max_by(|a, b| rank(a.1).total_cmp(&rank(b.1)).then(b.0.cmp(a.0))).unwrap();
        assert!(tested.count() >= 3);
        let found = archive.champion().unwrap().id;
        assert_eq!(found, *champion);
        let spread = archive.spread(found).unwrap().unwrap();
        assert_eq!((spread.draws, spread.lowest), (expected.len(), expected[0]));
        assert_eq!(spread.highest, *expected.last().unwrap());
        assert!(spread.lowest <= spread.median && spread.median <= spread.highest);
        assert_eq!(spread.rank, rank(expected));
    }
}

#[test]
fn threads_and_interruptions_do_not_change_retests() {
    let scratch = Scratch::new("retests-cuts");
    for config in [tested("genetic, window"), tested("MAP-Elites"), staged()] {
        let whole = perform(&config, 1, &[], &scratch);
        let (hash, champion) = (whole.hash(), whole.champion().unwrap());
        drop(whole);
        let cases: [(usize, &[Id]); 3] = [(64, &[]), (3, &[4, 99, 215]), (16, &[101, 216, 230])];
        for (capacity, cuts) in cases {
            let again = perform(&config, capacity, cuts, &scratch);
            assert_eq!((again.hash(), again.champion().unwrap()), (hash, champion.clone()), "{capacity} {cuts:?}");
        }
    }
}

#[test]
fn an_extended_run_with_retests_is_a_longer_run() {
    let scratch = Scratch::new("retests-extended");
    let long = perform(&staged(), 4, &[], &scratch).hash();
    for (evaluations, cut) in [(250, None), (250, Some(240)), (250, Some(100))] {
        let short = RunConfig { evaluations, ..staged() };
        let mut archive = match cut {
            None => perform(&short, 4, &[], &scratch),
            Some(last) => {
                scratch.clear();
                let mut run = Run::new(Archive::create(&scratch.0, &short, &[]).unwrap()).unwrap();
                run.advance(&mut Scrambler::new(4), &mut StopAfter { last, recorded: 0 }).unwrap();
                run.into_archive()
            }
        };
        archive.extend(300).unwrap();
        archive.check().unwrap();
        drop(archive);
        let mut run = Run::new(Archive::open(&scratch.0).unwrap()).unwrap();
        run.advance(&mut Scrambler::new(4), &mut |_: &RecordedResult| ()).unwrap();
        assert_eq!(run.archive().hash(), long, "{evaluations} {cut:?}");
    }
}

/// Evaluates by formula. One evaluation in fifty is lucky: its fitness is five times too high.
struct Lucky(Vec<Job>);

impl Evaluator for Lucky {
    fn capacity(&self) -> usize {
        8
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        self.0.push(job);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        let Some(job) = self.0.pop() else { return Ok(None) };
        let luck = if Random::new(job.seed).chance(0.02) { 5.0 } else { 1.0 };
        let (outcome, reason, fitness) = (OutcomeKind::Scored, String::new(), luck * closeness(&job.genome));
        let descriptors = descriptors(&job.genome);
        Ok(Some((job.id, EvaluationResult { outcome, reason, fitness, descriptors, ..EvaluationResult::faulty("") })))
    }
}

#[test]
fn luck_does_not_make_a_champion() {
    let scratch = Scratch::new("retests-luck");
    let carry_out = |champions| {
        scratch.clear();
        let config = RunConfig { champions, evaluations: 400, ..config(kind("MAP-Elites")) };
        let mut run = Run::new(Archive::create(&scratch.0, &config, &[]).unwrap()).unwrap();
        run.advance(&mut Lucky(Vec::new()), &mut |_: &RecordedResult| ()).unwrap();
        let champion = run.archive().champion().unwrap();
        (champion.result.fitness, closeness(&champion.genome))
    };
    let (shown, real) = carry_out(ChampionSettings::NONE);
    assert!(shown > 4.9 * real, "without retests the luckiest leads: {shown} {real}");
    let (_, tested) = carry_out(SETTINGS);
    assert!(tested > real, "{tested} {real}");
}

#[test]
fn settings_of_retests_are_checked() {
    let text = |extra: &str| format!("task = 'walk'\n[champions]\n{extra}\n");
    for (extra, expected) in [
        ("quantile = 2", "x.toml:3: champions.quantile: must be from 0 to 1, found 2"),
        ("last = -1", "x.toml:3: champions.last: must be from 0 to 1, found -1"),
        ("draws = 1001", "x.toml:3: champions.draws: must be from 0 to 1000, found 1001"),
    ] {
        assert_eq!(RunConfig::from_toml(&text(extra), "x.toml").unwrap_err().to_string(), expected);
    }
    let off = RunConfig::from_toml(&text("draws = 0"), "x.toml").unwrap();
    let again = RunConfig::from_toml(&off.to_toml(), "x.toml").unwrap();
    assert!(off.champions.is_none() && again.champions.is_none());
    assert_eq!(RunConfig::from_toml("task = 'walk'", "x.toml").unwrap().champions, ChampionSettings::default());
}
