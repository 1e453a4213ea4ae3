//! The nearest point on a surface, from which the distance of a sphere follows.

use burgess_geometry::RelativePose;
use glam::DVec3;

use super::Proximity;

/// The point of a surface nearest to a query point, in the frame of the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Signed distance of the query point in metres: negative inside.
    pub distance: f64,
    /// Outward unit normal at the nearest point.
    pub normal: DVec3,
    /// The nearest point of the surface.
    pub point: DVec3,
}

impl SurfacePoint {
    /// Creates the point at `distance` behind `query`, opposite to `normal`.
    pub(super) fn below(query: DVec3, normal: DVec3, distance: f64) -> Self {
        Self { distance, normal, point: query - distance * normal }
    }

    /// Returns the proximity of a ball of `radius` about the query point and this surface, which belongs to shape b and
    /// is in its frame.
    ///
    /// Exact for convex shapes, also inside: growing a convex body by a ball moves all its supporting planes by the
    /// same distance.
    pub(super) fn ball_proximity(&self, radius: f64, b_in_a: &RelativePose) -> Proximity {
        let distance = self.distance - radius;
        Proximity { distance, normal: -self.normal, point_a: self.point + distance * self.normal, point_b: self.point }
            .transformed(&b_in_a.rotation, b_in_a.translation)
    }
}
