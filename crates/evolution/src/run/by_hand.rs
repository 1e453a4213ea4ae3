//! Births by hand among the births of the algorithm. They have numbers of the run but none of the algorithm, which so goes its way as if
//! they had never been, until it [welcomes](crate::algorithm::Algorithm::welcome) them:
//!
//! ```text
//!   run          0  1  2  3  4  5  6
//!   by hand            *     *
//!   algorithm    0  1     2     3  4
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use burgess_creature::AnyGenome;

use crate::individual::Id;
use crate::intervention::Intervention;

/// What was done by hand, up to the present birth.
#[derive(Debug, Default)]
pub(super) struct ByHand {
    /// Written down in the file, each with the birth before which it was done, and not done again yet.
    pub pending: VecDeque<(Id, Intervention)>,
    /// Births by hand, in order.
    births: Vec<Id>,
    /// With what they hand on.
    pub favourites: BTreeMap<Id, AnyGenome>,
    /// Never parents again.
    pub removed: BTreeSet<Id>,
}

impl ByHand {
    /// With all that is written down.
    pub fn new(pending: VecDeque<(Id, Intervention)>) -> Self {
        Self { pending, ..Self::default() }
    }

    /// One that comes after all so far.
    pub fn add_birth(&mut self, id: Id) {
        self.births.push(id);
    }

    /// Was this birth by hand?
    pub fn is_birth(&self, id: Id) -> bool {
        self.births.binary_search(&id).is_ok()
    }

    /// The algorithm's number of a birth that was not by hand.
    pub fn number(&self, id: Id) -> u64 {
        id - self.births.partition_point(|birth| *birth < id) as u64
    }

    /// How many of the run must have been told, so that so many of the algorithm are.
    pub fn told_before(&self, needs: u64) -> Id {
        let Some(last) = needs.checked_sub(1) else { return 0 };
        let (mut before, mut end) = (0, self.births.len());
        // Before the k-th birth by hand there are births[k] - k of the algorithm, which never falls with k.
        while before < end {
            let middle = usize::midpoint(before, end);
            if self.births[middle] - middle as u64 <= last { before = middle + 1 } else { end = middle }
        }
        last + before as u64 + 1
    }

    /// What is to be done again before this birth.
    pub fn due(&self, id: Id) -> Option<&Intervention> {
        self.pending.front().filter(|(at, _)| *at <= id).map(|(_, what)| what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_run_and_of_the_algorithm() {
        let mut by_hand = ByHand::default();
        assert_eq!([0, 1, 7].map(|needs| by_hand.told_before(needs)), [0, 1, 7]);
        [2, 4].into_iter().for_each(|id| by_hand.add_birth(id));
        assert_eq!([0, 1, 3, 5, 6].map(|id| by_hand.number(id)), [0, 1, 2, 3, 4]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|needs| by_hand.told_before(needs)), [0, 1, 2, 4, 6, 7]);
        by_hand = ByHand::default();
        [0, 1].into_iter().for_each(|id| by_hand.add_birth(id));
        assert_eq!([0, 1, 2].map(|needs| by_hand.told_before(needs)), [0, 3, 4]);
    }
}
