//! Scores of the individuals of one population of a contest.
//!
//! An individual meets few opponents, so the highest fitness of a generation is often that of a lucky one. Survivors are
//! evaluated again in every generation, against other opponents. The score of an individual therefore also counts what
//! the same genome did before, and it is drawn towards what is expected of an unknown individual:
//!
//! ```text
//!   n = m + r n',  s = m f + r s'            m meetings with the mean fitness f; n', s' of the copied individual
//!   score = (s + p e) / (n + p)              e is the mean fitness of the population in the last generation
//! ```
//!
//! `r` discounts earlier meetings, because opponents become better. Individuals that met only their limp twin have no
//! meetings; their score is their fitness.

use std::collections::BTreeMap;

use crate::individual::Id;

/// Share `r` of the weight of earlier meetings that is left when a genome is evaluated again.
const RETAINED_SHARE: f64 = 0.7;

/// Number `p` of meetings that the expectation counts as.
const PRIOR_MEETINGS: f64 = 2.0;

/// Weighted number of meetings of a genome, and the weighted sum of its fitness in them.
#[derive(Debug, Clone, Copy, Default)]
struct Meetings {
    number: f64,
    sum: f64,
}

/// Scores of one population. They are a function of its results in the order of births.
#[derive(Debug, Default)]
pub(crate) struct ContestScores {
    /// Meetings of each individual and of those that it copies.
    meetings: BTreeMap<Id, Meetings>,
    /// Mean fitness of the last generation with meetings.
    expected: Option<f64>,
    /// Individuals of the current generation with meetings, and the sum of their fitness.
    count: f64,
    sum: f64,
}

impl ContestScores {
    /// Records a scored individual, and returns its score. `original` is the individual that it copies, if any.
    pub fn record(&mut self, id: Id, original: Option<Id>, fitness: f64, meetings: usize) -> f64 {
        if meetings == 0 {
            return fitness;
        }
        let earlier = original.and_then(|id| self.meetings.get(&id)).copied().unwrap_or_default();
        let own = meetings as f64;
        let known = Meetings {
            number: own + RETAINED_SHARE * earlier.number,
            sum: own * fitness + RETAINED_SHARE * earlier.sum,
        };
        self.meetings.insert(id, known);
        self.count += 1.0;
        self.sum += fitness;
        let expected = self.expected.unwrap_or(fitness);
        (known.sum + PRIOR_MEETINGS * expected) / (known.number + PRIOR_MEETINGS)
    }

    /// Begins the next generation.
    pub fn next_generation(&mut self) {
        if self.count > 0.0 {
            self.expected = Some(self.sum / self.count);
        }
        (self.count, self.sum) = (0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_of_a_survivor_counts_earlier_meetings() {
        let mut scores = ContestScores::default();
        // Against limp twins only the fitness counts.
        assert_eq!(scores.record(0, None, 1.9, 0), 1.9);
        scores.next_generation();
        // Nothing is expected yet.
        assert_eq!(scores.record(1, Some(0), 1.5, 2), 1.5);
        assert_eq!(scores.record(2, None, 0.5, 2), 0.5);
        scores.next_generation();
        // Expected: 1. The survivor has 2 + 0.7 * 2 meetings.
        let survivor = scores.record(3, Some(1), 1.0, 2);
        let expected = (2.0 * 1.0 + 1.4 * 1.5 + 2.0 * 1.0) / (2.0 + 1.4 + 2.0);
        assert!((survivor - expected).abs() < 1e-12, "{survivor} and {expected}");
        let newcomer = scores.record(4, None, 1.0, 2);
        assert!((newcomer - 1.0).abs() < 1e-12, "{newcomer}");
        assert!(survivor > newcomer);
    }

    #[test]
    fn scores_approach_the_fitness_of_a_genome_that_always_has_the_same() {
        let mut scores = ContestScores::default();
        let mut last = 0.0;
        for generation in 0..40_u64 {
            last = scores.record(generation, generation.checked_sub(1), 1.8, 3);
            scores.record(1000 + generation, None, 0.2, 3);
            scores.next_generation();
        }
        // Three meetings in each generation are 10 in the limit; two are expected to give 1.
        assert!((last - (10.0 * 1.8 + 2.0) / 12.0).abs() < 1e-4, "{last}");
    }
}
