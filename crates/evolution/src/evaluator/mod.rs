//! Who evaluates: a contract with two implementations, threads of this process and workers elsewhere. Results come back in any
//! order; the run puts them in order, so that it does not matter.

pub mod nats;
mod threads;

pub use nats::Nats;
pub use threads::Threads;

use std::sync::Arc;
use std::time::Duration;

use burgess_creature::AnyGenome;
use burgess_creature::task::Task;
use thiserror::Error;

use crate::individual::Id;
use crate::result::{Ending, Evaluated};

/// One evaluation to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Whose it is.
    pub id: Id,
    /// What is evaluated.
    pub genome: AnyGenome,
    /// Whom it competes with, in a contest.
    pub opponent: Option<AnyGenome>,
    /// At what, with all parameters set.
    pub task: Arc<Task>,
    /// Of the evaluation.
    pub seed: u64,
}

/// Why nobody evaluates any more.
#[derive(Debug, Error)]
pub enum EvaluatorError {
    /// All threads or workers are gone for good.
    #[error("nobody is left to evaluate: {0}")]
    Gone(String),
    /// On the way to workers elsewhere.
    #[error(transparent)]
    Nats(#[from] nats::NatsError),
}

/// Whoever asks for results can do something else so often.
pub const MOMENT: Duration = Duration::from_millis(200);

/// Who evaluates.
pub trait Evaluator {
    /// How many jobs are worth having in the works at the same time.
    fn capacity(&self) -> usize;

    /// Takes a job. A job that is given again before it is answered is answered once.
    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError>;

    /// Waits for the next result, in any order, but not for longer than [`MOMENT`].
    fn next(&mut self) -> Result<Option<(Id, Evaluated)>, EvaluatorError>;
}

/// Makes an evaluation: all evaluators end here. What panics is faulty, and nothing else comes to harm.
pub fn evaluate(job: &Job) -> Evaluated {
    let made = std::panic::catch_unwind(|| match &job.opponent {
        None => burgess_creature::evaluation::evaluate(&job.genome, &job.task, job.seed),
        Some(opponent) => {
            let options = Default::default();
            let [own, _] =
                burgess_creature::evaluation::evaluate_contest(&job.genome, opponent, &job.task, job.seed, &options);
            own
        }
    });
    made.map_or_else(|_| Evaluated::faulty("the evaluation panicked"), |evaluation| checked(Evaluated::of(&evaluation)))
}

/// A result that nobody can be ranked by is faulty, whoever it comes from.
fn checked(result: Evaluated) -> Evaluated {
    let figures = result.measures.iter().chain(&result.descriptors).map(|(name, value)| (name.as_str(), *value));
    let is_scored = result.outcome == Ending::Scored;
    // What is not scored has measures up to where it went wrong, and nobody looks at them.
    let ranked = figures.chain([("seconds", result.seconds)]).filter(|_| is_scored);
    let wrong = ranked.chain([("fitness", result.fitness)]).find(|(_, value)| !value.is_finite());
    match wrong {
        Some((name, _)) => Evaluated::faulty(&format!("its {name} is not finite")),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored() -> Evaluated {
        let measures = [("distance".to_string(), 2.0)].into();
        Evaluated { outcome: Ending::Scored, fitness: 1.0, measures, seconds: 3.0, ..Evaluated::faulty("") }
    }

    #[test]
    fn results_without_an_order_are_faulty() {
        assert_eq!(checked(scored()), scored());
        let fitness = Evaluated { fitness: f64::NAN, ..scored() };
        assert_eq!(checked(fitness), Evaluated::faulty("its fitness is not finite"));
        let measures = [("distance".to_string(), f64::INFINITY)].into();
        assert_eq!(checked(Evaluated { measures, ..scored() }), Evaluated::faulty("its distance is not finite"));
        let descriptors = [("parts".to_string(), f64::NEG_INFINITY)].into();
        assert_eq!(checked(Evaluated { descriptors, ..scored() }), Evaluated::faulty("its parts is not finite"));
    }
}
