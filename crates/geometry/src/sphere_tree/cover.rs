//! The fewest balls that cover all patches of a surface.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::fit::{Candidate, Patch, reach};

/// Bisections of the protrusion.
const BISECTIONS: usize = 14;

/// By how much each candidate must be blown up beyond its depth to cover each patch.
pub(super) struct Table {
    need: Vec<f32>,
    patches: usize,
}

impl Table {
    pub(super) fn new(candidates: &[Candidate], patches: &[Patch]) -> Self {
        let mut need = Vec::with_capacity(candidates.len() * patches.len());
        for candidate in candidates {
            need.extend(patches.iter().map(|p| (reach(candidate.center, p) - candidate.depth) as f32));
        }
        Self { need, patches: patches.len() }
    }

    fn row(&self, candidate: u32) -> &[f32] {
        &self.need[candidate as usize * self.patches..][..self.patches]
    }

    fn candidates(&self) -> u32 {
        (self.need.len() / self.patches) as u32
    }

    /// Candidates that together cover all patches: with `tolerance` if that takes no more than `most`, else with as
    /// little more as bisection finds.
    pub(super) fn cover(&self, most: usize, tolerance: f64) -> Vec<u32> {
        // Below this, some patch is in no ball at all.
        let least = self.least();
        if tolerance as f32 >= least
            && let Some(chosen) = self.greedy(most, tolerance as f32)
        {
            return chosen;
        }
        // One ball around everything is always possible.
        let whole = |c: u32| self.row(c).iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let single = (0..self.candidates()).min_by(|&a, &b| whole(a).total_cmp(&whole(b)).then(a.cmp(&b))).unwrap_or(0);
        let mut best = vec![single];
        let (mut low, mut high) = (least.max(tolerance as f32), whole(single));
        for _ in 0..BISECTIONS {
            let between = 0.5 * (low + high);
            match self.greedy(most, between) {
                Some(chosen) => (best, high) = (chosen, between),
                None => low = between,
            }
        }
        best
    }

    /// The smallest protrusion for which every patch is in some ball.
    fn least(&self) -> f32 {
        let mut best = vec![f32::INFINITY; self.patches];
        for candidate in 0..self.candidates() {
            for (best, &need) in best.iter_mut().zip(self.row(candidate)) {
                *best = best.min(need);
            }
        }
        best.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Always the candidate that covers most of what is left. Counts only fall, so one that was counted last time and is
    /// still on top after counting again is the best.
    fn greedy(&self, most: usize, protrusion: f32) -> Option<Vec<u32>> {
        let mut open: Vec<u32> = (0..self.patches as u32).collect();
        let count = |c: u32, open: &[u32]| {
            let row = self.row(c);
            open.iter().filter(|&&p| row[p as usize] <= protrusion).count()
        };
        let mut heap: BinaryHeap<(usize, Reverse<u32>)> =
            (0..self.candidates()).map(|c| (count(c, &open), Reverse(c))).collect();
        let mut chosen = Vec::new();
        while !open.is_empty() {
            let (_, Reverse(candidate)) = heap.pop()?;
            let now = count(candidate, &open);
            if heap.peek().is_some_and(|&next| (now, Reverse(candidate)) < next) {
                heap.push((now, Reverse(candidate)));
                continue;
            }
            if now == 0 || chosen.len() == most {
                return None;
            }
            chosen.push(candidate);
            let row = self.row(candidate);
            open.retain(|&p| row[p as usize] > protrusion);
        }
        Some(chosen)
    }
}
