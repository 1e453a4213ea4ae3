//! Signed distance to a mesh, and medial points: centres of the largest inscribed balls.

use glam::DVec3;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use crate::{GeometryError, TriangleMesh};

/// A mesh, scaled to unit extent around the origin, for distance queries.
pub(super) struct Solid {
    mesh: TriMesh,
}

impl Solid {
    pub(super) fn new(mesh: &TriangleMesh, vertices: &[DVec3]) -> Result<Self, GeometryError> {
        let mesh = TriMesh::with_flags(vertices.to_vec(), mesh.triangles().to_vec(), TriMeshFlags::ORIENTED);
        Ok(Self { mesh: mesh.map_err(|e| GeometryError::Unsearchable { why: e.to_string() })? })
    }

    /// Returns the point of the surface closest to `point`.
    fn closest(&self, point: DVec3) -> DVec3 {
        self.mesh.project_local_point(point, false).point
    }

    /// Returns the depth of a point inside the solid (negative outside) and the gradient of the depth.
    pub(super) fn depth_and_slope(&self, point: DVec3) -> (f64, DVec3) {
        let nearest = self.mesh.project_local_point(point, false);
        let away = point - nearest.point;
        let sign = if nearest.is_inside { 1.0 } else { -1.0 };
        (sign * away.length(), sign * away.normalize_or_zero())
    }

    /// Returns the centre of the largest inscribed ball that touches the surface at `point`, where the outward normal
    /// is `normal`. A ball that is too large shrinks until no other point of the surface is inside it (Ma, Bae and Choi
    /// 2012). The centre is a point of the medial axis.
    pub(super) fn medial_point(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        let mut radius = 1.0;
        for _ in 0..40 {
            let center = point - radius * normal;
            let nearest = self.closest(center);
            if nearest.distance(center) >= radius * (1.0 - 1e-6) {
                return Some(center);
            }
            // The ball through `nearest` that is tangent at `point`.
            let chord = point - nearest;
            let height = normal.dot(chord);
            if height <= 0.0 {
                return None;
            }
            radius = radius.min(chord.length_squared() / (2.0 * height));
        }
        Some(point - radius * normal)
    }
}
