//! Trees of convex parts against each other: bounding volumes first, children where these are near (Fontijne 2000,
//! sections 2.4 and 2.4.2).
//!
//! A volume contains its subtree, so the distance of two volumes is a lower bound for their subtrees. The pair of
//! volumes with the lowest bound is expanded first. When that bound exceeds the distance of the best pair of parts,
//! that pair is the result.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::node_pairs::{NodePairs, PlacedTree, Visited};
use super::{NarrowScratch, NodePairCache, PairCache, Proximity, WorldProximity};

/// Reused memory of tree descents.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeScratch {
    queue: BinaryHeap<NodePair>,
    /// Pairs of nodes still to be visited, where the order does not matter.
    pub pairs: Vec<(u32, u32)>,
    /// Nodes of one tree still to be visited.
    pub nodes: Vec<u32>,
    /// Pairs visited by the current query, with their caches.
    pub visited: Vec<NodePairCache>,
}

/// Two nodes whose subtrees may contain the result.
#[derive(Debug, Clone, Copy, PartialEq)]
struct NodePair {
    /// Lower bound on the distance of the subtrees, in metres.
    bound: f64,
    a: u32,
    b: u32,
    /// The closest points of the volumes, in the world; `None` when they overlap.
    proximity: Option<Proximity>,
}

impl Eq for NodePair {}

impl Ord for NodePair {
    /// The lowest bound is the greatest, then the smallest nodes.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then((other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for NodePair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the closest or deepest pair of parts of two trees. Volumes farther apart than `open_hull_threshold` metres
/// are not expanded; then the result is theirs, a lower bound and not exact.
pub(super) fn closest_tree_tree(
    a: PlacedTree,
    b: PlacedTree,
    open_hull_threshold: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    scratch.tree.queue.clear();
    let mut descent = Descent { pairs: NodePairs::new(a, b, cache, scratch), best: None };
    descent.visit(0, 0)?;
    let unopened = descent.expand_all(open_hull_threshold);
    descent.pairs.finish();
    match unopened {
        Some(proximity) => Some(WorldProximity { proximity, exact: false, part_a: None, part_b: None }),
        None => descent.best,
    }
}

struct Descent<'a> {
    pairs: NodePairs<'a>,
    best: Option<WorldProximity>,
}

impl Descent<'_> {
    /// Expands pairs until the best pair of parts is nearer than all remaining volumes. If the remaining volumes are
    /// nearer but beyond the threshold, returns the nearest of them.
    fn expand_all(&mut self, open_hull_threshold: f64) -> Option<Proximity> {
        while let Some(pair) = self.pairs.scratch.tree.queue.pop() {
            if self.best.is_some_and(|best| pair.bound >= best.proximity.distance) {
                return None;
            }
            if pair.bound > open_hull_threshold {
                return pair.proximity;
            }
            for (node_a, node_b) in self.pairs.expanded(pair.a, pair.b) {
                self.visit(node_a, node_b);
            }
        }
        None
    }

    /// Visits two nodes: parts may become the best result, volumes are queued.
    fn visit(&mut self, node_a: u32, node_b: u32) -> Option<()> {
        match self.pairs.visit(node_a, node_b)? {
            Visited::Parts(parts) => {
                let found = parts.in_world();
                let rank = |p: &WorldProximity| (p.part_a, p.part_b);
                let better = self.best.is_none_or(|best| {
                    let order = found.proximity.distance.total_cmp(&best.proximity.distance);
                    order.then(rank(&found).cmp(&rank(&best))).is_lt()
                });
                if better {
                    self.best = Some(found);
                }
            }
            Visited::Volumes(proximity) => {
                let bound = proximity.map_or(f64::NEG_INFINITY, |p| p.distance);
                self.pairs.scratch.tree.queue.push(NodePair { bound, a: node_a, b: node_b, proximity });
            }
        }
        Some(())
    }
}
