//! Queries for any two shapes, in world coordinates.

use burgess_geometry::shape::PrismShape;
use burgess_geometry::{Pose, RelativePose, Shape};

use super::closest_convex_pair::{closest_convex_pair, gap_convex_pair};
use super::closest_height_field_tree::closest_height_field_tree;
use super::closest_tree_tree::{TreeScratch, closest_tree_tree};
use super::node_pairs::PlacedTree;
use super::part_tree::PartTree;
use super::vclip::VclipStatistics;
use super::{PairCache, PolytopeScratch, Proximity, SphereTreeScratch};

/// Reused memory and counters. Its contents never change a result.
#[derive(Debug, Clone, Default)]
pub struct NarrowScratch {
    /// Counts of all V-Clip queries made with this scratch memory.
    pub statistics: VclipStatistics,
    pub(super) polytope: PolytopeScratch,
    pub(super) tree: TreeScratch,
    pub(super) prism: PrismShape,
    pub(super) sphere_tree: SphereTreeScratch,
}

/// The closest points of two shapes in world coordinates, and whether they are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldProximity {
    /// Closest points, in world coordinates. If shapes with several parts penetrate, they belong to the deepest pair of
    /// parts.
    pub proximity: Proximity,
    /// True if this is the exact distance. False if it is the distance of bounding volumes, a lower bound.
    pub exact: bool,
    /// The closest part of a: an index into the parts of a compound or mesh, or the triangles of a height field; 0 for
    /// a convex shape; `None` when not exact.
    pub part_a: Option<u32>,
    /// The closest part of b, likewise.
    pub part_b: Option<u32>,
}

impl WorldProximity {
    /// Returns the result with the shapes exchanged.
    pub fn swapped(&self) -> Self {
        Self { proximity: self.proximity.swapped(), exact: self.exact, part_a: self.part_b, part_b: self.part_a }
    }
}

/// Returns the closest points of two shapes, or the deepest points when they penetrate. Returns `None` for two shapes
/// that are always fixed (half-spaces and height fields).
///
/// ```
/// use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
/// use burgess_geometry::shape::{Capsule, HalfSpace};
/// use burgess_geometry::{Pose, Shape};
/// use glam::DVec3;
///
/// let leg = Shape::Capsule(Capsule::new(0.1, 0.5).unwrap());
/// let ground = Shape::HalfSpace(HalfSpace);
/// let standing = Pose::from_translation(DVec3::new(3.0, 4.0, 0.59));
/// let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
/// let found = closest(&leg, &standing, &ground, &Pose::IDENTITY, &mut cache, &mut scratch).unwrap();
/// assert!((found.proximity.distance + 0.01).abs() < 1e-15);
/// assert_eq!(found.proximity.normal, DVec3::NEG_Z);
/// ```
pub fn closest(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    closest_within(a, pose_a, b, pose_b, f64::INFINITY, cache, scratch)
}

/// Like [`closest`], but visits the parts inside the bounding volumes of compounds and terrain only when the volumes
/// are nearer than `open_hull_threshold` metres (Fontijne 2000, section 2.4.2). Below the threshold the distance is
/// exact, above it may be a lower bound.
pub fn closest_within(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    open_hull_threshold: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<WorldProximity> {
    match (PartTree::of_shape(a), PartTree::of_shape(b)) {
        (Some(PartTree::One(a)), Some(PartTree::One(b))) => {
            let b_in_a = RelativePose::new(pose_a, pose_b);
            let in_a = closest_convex_pair(a, b, &b_in_a, &mut cache.convex, scratch)?;
            let proximity = in_a.transformed(&pose_a.matrix(), pose_a.translation);
            Some(WorldProximity { proximity, exact: true, part_a: Some(0), part_b: Some(0) })
        }
        (Some(a), Some(b)) => {
            let (a, b) = (PlacedTree { tree: a, pose: pose_a }, PlacedTree { tree: b, pose: pose_b });
            closest_tree_tree(a, b, open_hull_threshold, cache, scratch)
        }
        (None, Some(tree)) => closest_height_field_tree(a, pose_a, tree, pose_b, open_hull_threshold, scratch),
        (Some(tree), None) => closest_height_field_tree(b, pose_b, tree, pose_a, open_hull_threshold, scratch)
            .map(|found| found.swapped()),
        (None, None) => None,
    }
}

/// Returns a lower bound on the distance of two convex shapes that is greater than `margin` metres: exact unless a
/// cached direction suffices. Returns `None` if they are nearer or not convex.
pub fn gap_beyond(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<f64> {
    let b_in_a = RelativePose::new(pose_a, pose_b);
    if let Some(gap) = gap_convex_pair(a, b, &b_in_a, margin, &mut cache.convex) {
        return Some(gap);
    }
    let found = closest_convex_pair(a, b, &b_in_a, &mut cache.convex, scratch)?;
    Some(found.distance).filter(|&distance| distance > margin)
}
