//! The overlap of two segments (edges, capsules, cylinders), side by side or crossing.

use glam::DVec3;

use super::patch::{Segment, SegmentEnd};
use super::region::Region;

/// Sine of the angle (20 degrees) above which segments only cross.
const MAX_PARALLEL_SINE: f64 = 0.34;
/// Sine of the angle below which segments are only side by side.
const MIN_CROSSING_SINE: f64 = 1e-4;

/// Adds the crossing of the segments, projected along the normal, and, if they are nearly parallel, the ends of their
/// common interval. Both are in the frame of a.
pub(super) fn overlap_segment_segment(a: &Segment, b: &Segment, region: &mut Region) {
    let n = region.normal;
    let across_normal = |s: &Segment| (s.ends[1].point - s.ends[0].point).reject_from_normalized(n).normalize_or_zero();
    let (along_a, along_b) = (across_normal(a), across_normal(b));
    let sine = along_a.cross(along_b).length();
    if sine >= MIN_CROSSING_SINE {
        add_crossing(a, b, region);
    }
    let along = (along_a + along_b * along_a.dot(along_b).signum()).normalize_or_zero();
    if sine <= MAX_PARALLEL_SINE && along != DVec3::ZERO {
        add_common_interval(a, b, along, region);
    }
}

/// Adds the crossing, if it is on both segments.
fn add_crossing(a: &Segment, b: &Segment, region: &mut Region) {
    let n = region.normal;
    let line = |s: &Segment| (s.ends[0].point, s.ends[1].point - s.ends[0].point);
    let ((from_a, along_a), (from_b, along_b)) = (line(a), line(b));
    // The parts of the segments up to the crossing, from areas perpendicular to the normal.
    let area = along_a.cross(along_b).dot(n);
    let at_a = (from_b - from_a).cross(along_b).dot(n) / area;
    let at_b = (from_b - from_a).cross(along_a).dot(n) / area;
    let on_segment = |at: f64, along: DVec3| {
        let slack = region.snap / along.length();
        at >= -slack && at <= 1.0 + slack
    };
    if on_segment(at_a, along_a) && on_segment(at_b, along_b) {
        let (on_a, on_b) = (from_a + at_a * along_a, from_b + at_b * along_b);
        region.push(on_a, (on_b - on_a).dot(n), a.feature, b.feature);
    }
}

/// Adds the ends of the common interval.
///
/// Each segment is the crest of a round body with its own radius, whose axis is a radius behind it. At an end of the
/// interval the gap is measured between these axes, so that turning one body out of line opens the gap there smoothly.
fn add_common_interval(a: &Segment, b: &Segment, along: DVec3, region: &mut Region) {
    let n = region.normal;
    let [a_first, a_last] = sorted_ends(a, along);
    let [b_first, b_last] = sorted_ends(b, along);
    let place = |end: &SegmentEnd| end.point.dot(along);

    // Where the interval is bounded, and by the end of which segment, or of both.
    let bound = |end_a: &SegmentEnd, end_b: &SegmentEnd, outward: f64| {
        let further = outward * (place(end_b) - place(end_a));
        if further > region.snap {
            (place(end_a), end_a.vertex, b.feature)
        } else if further < -region.snap {
            (place(end_b), a.feature, end_b.vertex)
        } else {
            (place(end_a), end_a.vertex, end_b.vertex)
        }
    };
    let (first, last) = (bound(&a_first, &b_first, -1.0), bound(&a_last, &b_last, 1.0));
    if first.0 > last.0 + region.snap {
        return;
    }

    // Coincident ends are one contact, identified by neither of the two.
    let meet = first.0 + 2.0 * region.snap >= last.0;
    for (at, feature_a, feature_b) in [first, last] {
        let (feature_a, feature_b) = if meet { (a.feature, b.feature) } else { (feature_a, feature_b) };
        let (crest_a, radius_a) = at_place(&a_first, &a_last, along, at);
        let (crest_b, radius_b) = at_place(&b_first, &b_last, along, at);
        if region.has_near(crest_a) {
            continue;
        }
        let (axis_a, axis_b) = (crest_a - radius_a * n, crest_b + radius_b * n);
        let between = axis_b - axis_a;
        let height = between.dot(n);
        let aside = (between - height * n).length();
        if aside <= region.snap {
            region.push(crest_a, (crest_b - crest_a).dot(n), feature_a, feature_b);
        } else if height > 0.0 && radius_a + radius_b > 0.0 {
            let length = between.length();
            let normal = between / length;
            let distance = length - radius_a - radius_b;
            region.push_with_normal(axis_a + radius_a * normal, normal, distance, feature_a, feature_b);
        }
    }
}

fn sorted_ends(segment: &Segment, along: DVec3) -> [SegmentEnd; 2] {
    let [tail, head] = segment.ends;
    if tail.point.dot(along) <= head.point.dot(along) { [tail, head] } else { [head, tail] }
}

/// Returns the point and the radius of a segment at a position along the interval.
fn at_place(first: &SegmentEnd, last: &SegmentEnd, along: DVec3, place: f64) -> (DVec3, f64) {
    let (from, to) = (first.point.dot(along), last.point.dot(along));
    let t = ((place - from) / (to - from)).clamp(0.0, 1.0);
    (first.point.lerp(last.point, t), first.radius + t * (last.radius - first.radius))
}
