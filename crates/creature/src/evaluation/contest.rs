//! Evaluation of two creatures against each other, for tasks with a contest.
//!
//! The first creature starts at negative x, the second at positive x, turned by 180 degrees about the vertical, so that
//! no side has an advantage. A creature without an opponent meets its limp twin: the same body with slack muscles.

use serde::{Deserialize, Serialize};

use super::outcome::TrialFailure;
use super::{Evaluation, EvaluationOptions, Outcome, run_trials};
use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::task::Task;

/// Two fitness values that differ by at most this fraction of their sum are a draw.
const DRAW_MARGIN: f64 = 0.01;

/// The side on which a creature plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// It starts at negative x. In tasks with roles, it has the first one.
    First,
    /// It starts at positive x. In tasks with roles, it has the second one.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Returns the index: 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the side with an index, modulo 2.
    pub fn of_index(index: u64) -> Self {
        if index.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// Returns the other side.
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The result of a contest for one creature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Its fitness is higher than that of the opponent.
    Won,
    /// Its fitness is lower.
    Lost,
    /// Both differ by at most 1 % of their sum.
    Drawn,
}

impl Decision {
    /// Compares the fitness of a creature with that of its opponent.
    pub fn of(own: f64, other: f64) -> Self {
        if (own - other).abs() <= DRAW_MARGIN * (own + other).abs() {
            Self::Drawn
        } else if own > other {
            Self::Won
        } else {
            Self::Lost
        }
    }

    /// Returns the name, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
        }
    }
}

/// Evaluates two genomes against each other, for tasks with a contest. The first one plays on the first side.
pub fn evaluate_contest(
    first: &AnyGenome,
    second: &AnyGenome,
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
) -> [Evaluation; 2] {
    evaluate_on_side(first, Some(second), Side::First, task, seed, options)
}

/// Evaluates a genome that plays on a side, for tasks with a contest. Returns its evaluation and that of the opponent.
/// Without an opponent, or with an unviable one, it meets its limp twin.
pub fn evaluate_on_side(
    genome: &AnyGenome,
    opponent: Option<&AnyGenome>,
    side: Side,
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
) -> [Evaluation; 2] {
    let unviable = |why| Evaluation::without_score(Outcome::Unviable(why), 0);
    let opponent = opponent.map(|genome| genome.grow(&task.physiology));
    match (genome.grow(&task.physiology), opponent) {
        (Ok(own), None) => meet(&own, None, side, task, seed, options),
        (Ok(own), Some(Ok(other))) => meet(&own, Some(&other), side, task, seed, options),
        (Ok(own), Some(Err(why))) => {
            let [own, _] = meet(&own, None, side, task, seed, options);
            [own, unviable(why)]
        }
        (Err(why), Some(Ok(other))) => {
            let [other, _] = meet(&other, None, side.other(), task, seed, options);
            [unviable(why), other]
        }
        (Err(why), Some(Err(other))) => [unviable(why), unviable(other)],
        (Err(why), None) => [unviable(why.clone()), unviable(why)],
    }
}

/// Evaluates two phenotypes against each other. If one is unviable, the other meets its limp twin; a fault applies to
/// both.
pub fn evaluate_contest_of_phenotypes(
    first: &Phenotype,
    second: &Phenotype,
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
) -> [Evaluation; 2] {
    meet(first, Some(second), Side::First, task, seed, options)
}

/// Evaluates a phenotype on a side and its opponent, or its limp twin if there is none.
pub(crate) fn meet(
    own: &Phenotype,
    opponent: Option<&Phenotype>,
    side: Side,
    task: &Task,
    seed: u64,
    options: &EvaluationOptions,
) -> [Evaluation; 2] {
    let twin = own.limp();
    let other = opponent.unwrap_or(&twin);
    let creatures = if side == Side::First { [own, other] } else { [other, own] };
    let mut steps = 0;
    match run_trials(&creatures, task, seed, options, &mut |_, _| (), &mut steps) {
        Ok(results) => {
            [side, side.other()].map(|side| Evaluation::of_trials(results.clone(), side.index(), task, steps))
        }
        Err(TrialFailure::Faulty(faulty)) => {
            [0, 1].map(|_| Evaluation::without_score(Outcome::Faulty(faulty.clone()), steps))
        }
        Err(TrialFailure::Unviable(creature, why)) => {
            let unviable = Evaluation::without_score(Outcome::Unviable(why), steps);
            match (opponent, creature == side.index()) {
                // The limp twin has the same body.
                (None, _) => [unviable.clone(), unviable],
                (Some(other), true) => {
                    let [other, _] = meet(other, None, side.other(), task, seed, options);
                    [unviable, other]
                }
                (Some(_), false) => {
                    let [own, _] = meet(own, None, side, task, seed, options);
                    [own, unviable]
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_a_difference_of_at_most_a_hundredth_of_the_sum() {
        assert_eq!(Decision::of(1.0, 1.0), Decision::Drawn);
        assert_eq!(Decision::of(1.009, 0.991), Decision::Drawn);
        assert_eq!(Decision::of(1.02, 0.98), Decision::Won);
        assert_eq!(Decision::of(0.98, 1.02), Decision::Lost);
        assert_eq!(Decision::of(0.0, 0.0), Decision::Drawn);
        assert_eq!(Decision::of(0.0, 0.1), Decision::Lost);
    }
}
