//! The overlap of two flat polygons.
//!
//! Projected along the contact normal, both are convex polygons in a plane, and the gap between them is linear, so it
//! is smallest at a corner of their intersection. Such a corner is a corner of one inside the other, the crossing of
//! two sides, or two coincident corners. This gives its id, which lasts as long as the same features touch, and is the
//! same from both sides.

use super::patch::{Corner, Polygon, distance_beyond_sides};
use super::region::Region;

/// Adds the corners of the intersection. Both polygons are in the frame of a and projected.
pub(super) fn overlap_polygon_polygon(
    (a, corners_a): (&Polygon, &[Corner]),
    (b, corners_b): (&Polygon, &[Corner]),
    region: &mut Region,
) {
    let n = region.normal;
    let (mut inside_a, mut inside_b) = (0, 0);
    for corner in corners_a {
        if distance_beyond_sides(corners_b, corner.point) <= region.snap {
            inside_b += 1;
            let corner_b = corners_b.iter().find(|c| region.is_near(c.point, corner.point));
            let feature_b = corner_b.map_or(b.feature, |c| c.vertex);
            region.push(corner.point, b.distance_along(n, corner.point), corner.vertex, feature_b);
        }
    }
    for corner in corners_b {
        if distance_beyond_sides(corners_a, corner.point) <= region.snap {
            inside_a += 1;
            if !region.has_near(corner.point) {
                let back = a.distance_along(n, corner.point);
                region.push(corner.point + back * n, -back, a.feature, corner.vertex);
            }
        }
    }
    // One is entirely inside the other: no sides cross.
    if inside_b == corners_a.len() || inside_a == corners_b.len() {
        return;
    }
    for (i, side_a) in corners_a.iter().enumerate() {
        let next_a = corners_a[(i + 1) % corners_a.len()].point;
        for (j, side_b) in corners_b.iter().enumerate() {
            // Both sides must cross the line of the other. One that runs along it has its ends there, not a crossing.
            let from = side_b.outward.dot(side_a.point - side_b.point);
            let to = side_b.outward.dot(next_a - side_b.point);
            if (from > 0.0) == (to > 0.0) || from.abs().max(to.abs()) <= region.snap {
                continue;
            }
            let next_b = corners_b[(j + 1) % corners_b.len()].point;
            let from_b = side_a.outward.dot(side_b.point - side_a.point);
            let to_b = side_a.outward.dot(next_b - side_a.point);
            if (from_b > 0.0) == (to_b > 0.0) || from_b.abs().max(to_b.abs()) <= region.snap {
                continue;
            }
            let on_a = side_a.point.lerp(next_a, from / (from - to));
            let on_b = side_b.point.lerp(next_b, from_b / (from_b - to_b));
            if !region.has_near(on_a) {
                region.push(on_a, (on_b - on_a).dot(n), side_a.side, side_b.side);
            }
        }
    }
}
