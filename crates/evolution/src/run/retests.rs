//! Retests in a run in progress. They consume ids of the run like manual births, but not numbers of the algorithm.

use super::{Born, Run};
use crate::breeder::Child;
use crate::individual::{Birth, Id, Operator};

/// Least number of recent results that the last births of a run, which are all retests, do not wait for.
const MIN_FINAL_WINDOW: u64 = 32;

/// The window of the last births is the window of retests divided by this: their choice depends on recent results.
const FINAL_WINDOW_DIVISOR: u64 = 3;

impl Run {
    /// Returns whether the next birth is a retest, if there is a candidate.
    pub(super) fn is_retest_due(&self) -> bool {
        let settings = &self.config.champions;
        if settings.is_none() || self.stage.config.has_rivals() {
            return false;
        }
        let is_regular = settings.every > 0 && self.bred % settings.every == settings.every - 1;
        is_regular || self.is_final()
    }

    /// Returns whether the next birth is one of the last of the run, which are all retests.
    fn is_final(&self) -> bool {
        self.bred >= self.config.champions.final_start(self.config.evaluations)
    }

    /// Number of results that the choice of the next retest depends on.
    pub(super) fn results_before_retest(&self) -> Id {
        let window = self.config.champions.window;
        let final_window = (window / FINAL_WINDOW_DIVISOR).max(MIN_FINAL_WINDOW);
        self.bred.saturating_sub(if self.is_final() { final_window } else { window })
    }

    /// Makes the next birth a retest, unless there is no candidate.
    pub(super) fn retest(&mut self) -> Option<Born> {
        let (candidate, genome) = self.champions.next(self.bred, self.is_final())?;
        let (generation, task) = self.conditions_of_manual_birth();
        self.interventions.add_manual_birth(self.bred);
        let birth = Birth::of(Child { genome, parents: vec![candidate], operator: Operator::Retest });
        Some(Born { birth, generation, task })
    }

    /// Returns whether a change of the number of evaluations would change births that have taken place.
    pub(super) fn has_final_births(&self) -> bool {
        self.bred > self.config.champions.final_start(self.config.evaluations)
    }
}
