//! Pairs of nodes of two trees of convex parts: visited with the caches of the last query, and expanded.

use burgess_geometry::{Polyhedron, Pose, RelativePose, Shape};

use super::closest_convex_convex::separation_core_core;
use super::closest_convex_pair::{closest_convex_pair, vclip_polyhedra};
use super::core::Core;
use super::part_tree::{NodeVolume, PartTree};
use super::vclip::VclipOutcome;
use super::{
    ConvexCache, NarrowScratch, NearParts, NodePairCache, PairCache, Proximity, closest_polyhedron_half_space,
};

/// One of the two trees with its pose in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedTree<'a> {
    pub tree: PartTree<'a>,
    pub pose: &'a Pose,
}

/// Result of visiting two nodes.
#[expect(clippy::large_enum_variant, reason = "used at once and never stored; a box would allocate")]
pub(super) enum Visited {
    /// Both are convex parts.
    Parts(NearParts),
    /// The closest points of the bounding volumes, in the world; `None` when these overlap.
    Volumes(Option<Proximity>),
}

/// A descent through two trees.
pub(super) struct NodePairs<'a> {
    a: PlacedTree<'a>,
    b: PlacedTree<'a>,
    b_in_a: RelativePose,
    cache: &'a mut PairCache,
    pub scratch: &'a mut NarrowScratch,
}

impl<'a> NodePairs<'a> {
    pub fn new(a: PlacedTree<'a>, b: PlacedTree<'a>, cache: &'a mut PairCache, scratch: &'a mut NarrowScratch) -> Self {
        scratch.tree.visited.clear();
        Self { a, b, b_in_a: RelativePose::new(a.pose, b.pose), cache, scratch }
    }

    /// Visits two nodes. Returns `None` when they have no distance.
    pub fn visit(&mut self, node_a: u32, node_b: u32) -> Option<Visited> {
        let mut convex = self.cache.of_nodes(node_a, node_b);
        let seen = match (self.a.tree.volume(node_a), self.b.tree.volume(node_b)) {
            (NodeVolume::Part(a, pose_a, part_a), NodeVolume::Part(b, pose_b, part_b)) => {
                let (pose_a, pose_b) = (self.a.pose.compose(&pose_a), self.b.pose.compose(&pose_b));
                let b_in_a = RelativePose::new(&pose_a, &pose_b);
                let proximity = closest_convex_pair(a, b, &b_in_a, &mut convex, self.scratch)?;
                let features = convex.known_features();
                Visited::Parts(NearParts { part_a, part_b, pose_a, pose_b, proximity, features, prism: None })
            }
            (volume_a, volume_b) => Visited::Volumes(self.separation(volume_a, volume_b, &mut convex)),
        };
        self.scratch.tree.visited.push(NodePairCache { node_a, node_b, convex });
        Some(seen)
    }

    /// Returns the pairs below a pair: the larger of the two volumes is replaced by its children, a when they are
    /// equal.
    pub fn expanded(&self, node_a: u32, node_b: u32) -> impl DoubleEndedIterator<Item = (u32, u32)> + use<> {
        let open_a = self.a.tree.expandable_size(node_a) >= self.b.tree.expandable_size(node_b);
        let children = if open_a { self.a.tree.children(node_a) } else { self.b.tree.children(node_b) };
        children.map(move |child| if open_a { (child, node_b) } else { (node_a, child) })
    }

    /// Ends the descent and stores the caches of the visited pairs for the next one.
    pub fn finish(self) {
        self.cache.replace_nodes(&mut self.scratch.tree.visited);
    }

    /// Returns the closest points of two volumes, at least one of them a bounding volume, in the world; `None` when
    /// they overlap.
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

/// Returns the closest points of a bounding polyhedron and a convex part, in the polyhedron's frame; `None` when they
/// overlap.
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
