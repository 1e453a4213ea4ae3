//! Matches: two creatures play a contest several times, on both sides.
//!
//! Trials come in pairs with the same conditions. In the second trial of a pair the creatures have exchanged sides, so
//! that neither a side nor a role is an advantage. A match is a pure function of the creatures, the task and the seed.

use burgess_simulation::StateHash;
use thiserror::Error;

use super::contest::{Decision, Side};
use super::outcome::{Faulty, TrialFailure};
use super::trial::run_trial;
use super::{EvaluationOptions, Record};
use crate::phenotype::Phenotype;
use crate::random::mix_seed;
use crate::task::Task;
use crate::viability::{Unviable, check as check_viability};

/// Separates these random numbers from other uses of the same seed.
const PURPOSE: u64 = 0x006d_6174_6368;

/// Largest number of pairs of trials in a match.
pub const MAX_PAIRS: u32 = 10_000;

/// How a match is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchSettings {
    /// Number of pairs of trials, 1 to [`MAX_PAIRS`].
    pub pairs: u32,
    /// Seed of the conditions.
    pub seed: u64,
    /// Trial to record, counted from 0 over all pairs.
    pub record: Option<Record>,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self { pairs: 4, seed: 0, record: None }
    }
}

/// Why a match was not played.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MatchError {
    /// The task is not a contest.
    #[error("the task '{task}' has no sides, because it has no [contest]; choose a contest, such as 'contest'")]
    NoContest {
        /// Name of the task.
        task: String,
    },
    /// The number of pairs is out of range.
    #[error("a match has from 1 to {MAX_PAIRS} pairs of trials, found {0}")]
    Pairs(u32),
    /// A creature is not viable in the task.
    #[error("the creature '{}' cannot start: {reason}; choose another one", ["A", "B"][*creature])]
    CannotStart {
        /// Index of the creature: 0 for A, 1 for B.
        creature: usize,
        /// The reason.
        reason: Unviable,
    },
}

/// One trial of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchTrial {
    /// Side of creature A.
    pub side_of_a: Side,
    /// Fitness of A and of B; 0 if the trial was faulty.
    pub fitness: [f64; 2],
    /// Result for creature A. If one creature crossed its starting line, or its motion was faulty, it lost.
    pub decision: Decision,
    /// Fault that ended the trial, if there was one.
    pub fault: Option<Faulty>,
    /// State hash of the simulation at the end; 0 if the trial was faulty.
    pub state_hash: u64,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchResult {
    /// All trials, in the order in which they were played.
    pub trials: Vec<MatchTrial>,
    /// Recording of one trial, if requested and if that trial was not faulty.
    pub recording: Option<Vec<u8>>,
}

impl MatchResult {
    /// Returns the number of trials with a result for creature A.
    pub fn count(&self, decision: Decision) -> usize {
        self.trials.iter().filter(|trial| trial.decision == decision).count()
    }

    /// Returns the mean fitness of A and of B.
    pub fn mean_fitness(&self) -> [f64; 2] {
        let share = 1.0 / self.trials.len().max(1) as f64;
        [0, 1].map(|creature| self.trials.iter().map(|trial| share * trial.fitness[creature]).sum())
    }

    /// Returns the share of wins of A, where a draw counts as half a win; `None` if there was no trial.
    pub fn score(&self) -> Option<f64> {
        score(self.trials.iter())
    }

    /// Returns the share of wins of A on each side, as in [`score`](Self::score).
    pub fn score_by_side(&self) -> [Option<f64>; 2] {
        Side::ALL.map(|side| score(self.trials.iter().filter(|trial| trial.side_of_a == side)))
    }

    /// Returns a hash of all trials.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::default();
        for trial in &self.trials {
            hash.numbers(&trial.fitness);
            hash.word(trial.state_hash);
        }
        hash.finish()
    }
}

fn score<'a>(trials: impl Iterator<Item = &'a MatchTrial>) -> Option<f64> {
    let points = |trial: &MatchTrial| match trial.decision {
        Decision::Won => 1.0,
        Decision::Drawn => 0.5,
        Decision::Lost => 0.0,
    };
    let (sum, count) = trials.fold((0.0, 0), |(sum, count), trial| (sum + points(trial), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Plays a match of creatures A and B. Calls `progress` after every trial.
pub fn play_match(
    [a, b]: [&Phenotype; 2],
    task: &Task,
    settings: &MatchSettings,
    mut progress: impl FnMut(&MatchTrial),
) -> Result<MatchResult, MatchError> {
    if task.contest.is_none() {
        return Err(MatchError::NoContest { task: task.name.clone() });
    }
    if !(1..=MAX_PAIRS).contains(&settings.pairs) {
        return Err(MatchError::Pairs(settings.pairs));
    }
    for (creature, one) in [a, b].into_iter().enumerate() {
        check_viability(&one.body, &task.physiology.viability)
            .map_err(|reason| MatchError::CannotStart { creature, reason })?;
    }
    let seed = mix_seed(settings.seed, &[PURPOSE]);
    let mut result = MatchResult::default();
    for number in 0..2 * settings.pairs {
        let side_of_a = Side::of_index(number.into());
        let record = settings.record.filter(|record| record.trial == number);
        let (trial, recording) = play_trial([a, b], side_of_a, (task, seed, number / 2), record)?;
        progress(&trial);
        result.recording = result.recording.or(recording);
        result.trials.push(trial);
    }
    Ok(result)
}

/// Plays one trial, and returns its recording if one is requested.
fn play_trial(
    [a, b]: [&Phenotype; 2],
    side_of_a: Side,
    (task, seed, number): (&Task, u64, u32),
    record: Option<Record>,
) -> Result<(MatchTrial, Option<Vec<u8>>), MatchError> {
    let creatures = if side_of_a == Side::First { [a, b] } else { [b, a] };
    // The recorder counts the conditions, which both trials of a pair share.
    let record = record.map(|record| Record { trial: number, ..record });
    let options = EvaluationOptions { record, ..EvaluationOptions::default() };
    // From the order in the trial to A and B.
    let ordered = |[first, second]: [f64; 2]| match side_of_a {
        Side::First => [first, second],
        Side::Second => [second, first],
    };
    let ended_by = |fault: Faulty, side: Option<Side>| {
        let decision = match side {
            Some(side) if side == side_of_a => Decision::Lost,
            Some(_) => Decision::Won,
            None => Decision::Drawn,
        };
        (MatchTrial { side_of_a, fitness: [0.0; 2], decision, fault: Some(fault), state_hash: 0 }, None)
    };
    match run_trial(&creatures, (task, seed, number), &options, &mut |_, _| (), &mut 0) {
        Ok(played) => {
            let fitness = ordered([0, 1].map(|creature| played.score(creature, task)));
            let decision = Decision::of(fitness[0], fitness[1]);
            let state_hash = played.state_hash;
            Ok((MatchTrial { side_of_a, fitness, decision, fault: None, state_hash }, played.recording))
        }
        // Unlike other reasons, this one depends on the conditions of the trial.
        Err(TrialFailure::Unviable(creature, reason @ Unviable::CrossedLine { .. })) => {
            let fault = Faulty { trial: number, ..Faulty::of_unviable(&reason, task.settle) };
            Ok(ended_by(fault, Some(Side::of_index(creature as u64))))
        }
        Err(TrialFailure::Unviable(creature, reason)) => {
            let creature = if side_of_a == Side::First { creature } else { 1 - creature.min(1) };
            Err(MatchError::CannotStart { creature, reason })
        }
        Err(TrialFailure::Faulty(fault)) => {
            let side = side_of_body(&fault.body);
            Ok(ended_by(fault, side))
        }
    }
}

/// Returns the side of the creature that a body belongs to; `None` for other bodies.
fn side_of_body(name: &str) -> Option<Side> {
    match name.strip_prefix("opponent-") {
        Some(own) => own.starts_with("part").then_some(Side::Second),
        None => name.starts_with("part").then_some(Side::First),
    }
}
