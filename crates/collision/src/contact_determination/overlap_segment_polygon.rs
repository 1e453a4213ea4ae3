//! The overlap of a segment and a flat polygon: an edge on a face, a capsule or a cylinder lying on a box.

use super::patch::{Corner, Polygon, Segment};
use super::region::Region;

/// Adds the ends of the part of the segment that is over the polygon. `segment_is_a` says which of them belongs to a.
/// Both are in the frame of a, and the polygon is projected.
pub(super) fn overlap_segment_polygon(
    segment: &Segment,
    (polygon, corners): (&Polygon, &[Corner]),
    segment_is_a: bool,
    region: &mut Region,
) {
    let [tail, head] = segment.ends;
    // The part that is inside, and the sides that cut it off.
    let (mut start, mut start_side) = (0.0, None);
    let (mut end, mut end_side) = (1.0, None);
    for side in corners {
        let from = side.outward.dot(tail.point - side.point);
        let to = side.outward.dot(head.point - side.point);
        let (tail_is_out, head_is_out) = (from > region.snap, to > region.snap);
        if tail_is_out && head_is_out {
            return;
        }
        // An end that is on the side, up to the snap distance, is inside; then the other one is cut off there.
        if tail_is_out {
            let cut = if to < 0.0 { from / (from - to) } else { 1.0 };
            if cut > start {
                (start, start_side) = (cut, Some(side.side));
            }
        } else if head_is_out {
            let cut = if from < 0.0 { from / (from - to) } else { 0.0 };
            if cut < end {
                (end, end_side) = (cut, Some(side.side));
            }
        }
    }
    // A segment that passes a corner within the snap distance touches it.
    if (start - end) * tail.point.distance(head.point) > region.snap {
        return;
    }

    let mut first_name = None;
    for (at, cut_by) in [(start, start_side), (end, end_side)] {
        let point = tail.point.lerp(head.point, at);
        if region.has_near(point) {
            continue;
        }
        // The id depends on the position alone: an end that coincides with a corner is identified by both.
        let end = segment.ends.iter().find(|end| region.is_near(end.point, point));
        let on_segment = end.map_or(segment.feature, |end| end.vertex);
        let corner = corners.iter().find(|corner| region.is_near(corner.point, point));
        let on_polygon = corner.map_or(cut_by.unwrap_or(polygon.feature), |corner| corner.vertex);
        if first_name.replace((on_segment, on_polygon)) == Some((on_segment, on_polygon)) {
            continue;
        }
        let along = polygon.distance_along(region.normal, point);
        if segment_is_a {
            region.push(point, along, on_segment, on_polygon);
        } else {
            region.push(point + along * region.normal, -along, on_polygon, on_segment);
        }
    }
}
