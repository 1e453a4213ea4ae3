//! Any two shapes, in world coordinates.

use burgess_geometry::{Pose, RelativePose, Shape};

use super::closest_convex_pair::closest_convex_pair;
use super::vclip::VclipStatistics;
use super::{PairCache, PolytopeScratch, Proximity};

/// Reused memory and counters. What is in it never changes an answer.
#[derive(Debug, Clone, Default)]
pub struct NarrowScratch {
    /// Counts of all V-Clip queries made with this scratch.
    pub statistics: VclipStatistics,
    pub(super) polytope: PolytopeScratch,
}

/// The closest points of two shapes in world coordinates, or their deepest when they penetrate; nothing for two shapes
/// that are fixed by nature and have no distance (two half-spaces).
pub fn closest(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
    scratch: &mut NarrowScratch,
) -> Option<Proximity> {
    let b_in_a = RelativePose::new(pose_a, pose_b);
    let NarrowScratch { statistics, polytope } = scratch;
    let in_a = closest_convex_pair(a, b, &b_in_a, &mut cache.convex, polytope, statistics)?;
    Some(in_a.transformed(&pose_a.matrix(), pose_a.translation))
}
