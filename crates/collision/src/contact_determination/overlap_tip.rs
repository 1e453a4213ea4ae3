//! The overlap of a tip and any patch: a corner on a face, a ball on a box.

use super::patch::{Corner, Patch, Tip, distance_beyond_sides};
use super::region::Region;

/// Adds the tip if it is over the other patch. `tip_is_a` says which of them belongs to a. Both are in the frame of a.
pub(super) fn overlap_tip(tip: &Tip, (other, corners): (&Patch, &[Corner]), tip_is_a: bool, region: &mut Region) {
    let n = region.normal;
    let (across, along, feature) = match other {
        Patch::None => return,
        Patch::Polygon(polygon) => {
            let beyond = distance_beyond_sides(corners, tip.point);
            (beyond, polygon.distance_along(n, tip.point), polygon.feature)
        }
        Patch::Segment(segment) => {
            let [tail, head] = segment.ends.map(|end| end.point);
            let line = (head - tail).reject_from_normalized(n);
            let at = ((tip.point - tail).dot(line) / line.length_squared()).clamp(0.0, 1.0);
            let offset = tail.lerp(head, at) - tip.point;
            (offset.reject_from_normalized(n).length(), offset.dot(n), segment.feature)
        }
        Patch::Tip(other) => {
            let offset = other.point - tip.point;
            (offset.reject_from_normalized(n).length(), offset.dot(n), other.feature)
        }
    };
    if across > region.snap {
        return;
    }
    if tip_is_a {
        region.push(tip.point, along, tip.feature, feature);
    } else {
        region.push(tip.point + along * n, -along, feature, tip.feature);
    }
}
