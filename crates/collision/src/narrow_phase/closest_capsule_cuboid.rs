//! Closest points of a capsule and a box: a segment and a box, exactly, then the radius.

use burgess_geometry::RelativePose;
use burgess_geometry::shape::{Capsule, Cuboid};
use glam::DVec3;

use super::Proximity;
use super::segment::Segment;

/// Distance between segment and box below which its direction is only rounding, relative to the size.
const TOUCHING_TOLERANCE: f64 = 1e-13;

/// Returns the closest points of a capsule and a box.
pub fn closest_capsule_cuboid(a: &Capsule, b: &Cuboid, b_in_a: &RelativePose) -> Proximity {
    let h = b.half_extents;
    let segment = Segment {
        middle: b_in_a.translation_inverse,
        direction: b_in_a.rotation_inverse.z_axis.normalize(),
        half_length: a.half_length,
    };
    let size = h.max_element().max(a.half_length);
    let on_segment = segment.at(nearest_parameter(&segment, h));
    let offset = on_segment - on_segment.clamp(-h, h);
    let gap = offset.length();
    let (separation, outward, on_segment) =
        if gap > TOUCHING_TOLERANCE * size { (gap, offset / gap, on_segment) } else { least_separation(&segment, h) };
    let on_box = on_segment - separation * outward;
    let distance = separation - a.radius;
    Proximity { distance, normal: -outward, point_a: on_box + distance * outward, point_b: on_box }
        .transformed(&b_in_a.rotation, b_in_a.translation)
}

/// Returns the parameter of the segment's point nearest to the box.
///
/// The derivative of the squared distance along the segment is piecewise linear and non-decreasing; it bends where the
/// segment crosses one of the six planes of the faces. So its zero is found exactly. Where it is zero on an interval
/// (the segment runs along a face, or through the box) the midpoint is taken.
fn nearest_parameter(segment: &Segment, h: DVec3) -> f64 {
    let (c, u, l) = (segment.middle, segment.direction, segment.half_length);
    let slope = |t: f64| {
        let p = segment.at(t);
        (p - p.clamp(-h, h)).dot(u)
    };
    let mut knots = [l; 8];
    knots[0] = -l;
    let mut count = 1;
    for axis in 0..3 {
        for face in [-h[axis], h[axis]] {
            let t = (face - c[axis]) / u[axis];
            if t > -l && t < l {
                knots[count] = t;
                count += 1;
            }
        }
    }
    let knots = &mut knots[..=count];
    knots.sort_unstable_by(f64::total_cmp);

    // The last point with a negative derivative, the first with a positive one, and the zero between them.
    let zero_from = |t_0: f64, s_0: f64, t_1: f64, s_1: f64| t_0 + (t_1 - t_0) * (s_0 / (s_0 - s_1));
    let (mut low, mut high) = (-l, l);
    let (mut t_0, mut s_0) = (-l, slope(-l));
    if s_0 > 0.0 {
        return -l;
    }
    for &t_1 in &knots[1..] {
        let s_1 = slope(t_1);
        if s_0 < 0.0 && s_1 >= 0.0 {
            low = zero_from(t_0, s_0, t_1, s_1);
        }
        if s_0 <= 0.0 && s_1 > 0.0 {
            high = zero_from(t_0, s_0, t_1, s_1);
            return 0.5 * (low + high);
        }
        (t_0, s_0) = (t_1, s_1);
    }
    if s_0 < 0.0 { l } else { 0.5 * (low + high) }
}

/// Returns the signed separation of a segment that touches or pierces the box, the outward normal and the point of the
/// segment.
///
/// Box minus segment is a polytope whose face normals are the box's axes, or perpendicular to an axis and the segment.
fn least_separation(segment: &Segment, h: DVec3) -> (f64, DVec3, DVec3) {
    let (c, u, l) = (segment.middle, segment.direction, segment.half_length);
    let mut best = (f64::NEG_INFINITY, DVec3::X, 0, false);
    for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
        // unit x u only permutes and negates the components of u, so it is exact however small they are.
        for (normal, crossing) in [(Some(unit), false), (unit.cross(u).try_normalize(), true)] {
            let Some(normal) = normal else { continue };
            let height = normal.dot(c);
            let outward = if height < 0.0 { -normal } else { normal };
            let separation = height.abs() - h.dot(outward.abs()) - l * outward.dot(u).abs();
            if separation > best.0 {
                best = (separation, outward, axis, crossing);
            }
        }
    }
    let (separation, outward, axis, crossing) = best;
    let parameter = if crossing {
        // The outer edge along `axis`, and where the segment passes it.
        let mut across = c - h.copysign(outward);
        let mut along = u;
        across[axis] = 0.0;
        along[axis] = 0.0;
        (-across.dot(along) / along.length_squared()).clamp(-l, l)
    } else {
        deepest_parameter(segment, h, axis, outward[axis])
    };
    (separation, outward, segment.at(parameter))
}

/// Returns the end of the segment deepest below a face. For a segment parallel to the face, returns the midpoint of the
/// part over the face.
fn deepest_parameter(segment: &Segment, h: DVec3, axis: usize, side: f64) -> f64 {
    let (c, u, l) = (segment.middle, segment.direction, segment.half_length);
    let fall = -side * u[axis];
    if fall.abs() > TOUCHING_TOLERANCE {
        return l.copysign(fall);
    }
    let (mut low, mut high) = (-l, l);
    for other in (0..3).filter(|&other| other != axis && u[other] != 0.0) {
        let (t_0, t_1) = ((-h[other] - c[other]) / u[other], (h[other] - c[other]) / u[other]);
        low = low.max(t_0.min(t_1));
        high = high.min(t_0.max(t_1));
    }
    (0.5 * (low + high)).clamp(-l, l)
}
