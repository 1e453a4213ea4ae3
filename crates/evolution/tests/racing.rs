//! Racing: the task of a child asks for a share of its parent's fitness in every trial.

use std::collections::BTreeMap;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_creature::Random;
use burgess_creature::random::mix_seed;
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job};
use burgess_evolution::{Archive, EvaluationResult, Id, Operator, OutcomeKind, Run, RunConfig, StageConfig};

const RACING: f64 = 0.9;

/// Evaluates three trials by formula, with luck, until one has less than the task asks for. Answers in random order, and
/// keeps what the tasks asked for.
struct Trials {
    dice: Random,
    jobs: Vec<Job>,
    passes: BTreeMap<Id, f64>,
}

fn evaluated(job: &Job) -> EvaluationResult {
    let trials = job.task.trials;
    let mut fitness = f64::INFINITY;
    for number in 0..trials.count {
        let luck = Random::new(mix_seed(job.seed, &[number.into()])).between(0.5, 1.0);
        fitness = fitness.min(closeness(&job.genome) * luck);
        if fitness < trials.pass {
            break;
        }
    }
    EvaluationResult {
        outcome: OutcomeKind::Scored,
        reason: String::new(),
        fitness,
        descriptors: descriptors(&job.genome),
        ..EvaluationResult::faulty("")
    }
}

impl Evaluator for Trials {
    fn capacity(&self) -> usize {
        7
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        self.passes.insert(job.id, job.task.trials.pass);
        self.jobs.push(job);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        let job = self.jobs.swap_remove(self.dice.below(self.jobs.len()));
        Ok(Some((job.id, evaluated(&job))))
    }
}

/// Performs a run, interrupted after some births. Returns the archive and the `pass` of all tasks.
fn perform(config: &RunConfig, cuts: &[Id], scratch: &Scratch) -> (Archive, BTreeMap<Id, f64>) {
    config.check().unwrap();
    scratch.clear();
    drop(Archive::create(&scratch.0, config, &[]).unwrap());
    let mut evaluator = Trials { dice: Random::new(3), jobs: Vec::new(), passes: BTreeMap::new() };
    for &last in cuts.iter().chain([&Id::MAX]) {
        evaluator.jobs.clear();
        let mut run = Run::new(Archive::open(&scratch.0).unwrap()).unwrap();
        run.advance(&mut evaluator, &mut StopAfter { last, recorded: 0 }).unwrap();
    }
    (Archive::open(&scratch.0).unwrap(), evaluator.passes)
}

fn raced(algorithm: burgess_evolution::AlgorithmConfig) -> RunConfig {
    RunConfig { racing: RACING, task: task("trials = { count = 3, pass = 0.01 }"), ..config(algorithm) }
}

#[test]
fn children_have_to_come_near_their_parents() {
    let scratch = Scratch::new("racing");
    for (name, algorithm) in kinds() {
        let (archive, passes) = perform(&raced(algorithm), &[], &scratch);
        let mut children = 0;
        for id in 0..archive.count() {
            let one = archive.individual(id).unwrap();
            let is_child = !one.parents.is_empty() && one.operator != Operator::Copy;
            let parent = is_child.then(|| archive.individual(one.parents[0]).unwrap().result.fitness);
            let expected = parent.map_or(0.01, |fitness| (RACING * fitness).max(0.01));
            assert_eq!(passes[&id], expected, "{name}: {id}");
            children += usize::from(is_child);
        }
        assert!(children > 100, "{name}: {children}");
    }
}

#[test]
fn raced_runs_resume_to_the_same_bits() {
    let scratch = Scratch::new("racing-resumed");
    for (name, algorithm) in kinds() {
        let config = raced(algorithm);
        let whole = perform(&config, &[], &scratch).0.hash();
        assert_eq!(perform(&config, &[30, 31, 97, 200], &scratch).0.hash(), whole, "{name}");
        let slow = RunConfig { racing: 0.0, ..config };
        assert_ne!(perform(&slow, &[], &scratch).0.hash(), whole, "{name}");
    }
}

/// Fitness in a stage with another task says nothing about the trials of this one.
#[test]
fn parents_of_another_task_are_not_compared() {
    let scratch = Scratch::new("racing-stages");
    let sliding = kinds().into_iter().find(|(name, _)| *name == "strategy, sliding").unwrap().1;
    let first = StageConfig {
        evaluations: Some(100),
        task: Some(task("trials = { count = 2, pass = 0.01 }")),
        ..StageConfig::default()
    };
    let config = RunConfig { stages: vec![first, StageConfig::default()], ..raced(sliding) };
    let (archive, passes) = perform(&config, &[], &scratch);
    let is_older = |id: &Id| archive.individual(*id).unwrap().parents.iter().any(|parent| *parent < 100);
    let carried: Vec<Id> = (100..archive.count()).filter(is_older).collect();
    assert!(!carried.is_empty() && carried.iter().all(|id| passes[id] == 0.01));
    assert!((100..archive.count()).any(|id| passes[&id] > 0.01));
}

#[test]
fn shares_beyond_one_are_refused() {
    let error = RunConfig::from_toml("task = 'walk'\nracing = 1.5", "mine.toml").unwrap_err().to_string();
    assert_eq!(error, "mine.toml:2: racing: must be from 0 to 1, found 1.5");
}
