//! A cache for every pair that the broad phase reports, kept while the pair lasts (000 section 2.4.1).

use std::collections::VecDeque;

use super::PairCache;
use crate::broad_phase::Pair;

/// Pairs in ascending order, each with its cache.
#[derive(Debug, Clone, Default)]
pub struct PairTable {
    pairs: Vec<Pair>,
    caches: Vec<PairCache>,
    old_pairs: Vec<Pair>,
    old_caches: Vec<PairCache>,
    /// Caches of pairs that ended: cleared, their memory ready for the next pair. The one that waited longest is next, so
    /// that all of them soon have the memory that they need.
    spare: VecDeque<PairCache>,
}

impl PairTable {
    /// Takes over the broad phase's list (ascending): pairs that last keep their caches, new ones begin empty. Returns how
    /// many are new.
    pub fn synchronise(&mut self, pairs: &[Pair]) -> usize {
        if self.pairs == pairs {
            return 0;
        }
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        std::mem::swap(&mut self.caches, &mut self.old_caches);
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        self.caches.clear();
        let mut old = self.old_pairs.iter().zip(self.old_caches.drain(..)).peekable();
        let mut created = 0;
        for pair in pairs {
            while let Some((_, mut ended)) = old.next_if(|(other, _)| *other < pair) {
                ended.clear();
                self.spare.push_back(ended);
            }
            let lasting = old.next_if(|(other, _)| *other == pair).map(|(_, cache)| cache);
            created += usize::from(lasting.is_none());
            self.caches.push(lasting.or_else(|| self.spare.pop_front()).unwrap_or_default());
        }
        for (_, mut ended) in old {
            ended.clear();
            self.spare.push_back(ended);
        }
        created
    }

    /// The pairs and their caches.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Pair, &mut PairCache)> {
        self.pairs.iter().copied().zip(&mut self.caches)
    }
}
