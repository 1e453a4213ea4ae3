//! Adjusted fitness of the individuals of one population of a contest.
//!
//! An individual meets few opponents, so the highest fitness of a generation is often that of a lucky one. Survivors are
//! evaluated again in every generation, against other opponents. The adjusted fitness also counts what the same genome
//! did before, and it is shrunk towards the mean of the generation:
//!
//! ```text
//!   n = m + r n'              m meetings with the mean fitness f; n' and s' are those of the copied individual
//!   s = m (f - e) + r s'      e is the mean fitness of the generation
//!   adjusted = e + s / (n + p)
//! ```
//!
//! All individuals of a generation meet the same opponents, so f - e does not depend on how strong these are. `r`
//! discounts earlier meetings, because opponents and individuals become better. Individuals that met only their limp
//! twin have no meetings; their fitness is not adjusted.

use std::collections::BTreeMap;

use crate::individual::Id;

/// Share `r` of the weight of earlier meetings that is left when a genome is evaluated again. A genome that always
/// survives then counts 3.3 times as many meetings as a new one.
const RETAINED_SHARE: f64 = 0.7;

/// Number `p` of meetings with mean fitness that are added. With 2, as in runs with two opponents, the first meetings
/// of a genome count half.
const PRIOR_MEETINGS: f64 = 2.0;

/// A scored individual of a generation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    pub id: Id,
    /// The individual that it copies, if any.
    pub original: Option<Id>,
    /// Mean fitness of its meetings.
    pub fitness: f64,
    /// Number of its meetings.
    pub meetings: usize,
}

/// Weighted number of meetings of a genome, and the weighted sum of its fitness in them, relative to that of its
/// generations.
#[derive(Debug, Clone, Copy, Default)]
struct Meetings {
    number: f64,
    sum: f64,
}

/// Meetings of all individuals of one population. A function of its results.
#[derive(Debug, Default)]
pub(crate) struct AdjustedFitness {
    meetings: BTreeMap<Id, Meetings>,
}

impl AdjustedFitness {
    /// Adds the scored individuals of the next generation, and returns their adjusted fitness in the same order.
    pub fn add_generation(&mut self, played: &[Played]) -> Vec<f64> {
        let met = played.iter().filter(|one| one.meetings > 0);
        let mean = met.clone().map(|one| one.fitness).sum::<f64>() / met.count().max(1) as f64;
        let adjust = |one: &Played| {
            if one.meetings == 0 {
                return one.fitness;
            }
            let earlier = one.original.and_then(|id| self.meetings.get(&id)).copied().unwrap_or_default();
            let number = one.meetings as f64;
            let sum = number * (one.fitness - mean) + RETAINED_SHARE * earlier.sum;
            let number = number + RETAINED_SHARE * earlier.number;
            self.meetings.insert(one.id, Meetings { number, sum });
            mean + sum / (number + PRIOR_MEETINGS)
        };
        played.iter().map(adjust).collect()
    }

    /// Forgets all meetings, because the task has changed.
    pub fn renew(&mut self) {
        self.meetings.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(id: Id, original: Option<Id>, fitness: f64, meetings: usize) -> Played {
        Played { id, original, fitness, meetings }
    }

    #[test]
    fn a_survivor_is_judged_by_earlier_meetings_too() {
        let mut population = AdjustedFitness::default();
        // Against limp twins the fitness is not adjusted.
        assert_eq!(population.add_generation(&[played(0, None, 1.9, 0)]), [1.9]);
        // Two of four meetings are those of the prior.
        let first = population.add_generation(&[played(1, Some(0), 1.5, 2), played(2, None, 0.5, 2)]);
        assert_eq!(first, [1.25, 0.75]);
        // The survivor has 2 + 0.7 * 2 meetings.
        let second = population.add_generation(&[played(3, Some(1), 1.0, 2), played(4, None, 1.0, 2)]);
        let expected = 1.0 + 0.7 * 2.0 * 0.5 / (2.0 + 1.4 + 2.0);
        assert!((second[0] - expected).abs() < 1e-12, "{} and {expected}", second[0]);
        assert!((second[1] - 1.0).abs() < 1e-12, "{}", second[1]);
        population.renew();
        assert_eq!(population.add_generation(&[played(5, Some(3), 1.0, 2), played(6, None, 1.0, 2)]), [1.0, 1.0]);
    }

    #[test]
    fn opponents_of_other_strength_change_no_rank() {
        for shift in [0.0, -0.5, 0.7] {
            let mut population = AdjustedFitness::default();
            population.add_generation(&[played(1, None, 1.6, 2), played(2, None, 0.4, 2)]);
            let next = [played(3, Some(1), 1.2 + shift, 2), played(4, None, 1.4 + shift, 2), played(5, None, shift, 2)];
            let adjusted = population.add_generation(&next);
            assert!(adjusted[0] > adjusted[1] && adjusted[1] > adjusted[2], "{adjusted:?}");
        }
    }

    #[test]
    fn a_genome_that_always_survives_approaches_its_mean() {
        let mut population = AdjustedFitness::default();
        let mut last = Vec::new();
        for generation in 0..40_u64 {
            let survivor = played(generation, generation.checked_sub(1), 1.8, 3);
            last = population.add_generation(&[survivor, played(1000 + generation, None, 0.2, 3)]);
        }
        // Three meetings in each generation are ten in the limit; the prior counts as two.
        assert!((last[0] - (1.0 + 0.8 * 10.0 / 12.0)).abs() < 1e-4, "{}", last[0]);
    }
}
