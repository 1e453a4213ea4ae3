//! Data that a pair of shapes keeps between queries. It is plain data and part of a simulation's state: it decides
//! where the next search starts, and so affects the last bits of the result.

use glam::DVec3;

use super::FeaturePair;

/// Cached data of a pair of convex shapes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ConvexCache {
    /// No data yet, or none needed (closed forms).
    #[default]
    Empty,
    /// The closest features of two polyhedra.
    Features(FeaturePair),
    /// The normal that GJK found, in the frame of the first shape.
    Direction(DVec3),
    /// The lowest vertex of a polyhedron over a half-space.
    Vertex(u32),
}

impl ConvexCache {
    /// Returns the closest features, for two polyhedra.
    pub(super) fn known_features(&self) -> Option<FeaturePair> {
        if let Self::Features(features) = self { Some(*features) } else { None }
    }

    /// Returns the features at which V-Clip last ended, or its default start.
    pub fn features(&self) -> FeaturePair {
        self.known_features().unwrap_or_default()
    }

    pub(super) fn direction(&self) -> DVec3 {
        if let Self::Direction(direction) = self { *direction } else { DVec3::ZERO }
    }

    pub(super) fn vertex(&self) -> u32 {
        if let Self::Vertex(vertex) = self { *vertex } else { 0 }
    }
}

/// Cached data of a pair of any two shapes. It belongs to the pair in one order: exchanging the shapes gives correct
/// results, but the search may start far from its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairCache {
    /// Cache of the pair itself, when both shapes are convex.
    pub convex: ConvexCache,
    /// The pairs of nodes that the last query of compounds visited, sorted by node of a, then node of b. For a height
    /// field: triangle, then part, whatever the order of the shapes.
    pub nodes: Vec<NodePairCache>,
}

/// Cached data of a pair of nodes of two compounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePairCache {
    /// Node of the first compound; 0 for a convex shape.
    pub node_a: u32,
    /// Node of the second compound; 0 for a convex shape.
    pub node_b: u32,
    /// Cache of the pair of nodes.
    pub convex: ConvexCache,
}

impl PairCache {
    /// Removes all cached data and keeps the memory.
    pub fn clear(&mut self) {
        self.convex = ConvexCache::Empty;
        self.nodes.clear();
    }

    /// Returns the cache of two nodes.
    pub(super) fn of_nodes(&self, node_a: u32, node_b: u32) -> ConvexCache {
        let known = self.nodes.binary_search_by_key(&(node_a, node_b), |pair| (pair.node_a, pair.node_b));
        known.map_or(ConvexCache::Empty, |index| self.nodes[index].convex)
    }

    /// Stores the caches of the pairs that a query has visited.
    pub(super) fn replace_nodes(&mut self, visited: &mut Vec<NodePairCache>) {
        visited.sort_unstable_by_key(|pair| (pair.node_a, pair.node_b));
        self.nodes.clear();
        if self.nodes.capacity() < visited.len() {
            // Reserve as much as the largest query so far needed. Otherwise the caches keep growing one after another
            // for a long time.
            self.nodes.reserve_exact(visited.capacity());
        }
        self.nodes.extend_from_slice(visited);
    }
}
