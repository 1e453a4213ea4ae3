//! Trees of convex parts against each other: outer volumes first, opened where they come near (000 sections 2.4, 2.4.2).
//!
//! A volume contains all that is below it, so its distance bounds theirs from below. The pair of volumes with the lowest
//! bound is opened first; when that bound is above the best pair of parts, that pair is the answer.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use burgess_geometry::{Polyhedron, Pose, RelativePose, Shape};

use super::closest_convex_convex::separation_core_core;
use super::closest_convex_pair::{closest_convex_pair, vclip_polyhedra};
use super::core::Core;
use super::part_tree::{NodeVolume, PartTree};
use super::vclip::VclipOutcome;
use super::{
    ConvexCache, NarrowScratch, NodePairCache, PairCache, Proximity, WorldProximity, closest_polyhedron_half_space,
};

/// Reused memory of a descent.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeScratch {
    queue: BinaryHeap<NodePair>,
    visited: Vec<NodePairCache>,
}

/// Two nodes that may still hold the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct NodePair {
    /// Nothing below is nearer than this, in metres.
    bound: f64,
    a: u32,
    b: u32,
    /// The closest points of the volumes, in the world; nothing when they meet.
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

/// One of the two trees with its pose in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedTree<'a> {
    pub tree: PartTree<'a>,
    pub pose: &'a Pose,
}

/// The closest or deepest pair of parts of two trees. Volumes farther apart than `open_hull_threshold` metres are not
/// opened; then the answer is theirs, a lower bound, and not exact.
pub(super) fn closest_tree_tree(
    a: PlacedTree,
    b: PlacedTree,
    open_hull_threshold: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    let mut descent = Descent { a, b, b_in_a: RelativePose::new(a.pose, b.pose), best: None, cache, scratch };
    descent.scratch.tree.queue.clear();
    descent.scratch.tree.visited.clear();
    descent.visit(0, 0)?;
    let unopened = descent.open_all(open_hull_threshold);
    let best = descent.best;

    // What this query looked at is where the next one begins.
    let visited = &mut scratch.tree.visited;
    visited.sort_unstable_by_key(|pair| (pair.node_a, pair.node_b));
    cache.nodes.clear();
    if cache.nodes.capacity() < visited.len() {
        // As much as the largest query so far took: otherwise the memories grow one after another, for very long.
        cache.nodes.reserve_exact(visited.capacity());
    }
    cache.nodes.extend_from_slice(visited);

    match (best, unopened) {
        (Some(best), Some(unopened)) if unopened.bound >= best.proximity.distance => Some(best),
        (_, Some(NodePair { proximity: Some(proximity), .. })) => {
            Some(WorldProximity { proximity, exact: false, part_a: None, part_b: None })
        }
        (best, _) => best,
    }
}

struct Descent<'a> {
    a: PlacedTree<'a>,
    b: PlacedTree<'a>,
    b_in_a: RelativePose,
    best: Option<WorldProximity>,
    cache: &'a PairCache,
    scratch: &'a mut NarrowScratch,
}

impl Descent<'_> {
    /// Opens pairs until the best pair of parts is nearer than all that is left, or all that is left is beyond the
    /// threshold; returns the nearest that was not opened.
    fn open_all(&mut self, open_hull_threshold: f64) -> Option<NodePair> {
        while let Some(pair) = self.scratch.tree.queue.pop() {
            if self.best.is_some_and(|best| pair.bound >= best.proximity.distance) {
                return None;
            }
            if pair.bound > open_hull_threshold {
                return Some(pair);
            }
            // The larger of the two volumes; a when they are equal.
            if self.a.tree.openable_size(pair.a) >= self.b.tree.openable_size(pair.b) {
                for child in self.a.tree.children(pair.a) {
                    self.visit(child, pair.b);
                }
            } else {
                for child in self.b.tree.children(pair.b) {
                    self.visit(pair.a, child);
                }
            }
        }
        None
    }

    /// Looks at two nodes: parts compete for the answer, volumes wait for their turn.
    fn visit(&mut self, node_a: u32, node_b: u32) -> Option<()> {
        let key = (node_a, node_b);
        let known = self.cache.nodes.binary_search_by_key(&key, |pair| (pair.node_a, pair.node_b));
        let mut convex = known.map_or(ConvexCache::Empty, |index| self.cache.nodes[index].convex);
        let (volume_a, volume_b) = (self.a.tree.volume(node_a), self.b.tree.volume(node_b));
        if let (NodeVolume::Part(shape_a, pose_a, part_a), NodeVolume::Part(shape_b, pose_b, part_b)) =
            (volume_a, volume_b)
        {
            let world_a = self.a.pose.compose(&pose_a);
            let b_in_a = RelativePose::new(&world_a, &self.b.pose.compose(&pose_b));
            let found = closest_convex_pair(shape_a, shape_b, &b_in_a, &mut convex, self.scratch)?;
            let proximity = found.transformed(&world_a.matrix(), world_a.translation);
            let found = WorldProximity { proximity, exact: true, part_a: Some(part_a), part_b: Some(part_b) };
            let rank = |p: &WorldProximity| (p.part_a, p.part_b);
            let better = self.best.is_none_or(|best| {
                let order = found.proximity.distance.total_cmp(&best.proximity.distance);
                order.then(rank(&found).cmp(&rank(&best))).is_lt()
            });
            if better {
                self.best = Some(found);
            }
        } else {
            let proximity = self.separation(volume_a, volume_b, &mut convex);
            let bound = proximity.map_or(f64::NEG_INFINITY, |p| p.distance);
            self.scratch.tree.queue.push(NodePair { bound, a: node_a, b: node_b, proximity });
        }
        self.scratch.tree.visited.push(NodePairCache { node_a, node_b, convex });
        Some(())
    }

    /// The closest points of two volumes, at least one of them enclosing, in the world; nothing when they meet.
    fn separation(&mut self, a: NodeVolume, b: NodeVolume, convex: &mut ConvexCache) -> Option<Proximity> {
        match (a, b) {
            (NodeVolume::Enclosing(p), NodeVolume::Enclosing(q)) => {
                let VclipOutcome::Separated(proximity) =
                    vclip_polyhedra(p, q, &self.b_in_a, convex, &mut self.scratch.statistics)
                else {
                    return None;
                };
                Some(proximity.transformed(&self.a.pose.matrix(), self.a.pose.translation))
            }
            (NodeVolume::Enclosing(hull), NodeVolume::Part(part, pose, _)) => {
                let part_in_hull = RelativePose::new(self.a.pose, &self.b.pose.compose(&pose));
                let proximity = hull_part_separation(hull, part, &part_in_hull, convex, self.scratch)?;
                Some(proximity.transformed(&self.a.pose.matrix(), self.a.pose.translation))
            }
            (NodeVolume::Part(part, pose, _), NodeVolume::Enclosing(hull)) => {
                let part_in_hull = RelativePose::new(self.b.pose, &self.a.pose.compose(&pose));
                let proximity = hull_part_separation(hull, part, &part_in_hull, convex, self.scratch)?;
                Some(proximity.transformed(&self.b.pose.matrix(), self.b.pose.translation).swapped())
            }
            (NodeVolume::Part(..), NodeVolume::Part(..)) => None,
        }
    }
}

/// An enclosing polyhedron and a convex part, in the polyhedron's frame; nothing when they meet.
fn hull_part_separation(
    hull: &Polyhedron,
    part: &Shape,
    part_in_hull: &RelativePose,
    convex: &mut ConvexCache,
    scratch: &mut NarrowScratch,
) -> Option<Proximity> {
    let proximity = if let Some(part) = part.as_polyhedron() {
        match vclip_polyhedra(hull, part, part_in_hull, convex, &mut scratch.statistics) {
            VclipOutcome::Separated(proximity) => proximity,
            VclipOutcome::Penetrating => return None,
        }
    } else if let Shape::HalfSpace(_) = part {
        let (proximity, lowest) = closest_polyhedron_half_space(hull, part_in_hull, convex.vertex());
        *convex = ConvexCache::Vertex(lowest);
        proximity
    } else {
        let mut direction = convex.direction();
        let found = separation_core_core(&mut Core::Polyhedron(hull).into(), part, part_in_hull, &mut direction);
        *convex = ConvexCache::Direction(direction);
        found?
    };
    (proximity.distance > 0.0).then_some(proximity)
}
