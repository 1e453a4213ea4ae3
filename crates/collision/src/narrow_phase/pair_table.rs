//! A cache for every pair that the broad phase reports, kept while the pair lasts (000 section 2.4.1).

use std::collections::VecDeque;

use super::PairCache;
use crate::broad_phase::Pair;

/// What a pair of shapes can keep from step to step.
pub trait Forgetful: Default {
    /// Makes it as good as new, but keeps its room.
    fn forget(&mut self);
}

impl Forgetful for PairCache {
    fn forget(&mut self) {
        self.clear();
    }
}

/// Pairs in ascending order, each with what it remembers: its cache, and whatever else a simulator keeps by pair.
#[derive(Debug, Clone, Default)]
pub struct PairTable<T = PairCache> {
    pairs: Vec<Pair>,
    caches: Vec<T>,
    old_pairs: Vec<Pair>,
    old_caches: Vec<T>,
    /// Caches of pairs that ended: cleared, their memory ready for the next pair. The one that waited longest is next, so
    /// that all of them soon have the memory that they need.
    spare: VecDeque<T>,
}

impl<T: Forgetful> PairTable<T> {
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
                ended.forget();
                self.spare.push_back(ended);
            }
            let lasting = old.next_if(|(other, _)| *other == pair).map(|(_, cache)| cache);
            created += usize::from(lasting.is_none());
            self.caches.push(lasting.or_else(|| self.spare.pop_front()).unwrap_or_default());
        }
        for (_, mut ended) in old {
            ended.forget();
            self.spare.push_back(ended);
        }
        created
    }

    /// The pairs, ascending.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pairs and their caches.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Pair, &mut T)> {
        self.pairs.iter().copied().zip(&mut self.caches)
    }

    /// The pairs and their caches, to look at.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, &T)> {
        self.pairs.iter().copied().zip(&self.caches)
    }

    /// All caches, in the order of the pairs.
    pub fn caches_mut(&mut self) -> &mut [T] {
        &mut self.caches
    }

    /// The cache of the pair at a place in the list.
    pub fn cache_mut(&mut self, index: usize) -> &mut T {
        &mut self.caches[index]
    }

    /// The cache of the pair at a place in the list, to look at.
    pub fn record(&self, index: usize) -> &T {
        &self.caches[index]
    }

    /// Takes over a list of pairs (ascending) with what they remember.
    pub fn restore(&mut self, pairs: &[(Pair, T)])
    where
        T: Clone,
    {
        self.pairs.clear();
        self.pairs.extend(pairs.iter().map(|(pair, _)| *pair));
        self.caches.clear();
        self.caches.extend(pairs.iter().map(|(_, cache)| cache.clone()));
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
