//! Whole runs without physics: an evaluator that answers by formula in any order, files that are gone afterwards, and somebody who wants no more.

use std::path::PathBuf;

use burgess_creature::Random;
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job};
use burgess_evolution::{Ending, Evaluated, Id, News, Onlooker};

use super::{closeness, descriptors};

/// Evaluates by formula, and answers in any order.
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

/// The harder the task is, the less anybody is worth.
fn evaluated(job: &Job) -> Evaluated {
    let hardness = job.task.parameters.get("hardness").copied().unwrap_or(1.0);
    let against = job.opponent.as_ref().map_or(1.0, closeness);
    let unlucky = Random::new(job.seed).chance(0.1);
    Evaluated {
        outcome: if unlucky { Ending::Unviable } else { Ending::Scored },
        reason: String::new(),
        fitness: if unlucky { 0.0 } else { closeness(&job.genome) / against / hardness },
        descriptors: descriptors(&job.genome),
        ..Evaluated::faulty("")
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

    fn next(&mut self) -> Result<Option<(Id, Evaluated)>, EvaluatorError> {
        if self.jobs.is_empty() {
            return Err(EvaluatorError::Gone("there is nothing to do".to_string()));
        }
        let job = self.jobs.swap_remove(self.dice.below(self.jobs.len()));
        // Now and then nothing has come in yet.
        if self.dice.chance(0.2) {
            self.jobs.push(job);
            return Ok(None);
        }
        Ok(Some((job.id, evaluated(&job))))
    }
}

/// A file that is gone afterwards.
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

/// Wants no more after somebody.
pub struct Patience {
    pub last: Id,
    pub heard: Id,
}

impl Onlooker for Patience {
    fn hears(&mut self, news: &News) {
        self.heard = news.id;
    }

    fn goes_on(&mut self) -> bool {
        self.heard < self.last
    }
}
