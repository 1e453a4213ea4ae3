//! Evaluators: one trait with two implementations, threads of this process and workers of other processes. Results
//! arrive in any order, and the run puts them in order.

pub mod nats;
mod threads;

pub use nats::Nats;
pub use threads::Threads;

use std::sync::Arc;
use std::time::Duration;

use burgess_creature::AnyGenome;
use burgess_creature::evaluation::{Side, evaluate_on_side};
use burgess_creature::task::Task;
use thiserror::Error;

use crate::individual::Id;
use crate::result::{EvaluationResult, OutcomeKind};

/// One evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Id of the individual.
    pub id: Id,
    /// Genome that is evaluated.
    pub genome: AnyGenome,
    /// Side on which it plays, in a contest.
    pub side: Side,
    /// Opponents that it meets one after the other, in a contest. Without any, it meets its limp twin.
    pub opponents: Vec<AnyGenome>,
    /// Task, with all parameters set.
    pub task: Arc<Task>,
    /// Seed of the evaluation.
    pub seed: u64,
}

/// Why evaluations have stopped.
#[derive(Debug, Error)]
pub enum EvaluatorError {
    /// All threads or connections have ended.
    #[error("no more evaluations are possible: {0}")]
    Gone(String),
    /// Error of the connection to workers.
    #[error(transparent)]
    Nats(#[from] nats::NatsError),
}

/// Longest time that [`Evaluator::next`] waits, so that the caller can do other things in between.
pub const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Evaluates individuals.
pub trait Evaluator {
    /// Number of jobs that should be submitted at the same time.
    fn capacity(&self) -> usize;

    /// Submits a job. A job that is submitted again before [`next`](Self::next) has returned its result has one result.
    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError>;

    /// Waits for the next result, in any order, for at most [`POLL_INTERVAL`].
    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError>;
}

/// Evaluates a job. All evaluators use this function. A panic makes the result faulty and does no other harm.
pub fn evaluate(job: &Job) -> EvaluationResult {
    let made = std::panic::catch_unwind(|| {
        if job.task.contest.is_none() {
            return EvaluationResult::of(&burgess_creature::evaluation::evaluate(&job.genome, &job.task, job.seed));
        }
        let meet = |opponent: Option<&AnyGenome>| {
            evaluate_on_side(&job.genome, opponent, job.side, &job.task, job.seed, &Default::default())
        };
        if job.opponents.is_empty() {
            return EvaluationResult::of(&meet(None)[0]);
        }
        EvaluationResult::of_meetings(job.opponents.iter().map(|opponent| meet(Some(opponent))))
    });
    made.map_or_else(|_| EvaluationResult::faulty("the evaluation panicked"), checked)
}

/// Makes a scored result faulty if any of its numbers is not finite, because it could not be ranked.
fn checked(result: EvaluationResult) -> EvaluationResult {
    let figures = result.measures.iter().chain(&result.descriptors).map(|(name, value)| (name.as_str(), *value));
    let is_scored = result.outcome == OutcomeKind::Scored;
    // The measures of a result that is not scored end where it failed, and are not used.
    let ranked = figures.chain([("seconds", result.seconds)]).filter(|_| is_scored);
    let wrong = ranked.chain([("fitness", result.fitness)]).find(|(_, value)| !value.is_finite());
    match wrong {
        Some((name, _)) => EvaluationResult::faulty(&format!("its {name} is not finite")),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored() -> EvaluationResult {
        let measures = [("distance".to_string(), 2.0)].into();
        EvaluationResult {
            outcome: OutcomeKind::Scored,
            fitness: 1.0,
            measures,
            seconds: 3.0,
            ..EvaluationResult::faulty("")
        }
    }

    #[test]
    fn results_without_an_order_are_faulty() {
        assert_eq!(checked(scored()), scored());
        let fitness = EvaluationResult { fitness: f64::NAN, ..scored() };
        assert_eq!(checked(fitness), EvaluationResult::faulty("its fitness is not finite"));
        let measures = [("distance".to_string(), f64::INFINITY)].into();
        assert_eq!(
            checked(EvaluationResult { measures, ..scored() }),
            EvaluationResult::faulty("its distance is not finite")
        );
        let descriptors = [("parts".to_string(), f64::NEG_INFINITY)].into();
        assert_eq!(
            checked(EvaluationResult { descriptors, ..scored() }),
            EvaluationResult::faulty("its parts is not finite")
        );
    }
}
