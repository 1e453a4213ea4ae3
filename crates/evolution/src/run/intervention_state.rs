//! Interventions as they affect a run up to the current birth.
//!
//! Manual births consume ids of the run, but not numbers of the algorithm. The algorithm does not know them until it
//! adds them to its population as [immigrants](crate::algorithm::Algorithm::add_immigrant):
//!
//! ```text
//!   id in the run          0  1  2  3  4  5  6
//!   manual birth                 *     *
//!   algorithm's number     0  1     2     3  4
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use burgess_creature::AnyGenome;

use crate::individual::Id;
use crate::intervention::Intervention;

/// Effects of the interventions up to the current birth.
#[derive(Debug, Default)]
pub(super) struct InterventionState {
    /// Recorded interventions that are still to be applied when a run is resumed, each with the birth before which it
    /// happened.
    pub pending: VecDeque<(Id, Intervention)>,
    /// Id of the first birth of the stage. The algorithm of a stage counts its births from there.
    first: Id,
    /// Ids of the manual births of the stage, in order.
    births: Vec<Id>,
    /// Favourites and their genomes.
    pub favourites: BTreeMap<Id, AnyGenome>,
    /// Individuals that have no more children.
    pub removed: BTreeSet<Id>,
}

impl InterventionState {
    /// Creates the state with all recorded interventions still to be applied.
    pub fn new(pending: VecDeque<(Id, Intervention)>) -> Self {
        Self { pending, ..Self::default() }
    }

    /// Begins a stage with this birth. All results of earlier births must have been passed on.
    pub fn begin_stage(&mut self, first: Id) {
        self.first = first;
        self.births.retain(|birth| *birth >= first);
    }

    /// Adds a manual birth, whose id is higher than all earlier ones.
    pub fn add_manual_birth(&mut self, id: Id) {
        self.births.push(id);
    }

    /// Returns whether a birth was manual.
    pub fn is_manual_birth(&self, id: Id) -> bool {
        self.births.binary_search(&id).is_ok()
    }

    /// Returns the algorithm's number of a birth that was not manual.
    pub fn number(&self, id: Id) -> u64 {
        id - self.first - self.births.partition_point(|birth| *birth < id) as u64
    }

    /// Returns how many results of the run contain `needs` results of the algorithm's own births.
    pub fn results_needed(&self, needs: u64) -> Id {
        let Some(last) = needs.checked_sub(1) else { return self.first };
        let (mut before, mut end) = (0, self.births.len());
        // Before the k-th manual birth there are births[k] - first - k births of the algorithm, which does not decrease
        // with k.
        while before < end {
            let middle = usize::midpoint(before, end);
            if self.births[middle] - self.first - middle as u64 <= last { before = middle + 1 } else { end = middle }
        }
        self.first + last + before as u64 + 1
    }

    /// Returns the next recorded intervention if it happened before this birth.
    pub fn due(&self, id: Id) -> Option<&Intervention> {
        self.pending.front().filter(|(at, _)| *at <= id).map(|(_, what)| what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_run_and_of_the_algorithm() {
        let mut state = InterventionState::default();
        assert_eq!([0, 1, 7].map(|needs| state.results_needed(needs)), [0, 1, 7]);
        [2, 4].into_iter().for_each(|id| state.add_manual_birth(id));
        assert_eq!([0, 1, 3, 5, 6].map(|id| state.number(id)), [0, 1, 2, 3, 4]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|needs| state.results_needed(needs)), [0, 1, 2, 4, 6, 7]);
        state = InterventionState::default();
        [0, 1].into_iter().for_each(|id| state.add_manual_birth(id));
        assert_eq!([0, 1, 2].map(|needs| state.results_needed(needs)), [0, 3, 4]);
    }

    #[test]
    fn numbers_begin_anew_with_a_stage() {
        let mut state = InterventionState::default();
        [2, 10].into_iter().for_each(|id| state.add_manual_birth(id));
        state.begin_stage(10);
        state.add_manual_birth(12);
        assert_eq!([11, 13, 14].map(|id| state.number(id)), [0, 1, 2]);
        assert_eq!([0, 1, 2, 3].map(|needs| state.results_needed(needs)), [10, 12, 14, 15]);
    }
}
