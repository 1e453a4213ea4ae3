//! Set cover: the fewest balls that cover all patches of a surface.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::fit::{Candidate, Patch, reach};

/// Number of bisection steps for the protrusion.
const BISECTIONS: usize = 14;

/// For each candidate and patch, by how much the candidate's ball must exceed its depth to cover the patch.
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

    /// Returns candidates that together cover all patches: with protrusion `tolerance` if at most `max_balls` suffice
    /// for that, otherwise with the smallest protrusion that bisection finds.
    pub(super) fn cover(&self, max_balls: usize, tolerance: f64) -> Vec<u32> {
        // With a smaller protrusion, some patch is in no ball.
        let min_protrusion = self.min_protrusion();
        if tolerance as f32 >= min_protrusion
            && let Some(chosen) = self.greedy(max_balls, tolerance as f32)
        {
            return chosen;
        }
        // A single ball around everything is always possible.
        let whole = |c: u32| self.row(c).iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let single = (0..self.candidates()).min_by(|&a, &b| whole(a).total_cmp(&whole(b)).then(a.cmp(&b))).unwrap_or(0);
        let mut best = vec![single];
        let (mut low, mut high) = (min_protrusion.max(tolerance as f32), whole(single));
        for _ in 0..BISECTIONS {
            let between = 0.5 * (low + high);
            match self.greedy(max_balls, between) {
                Some(chosen) => (best, high) = (chosen, between),
                None => low = between,
            }
        }
        best
    }

    /// Returns the smallest protrusion for which every patch is in some ball.
    fn min_protrusion(&self) -> f32 {
        let mut best = vec![f32::INFINITY; self.patches];
        for candidate in 0..self.candidates() {
            for (best, &need) in best.iter_mut().zip(self.row(candidate)) {
                *best = best.min(need);
            }
        }
        best.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Repeatedly picks the candidate that covers most of the remaining patches. Counts only decrease, so a candidate
    /// that is still on top of the heap after recounting is the best.
    fn greedy(&self, max_balls: usize, protrusion: f32) -> Option<Vec<u32>> {
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
            if now == 0 || chosen.len() == max_balls {
                return None;
            }
            chosen.push(candidate);
            let row = self.row(candidate);
            open.retain(|&p| row[p as usize] > protrusion);
        }
        Some(chosen)
    }
}
