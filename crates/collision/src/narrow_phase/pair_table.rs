//! A cache for every pair that the broad phase reports, kept while the pair exists (Fontijne 2000, section 2.4.1).

use std::collections::VecDeque;

use super::PairCache;
use crate::broad_phase::Pair;

/// Data of a pair that can be cleared and reused.
pub trait Reusable: Default {
    /// Resets the value and keeps its memory.
    fn reset(&mut self);
}

impl Reusable for PairCache {
    fn reset(&mut self) {
        self.clear();
    }
}

/// Pairs in ascending order, each with its cached data: a [`PairCache`], and any other data that a simulator keeps per
/// pair.
#[derive(Debug, Clone, Default)]
pub struct PairTable<T = PairCache> {
    pairs: Vec<Pair>,
    caches: Vec<T>,
    old_pairs: Vec<Pair>,
    old_caches: Vec<T>,
    /// Caches of pairs that ended: cleared, their memory is reused for new pairs. The oldest one is used first, so that
    /// all of them soon have enough memory.
    spare: VecDeque<T>,
}

impl<T: Reusable> PairTable<T> {
    /// Takes over the broad phase's list (ascending). Pairs that persist keep their caches, new ones start empty.
    /// Returns the number of new pairs.
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
                ended.reset();
                self.spare.push_back(ended);
            }
            let lasting = old.next_if(|(other, _)| *other == pair).map(|(_, cache)| cache);
            created += usize::from(lasting.is_none());
            self.caches.push(lasting.or_else(|| self.spare.pop_front()).unwrap_or_default());
        }
        for (_, mut ended) in old {
            ended.reset();
            self.spare.push_back(ended);
        }
        created
    }

    /// Returns the pairs in ascending order.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Iterates over the pairs and their caches, mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Pair, &mut T)> {
        self.pairs.iter().copied().zip(&mut self.caches)
    }

    /// Iterates over the pairs and their caches.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, &T)> {
        self.pairs.iter().copied().zip(&self.caches)
    }

    /// Returns all caches, in the order of the pairs.
    pub fn caches_mut(&mut self) -> &mut [T] {
        &mut self.caches
    }

    /// Returns the cache of the pair at an index, mutably.
    pub fn cache_mut(&mut self, index: usize) -> &mut T {
        &mut self.caches[index]
    }

    /// Returns the cache of the pair at an index.
    pub fn record(&self, index: usize) -> &T {
        &self.caches[index]
    }

    /// Restores a list of pairs (ascending) with their caches.
    pub fn restore(&mut self, pairs: &[(Pair, T)])
    where
        T: Clone,
    {
        self.pairs.clear();
        self.pairs.extend(pairs.iter().map(|(pair, _)| *pair));
        self.caches.clear();
        self.caches.extend(pairs.iter().map(|(_, cache)| cache.clone()));
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
