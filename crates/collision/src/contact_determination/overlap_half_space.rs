//! Contacts of a shape with a half-space: all points of a patch that are low enough.

use burgess_geometry::{Feature, Polyhedron, RelativePose};
use glam::DVec3;

use super::WHOLE;
use super::patch::{Corner, Patch};
use super::region::Region;

/// A half-space in the frame of a.
pub(super) struct Ground {
    up: DVec3,
    offset: f64,
    is_a: bool,
}

impl Ground {
    /// Returns the half-space as shape a.
    pub fn as_a() -> Self {
        Self { up: DVec3::Z, offset: 0.0, is_a: true }
    }

    /// Returns the half-space as shape b.
    pub fn as_b(b_in_a: &RelativePose) -> Self {
        let up = b_in_a.rotation * DVec3::Z;
        Self { up, offset: up.dot(b_in_a.translation), is_a: false }
    }

    fn push(&self, point: DVec3, feature: Feature, region: &mut Region) {
        let height = self.up.dot(point) - self.offset;
        if self.is_a {
            region.push_with_normal(point - height * self.up, self.up, height, WHOLE, feature);
        } else {
            region.push_with_normal(point, -self.up, height, feature, WHOLE);
        }
    }

    /// Adds all corners of a polyhedron within the margin, not only those of one face.
    pub fn overlap_polyhedron(&self, polyhedron: &Polyhedron, b_in_a: &RelativePose, region: &mut Region) {
        for (index, &vertex) in polyhedron.vertices().iter().enumerate() {
            let point = if self.is_a { b_in_a.b_to_a(vertex) } else { vertex };
            self.push(point, Feature::Vertex(index as u32), region);
        }
    }

    /// Adds the corners or ends of a patch in the frame of a.
    pub fn overlap_patch(&self, patch: &Patch, corners: &[Corner], region: &mut Region) {
        match patch {
            Patch::None => {}
            Patch::Tip(tip) => self.push(tip.point, tip.feature, region),
            Patch::Segment(segment) => segment.ends.iter().for_each(|end| self.push(end.point, end.vertex, region)),
            Patch::Polygon(_) => corners.iter().for_each(|corner| self.push(corner.point, corner.vertex, region)),
        }
    }
}
