//! A segment laid over a flat polygon: an edge on a face, a capsule or a cylinder lying on a box.

use super::patch::{Corner, Polygon, Segment};
use super::region::Region;

/// Adds the ends of the part of the segment that is over the polygon. `segment_is_a` says which of them is on a; both are
/// in the frame of a, the polygon laid down.
pub(super) fn overlap_segment_polygon(
    segment: &Segment,
    (polygon, corners): (&Polygon, &[Corner]),
    segment_is_a: bool,
    region: &mut Region,
) {
    let [tail, head] = segment.ends;
    // Which part is inside, and which side cut it off.
    let (mut start, mut start_side) = (0.0, None);
    let (mut end, mut end_side) = (1.0, None);
    for side in corners {
        let from = side.outward.dot(tail.point - side.point) - region.snap;
        let to = side.outward.dot(head.point - side.point) - region.snap;
        if from > 0.0 && to > 0.0 {
            return;
        }
        let cut = from / (from - to);
        if from > 0.0 && cut > start {
            (start, start_side) = (cut, Some(side.side));
        } else if to > 0.0 && cut < end {
            (end, end_side) = (cut, Some(side.side));
        }
    }
    if start > end {
        return;
    }

    for (at, cut_by, vertex) in [(start, start_side, tail.vertex), (end, end_side, head.vertex)] {
        let point = tail.point.lerp(head.point, at);
        if region.has_near(point) {
            continue;
        }
        let (on_segment, on_polygon) = match cut_by {
            None => (vertex, polygon.feature),
            Some(side) => (segment.feature, side),
        };
        let along = polygon.distance_along(region.normal, point);
        if segment_is_a {
            region.push(point, along, on_segment, on_polygon);
        } else {
            region.push(point + along * region.normal, -along, on_polygon, on_segment);
        }
    }
}
