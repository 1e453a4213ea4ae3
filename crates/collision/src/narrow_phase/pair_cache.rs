//! What a pair of shapes remembers from one query to the next. Plain data: it is part of a simulation's state, as it
//! decides where the next search begins and so its last bits.

use glam::DVec3;

use super::FeaturePair;

/// What a pair of convex shapes remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ConvexCache {
    /// Nothing yet, or nothing to remember (closed forms).
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
    /// The closest features, of two polyhedra.
    pub(super) fn known_features(&self) -> Option<FeaturePair> {
        if let Self::Features(features) = self { Some(*features) } else { None }
    }

    pub(super) fn features(&self) -> FeaturePair {
        self.known_features().unwrap_or_default()
    }

    pub(super) fn direction(&self) -> DVec3 {
        if let Self::Direction(direction) = self { *direction } else { DVec3::ZERO }
    }

    pub(super) fn vertex(&self) -> u32 {
        if let Self::Vertex(vertex) = self { *vertex } else { 0 }
    }
}

/// What a pair of any two shapes remembers. Belongs to the pair in one order: asking with the shapes exchanged is right
/// too, but the search may begin far from its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairCache {
    /// The pair itself, when both are convex.
    pub convex: ConvexCache,
    /// The pairs of nodes that the last query of compounds looked at, sorted by node of a, then node of b. Of a height
    /// field, in any order of the shapes: triangle, then part.
    pub nodes: Vec<NodePairCache>,
}

/// What a pair of nodes of two compounds remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePairCache {
    /// Node of the first compound; 0 for a convex shape.
    pub node_a: u32,
    /// Node of the second compound; 0 for a convex shape.
    pub node_b: u32,
    /// Their memory.
    pub convex: ConvexCache,
}

impl PairCache {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.convex = ConvexCache::Empty;
        self.nodes.clear();
    }

    /// What is known of two nodes.
    pub(super) fn of_nodes(&self, node_a: u32, node_b: u32) -> ConvexCache {
        let known = self.nodes.binary_search_by_key(&(node_a, node_b), |pair| (pair.node_a, pair.node_b));
        known.map_or(ConvexCache::Empty, |index| self.nodes[index].convex)
    }

    /// Takes over what a query has looked at. Copied, not exchanged: buffers that wander between pairs would never all
    /// be large enough.
    pub(super) fn replace_nodes(&mut self, visited: &mut Vec<NodePairCache>) {
        visited.sort_unstable_by_key(|pair| (pair.node_a, pair.node_b));
        self.nodes.clear();
        self.nodes.append(visited);
    }
}
