//! Runs without physics: an evaluator by formula that answers in any order, temporary files, and an observer that stops
//! the run.

use std::path::PathBuf;

use burgess_creature::{AnyGenome, Random};
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job};
use burgess_evolution::{EvaluationResult, Id, Meeting, Observer, OutcomeKind, RecordedResult};

use super::{closeness, descriptors};

/// Evaluates by formula, and returns results in random order.
pub struct Scrambler {
    capacity: usize,
    dice: Random,
    jobs: Vec<Job>,
}

impl Scrambler {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, dice: Random::new(capacity as u64), jobs: Vec::new() }
    }
}

/// The harder the task is, the lower the fitness.
fn evaluated(job: &Job) -> EvaluationResult {
    let hardness = job.task.parameters.get("hardness").copied().unwrap_or(1.0);
    let meet = |opponent: &AnyGenome| closeness(&job.genome) / closeness(opponent) / hardness;
    let unlucky = Random::new(job.seed).chance(0.1);
    let fitness = match job.opponents.len() {
        0 => closeness(&job.genome) / hardness,
        count => job.opponents.iter().map(meet).sum::<f64>() / count as f64,
    };
    let met = job.opponents.iter().filter(|_| !unlucky);
    let meetings = met.map(|opponent| Meeting { fitness: meet(opponent), opponent_fitness: 1.0 }).collect();
    EvaluationResult {
        outcome: if unlucky { OutcomeKind::Unviable } else { OutcomeKind::Scored },
        reason: String::new(),
        fitness: if unlucky { 0.0 } else { fitness },
        meetings,
        descriptors: descriptors(&job.genome),
        ..EvaluationResult::faulty("")
    }
}

impl Evaluator for Scrambler {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        self.jobs.push(job);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        if self.jobs.is_empty() {
            return Err(EvaluatorError::Gone("there is nothing to do".to_string()));
        }
        let job = self.jobs.swap_remove(self.dice.below(self.jobs.len()));
        // Sometimes no result has arrived yet.
        if self.dice.chance(0.2) {
            self.jobs.push(job);
            return Ok(None);
        }
        Ok(Some((job.id, evaluated(&job))))
    }
}

/// A file that is removed when this is dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let file = std::env::temp_dir().join(format!("burgess-scratch-{name}-{}.run", std::process::id()));
        let scratch = Self(file);
        scratch.clear();
        scratch
    }

    pub fn clear(&self) {
        for end in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Stops the run after an individual.
pub struct StopAfter {
    pub last: Id,
    pub recorded: Id,
}

impl Observer for StopAfter {
    fn on_result(&mut self, news: &RecordedResult) {
        self.recorded = news.id;
    }

    fn should_continue(&mut self) -> bool {
        self.recorded < self.last
    }
}
