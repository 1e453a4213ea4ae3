//! Exhaustive search over all pairs of boxes: the fastest method for few boxes, and the reference for the others.

use super::pair::{PairList, pair_key};
use super::{BroadPhase, Pair, Proxies, Statistics};

/// Tests all pairs of boxes. The fastest broad phase for up to about 64 proxies.
#[derive(Debug, Clone, Default)]
pub struct Exhaustive {
    proxies: Proxies,
    /// Live proxies in ascending order.
    live: Vec<u32>,
    pairs: PairList,
    statistics: Statistics,
}

impl Exhaustive {
    /// Creates a broad phase without proxies.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BroadPhase for Exhaustive {
    fn proxies(&self) -> &Proxies {
        &self.proxies
    }

    fn proxies_mut(&mut self) -> &mut Proxies {
        &mut self.proxies
    }

    fn update(&mut self) {
        self.statistics.start_update();
        if self.proxies.changes().is_empty() {
            return;
        }
        self.live.clear();
        self.live.extend((0..self.proxies.capacity() as u32).filter(|&index| self.proxies.is_alive(index)));
        self.pairs.clear();
        for (rank, &a) in self.live.iter().enumerate() {
            for &b in &self.live[rank + 1..] {
                if self.proxies.overlap(a, b) && self.proxies.allows(a, b) {
                    self.pairs.push_last(pair_key(a, b));
                }
            }
        }
        let live = self.live.len();
        self.statistics.visited = live;
        self.statistics.candidates = live * live.saturating_sub(1) / 2;
        self.statistics.operations = self.statistics.candidates as u64;
        self.proxies.clear_changes();
    }

    fn pairs(&self) -> &[Pair] {
        self.pairs.as_slice()
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }
}
