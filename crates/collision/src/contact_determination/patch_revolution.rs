//! The patches of shapes of revolution: the side line of a capsule, cylinder or cone, and flat ends.

use burgess_geometry::{
    Convex, Feature,
    shape::{Capsule, Frustum},
};
use glam::DVec3;

use super::patch::{Corner, EDGE_SINE, FACE_COSINE, Patch, Polygon, Segment, SegmentEnd, Tip};

/// Rim points that represent the disc within, as (cosine, sine), on the body's own x and y axes and half way between,
/// so that they keep their ids.
const RIM_POINTS: [(f64, f64); 8] = {
    const H: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (H, H), (0.0, 1.0), (-H, H), (-1.0, 0.0), (-H, -H), (0.0, -1.0), (H, -H)]
};

/// Features of the line along the side that faces the direction: the bottom end, the top end, the line.
const SIDE_LINE: (Feature, Feature, Feature) = (Feature::Vertex(16), Feature::Vertex(17), Feature::Edge(16));

/// Returns the patch of a capsule: the line on its side, or a point of a round end.
pub(super) fn patch_capsule(capsule: &Capsule, direction: DVec3) -> Patch {
    let (bottom, top, line) = SIDE_LINE;
    if direction.z.abs() > EDGE_SINE {
        let feature = if direction.z < 0.0 { bottom } else { top };
        return Patch::Tip(Tip { point: capsule.support(direction), feature, size: capsule.radius });
    }
    let end = |z: f64, vertex| {
        // The point of a round end that is farthest along the direction.
        let point = DVec3::new(0.0, 0.0, z) + capsule.radius * direction;
        SegmentEnd { point, radius: capsule.radius, vertex }
    };
    Patch::Segment(Segment { ends: [end(-capsule.half_length, bottom), end(capsule.half_length, top)], feature: line })
}

/// Returns the patch of a frustum, cylinder (equal radii) or cone (top radius 0): a flat end, the line on its side, or
/// a point of a rim. Rim points, rim chords and the flat end are numbered 0 to 7 and 0 at the bottom, 8 to 15 and 1 at
/// the top.
pub(super) fn patch_frustum(frustum: &Frustum, direction: DVec3, corners: &mut Vec<Corner>) -> Patch {
    let Frustum { bottom_radius, top_radius, half_length } = *frustum;
    let is_top = direction.z > 0.0;
    let flat_radius = if is_top { top_radius } else { bottom_radius };
    if direction.z.abs() >= FACE_COSINE && flat_radius > 0.0 {
        flat_end(flat_radius, half_length, is_top, corners);
        let normal = if is_top { DVec3::Z } else { DVec3::NEG_Z };
        return Patch::Polygon(Polygon { normal, offset: half_length, feature: Feature::Face(u32::from(is_top)) });
    }

    // The side line is the hypotenuse of the taper; `cosine` is that of its slope against the axis.
    let taper = bottom_radius - top_radius;
    let length = (taper * taper + 4.0 * half_length * half_length).sqrt();
    let cosine = 2.0 * half_length / length;
    let radial = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::X);
    let along = (2.0 * half_length * DVec3::Z - taper * radial) / length;
    let slope = along.dot(direction);
    let (bottom, top, line) = SIDE_LINE;
    if slope.abs() > EDGE_SINE {
        let feature = if slope < 0.0 { bottom } else { top };
        return Patch::Tip(Tip { point: frustum.support(direction), feature, size: half_length });
    }
    // The normal of the side intersects the axis at the radius over this cosine.
    let end = |radius: f64, z: f64, vertex| SegmentEnd {
        point: radius * radial + z * DVec3::Z,
        radius: radius / cosine,
        vertex,
    };
    let ends = [end(bottom_radius, -half_length, bottom), end(top_radius, half_length, top)];
    Patch::Segment(Segment { ends, feature: line })
}

/// Adds the corners that represent a flat end, counter-clockwise seen from outside.
fn flat_end(radius: f64, half_length: f64, is_top: bool, corners: &mut Vec<Corner>) {
    let (first, z) = if is_top { (8, half_length) } else { (0, -half_length) };
    for i in 0..8 {
        // Seen from below, the order is reversed, and a side is identified by the corner at which it ends.
        let (here, side) = if is_top { (i, i) } else { (7 - i, (7 - i + 7) % 8) };
        let (cosine, sine) = RIM_POINTS[here];
        corners.push(Corner {
            point: DVec3::new(radius * cosine, radius * sine, z),
            vertex: Feature::Vertex(first + here as u32),
            side: Feature::Edge(first + side as u32),
            outward: DVec3::ZERO,
        });
    }
}
