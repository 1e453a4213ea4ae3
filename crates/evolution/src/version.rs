//! Version of the program. Runs and workers of different versions are kept apart, because the same creature could get
//! different results.

use std::sync::OnceLock;

use burgess_creature::builtin;
use burgess_creature::evaluation::Side;
use burgess_creature::task::{Task, Trials};

use crate::digest::chained;
use crate::evaluator::{Job, evaluate};
use crate::result::EvaluationResult;

/// Number of changes of the rules of evaluations that no sample shows.
const RULES: u64 = 1;

/// Creature, task and, in a contest, opponent. Together they cover both families, all kinds of ground, water, objects
/// and senses.
const SAMPLES: &[(&str, &str, Option<&str>)] = &[
    ("quadruped", "walk", None),
    ("hexapod", "rough-terrain", None),
    ("quadruped", "climb-stairs", None),
    ("quadruped", "contest", Some("walker")),
    ("walker", "walk", None),
    ("walker", "follow", None),
    ("tree", "hit-ball", None),
    ("jumper", "jump-up", None),
    ("swimmer", "swim", None),
    ("swimmer", "follow-water", None),
];

/// Creates a job of one trial of a second, with everything varied that the task varies.
fn sample(&(creature, task, opponent): &(&str, &str, Option<&str>)) -> Option<Job> {
    let genome = |name: &str| Some(builtin::find(name)?.genome());
    let preset = Task::preset(task).ok()?;
    let trials = Trials { count: 1, ..preset.trials };
    let task = Task { settle: 0.2, duration: 0.8, transient: 0.2, trials, ..preset };
    let opponents = opponent.and_then(genome).into_iter().collect();
    Some(Job { id: 0, genome: genome(creature)?, side: Side::First, opponents, task: task.into(), seed: 1 })
}

/// Version of a program, as far as results depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Release of the program.
    pub release: String,
    /// Hash of the results of some sample evaluations.
    pub physics: u64,
}

impl Version {
    /// Version of this program. The sample evaluations run once per process.
    pub fn own() -> Self {
        static PHYSICS: OnceLock<u64> = OnceLock::new();
        let physics = *PHYSICS.get_or_init(|| {
            let results: Vec<EvaluationResult> = SAMPLES.iter().filter_map(sample).map(|job| evaluate(&job)).collect();
            // Plain data in memory can always be serialized.
            chained(RULES, &postcard::to_allocvec(&results).unwrap_or_default())
        });
        Self { release: env!("CARGO_PKG_VERSION").to_string(), physics }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "burgess {} (physics {:016x})", self.release, self.physics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::OutcomeKind;

    #[test]
    fn every_sample_lives_and_says_something_of_its_own() {
        let results: Vec<EvaluationResult> = SAMPLES.iter().filter_map(sample).map(|job| evaluate(&job)).collect();
        assert_eq!(results.len(), SAMPLES.len());
        for (index, result) in results.iter().enumerate() {
            assert_eq!(result.outcome, OutcomeKind::Scored, "{:?}: {}", SAMPLES[index], result.reason);
            assert!(results[..index].iter().all(|other| other.hash != result.hash), "{:?}", SAMPLES[index]);
        }
    }
}
