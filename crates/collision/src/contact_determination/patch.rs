//! The patch of a convex body that touches another body along a given direction: a tip, a segment or a flat polygon.
//!
//! Two such patches are overlapped, projected along the contact normal, so that code is needed for each pair of patch
//! kinds, not for each pair of shapes.

use burgess_geometry::{Convex, Feature, RelativePose, Shape, shape::Frustum};
use glam::DVec3;

use super::{
    WHOLE,
    patch_polyhedron::patch_polyhedron,
    patch_revolution::{patch_capsule, patch_frustum},
};

/// Cosine of the angle (8 degrees) between a face normal and the direction above which the face touches as a whole:
/// beyond that, its far end is a seventh of its length away.
pub(super) const FACE_COSINE: f64 = 0.99;
/// Sine of the slope (8 degrees) below which an edge is perpendicular to the direction.
pub(super) const EDGE_SINE: f64 = 0.141;

/// A corner of a flat polygon, and the side from it to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub point: DVec3,
    pub vertex: Feature,
    pub side: Feature,
    /// Unit vector out of the polygon, perpendicular to the side and the contact normal. Set by [`Patch::project`].
    pub outward: DVec3,
}

/// An end of a segment on the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentEnd {
    pub point: DVec3,
    /// Radius of the surface perpendicular to the segment there; 0 for a sharp edge.
    pub radius: f64,
    pub vertex: Feature,
}

/// A segment on the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub ends: [SegmentEnd; 2],
    pub feature: Feature,
}

/// A flat polygon on the surface. Its corners are stored separately, counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    /// Outward normal.
    pub normal: DVec3,
    pub offset: f64,
    pub feature: Feature,
}

/// A single point: the one farthest along the direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tip {
    pub point: DVec3,
    pub feature: Feature,
    /// Size of the body, which scales the tolerances.
    pub size: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Patch {
    /// Unbounded, as for a half-space, or unknown.
    None,
    Tip(Tip),
    Segment(Segment),
    Polygon(Polygon),
}

/// Returns the patch of a shape along an outward unit direction, in the frame of the shape. `start` is a nearby
/// feature.
pub(super) fn patch(shape: &Shape, direction: DVec3, start: Option<Feature>, corners: &mut Vec<Corner>) -> Patch {
    corners.clear();
    if let Some(polyhedron) = shape.as_polyhedron() {
        return patch_polyhedron(polyhedron, direction, start, corners);
    }
    match shape {
        Shape::Capsule(capsule) => patch_capsule(capsule, direction),
        Shape::Cylinder(c) => {
            let frustum = Frustum { bottom_radius: c.radius, top_radius: c.radius, half_length: c.half_length };
            patch_frustum(&frustum, direction, corners)
        }
        Shape::Cone(c) => {
            let frustum = Frustum { bottom_radius: c.radius, top_radius: 0.0, half_length: c.half_length };
            patch_frustum(&frustum, direction, corners)
        }
        Shape::Frustum(frustum) => patch_frustum(frustum, direction, corners),
        Shape::Sphere(s) => Patch::Tip(Tip { point: s.support(direction), feature: WHOLE, size: s.radius }),
        Shape::Ellipsoid(e) => {
            Patch::Tip(Tip { point: e.support(direction), feature: WHOLE, size: e.semi_axes.min_element() })
        }
        _ => Patch::None,
    }
}

impl Patch {
    /// Transforms from the frame of b to that of a.
    pub fn into_frame_of_a(self, b_in_a: &RelativePose, corners: &mut [Corner]) -> Self {
        match self {
            Self::None => Self::None,
            Self::Tip(tip) => Self::Tip(Tip { point: b_in_a.b_to_a(tip.point), ..tip }),
            Self::Segment(Segment { ends, feature }) => Self::Segment(Segment {
                ends: ends.map(|end| SegmentEnd { point: b_in_a.b_to_a(end.point), ..end }),
                feature,
            }),
            Self::Polygon(Polygon { normal, offset, feature }) => {
                corners.iter_mut().for_each(|corner| corner.point = b_in_a.b_to_a(corner.point));
                let normal = b_in_a.rotation * normal;
                Self::Polygon(Polygon { normal, offset: offset + normal.dot(b_in_a.translation), feature })
            }
        }
    }

    /// Computes the side normals for a projection along `direction`, the direction of the patch, in the frame of a.
    pub fn project(&self, direction: DVec3, corners: &mut [Corner]) {
        for i in 0..corners.len() {
            let next = corners[(i + 1) % corners.len()].point;
            corners[i].outward = (next - corners[i].point).cross(direction).normalize_or_zero();
        }
    }

    /// Returns the feature that identifies a contact at this patch.
    pub fn feature(&self) -> Feature {
        match self {
            Self::None => WHOLE,
            Self::Tip(tip) => tip.feature,
            Self::Segment(segment) => segment.feature,
            Self::Polygon(polygon) => polygon.feature,
        }
    }

    /// Returns the length of the patch, in metres; `None` without bounds.
    pub fn size(&self, corners: &[Corner]) -> Option<f64> {
        match self {
            Self::None => None,
            Self::Tip(tip) => Some(tip.size),
            Self::Segment(segment) => Some(segment.ends[0].point.distance(segment.ends[1].point)),
            Self::Polygon(_) => {
                let first = corners.first()?.point;
                Some(corners.iter().map(|c| c.point.distance_squared(first)).fold(0.0, f64::max).sqrt())
            }
        }
    }
}

/// Returns how far a point is outside a projected polygon; negative inside.
pub(super) fn distance_beyond_sides(corners: &[Corner], point: DVec3) -> f64 {
    corners.iter().map(|c| c.outward.dot(point - c.point)).fold(f64::NEG_INFINITY, f64::max)
}

impl Polygon {
    /// Returns the distance from a point to the plane along `normal`.
    pub fn distance_along(&self, normal: DVec3, point: DVec3) -> f64 {
        (self.offset - self.normal.dot(point)) / self.normal.dot(normal)
    }
}
