//! Convex polygons in space, and what planes leave of them.

use glam::DVec3;

/// A smaller share of a polygon counts as nothing.
pub(super) const NOTHING: f64 = 1e-6;

/// Where a side of a polygon comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// It was there from the beginning.
    Own,
    /// Cut by the surface of something.
    Surface,
    /// Cut by the outline of something, as the eye sees it.
    Outline,
}

/// A plane: points with `normal . x = offset`. What is below is inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub offset: f64,
    /// What the sides are that it cuts.
    pub side: Side,
}

/// Corners, each with the kind of the side that begins there.
pub(super) type Polygon = Vec<(DVec3, Side)>;

/// A polygon that nothing has cut.
pub(super) fn whole(corners: impl IntoIterator<Item = DVec3>) -> Polygon {
    corners.into_iter().map(|corner| (corner, Side::Own)).collect()
}

/// Parts a polygon into what is below a plane and what is above, appended to empty lists.
fn part(polygon: &[(DVec3, Side)], plane: &Plane, mut below: Option<&mut Polygon>, mut above: Option<&mut Polygon>) {
    let height = |point: DVec3| plane.normal.dot(point) - plane.offset;
    for (index, &(a, side)) in polygon.iter().enumerate() {
        let (b, _) = polygon[(index + 1) % polygon.len()];
        let (high_a, high_b) = (height(a), height(b));
        // What is on the plane belongs to both.
        let cut = (high_a * high_b < 0.0).then(|| a + (b - a) * (high_a / (high_a - high_b)));
        for (list, sign) in [(below.as_deref_mut(), 1.0), (above.as_deref_mut(), -1.0)] {
            let Some(list) = list else { continue };
            if sign * high_a <= 0.0 {
                // Leaving along the plane, the side is the plane's.
                let leaves = sign * high_a == 0.0 && sign * high_b > 0.0;
                list.push((a, if leaves { plane.side } else { side }));
            }
            if let Some(cut) = cut {
                let leaves = sign * high_a < 0.0;
                list.push((cut, if leaves { plane.side } else { side }));
            }
        }
    }
}

/// What of a polygon is below all planes; empty if there is nothing.
pub(super) fn below<'a>(mut polygon: Polygon, planes: impl IntoIterator<Item = &'a Plane>) -> Polygon {
    let mut next = Polygon::new();
    for plane in planes {
        // Most planes cut nothing off.
        let mut heights = polygon.iter().map(|(corner, _)| plane.normal.dot(*corner) - plane.offset);
        if heights.all(|height| height <= 0.0) {
            continue;
        }
        next.clear();
        part(&polygon, plane, Some(&mut next), None);
        std::mem::swap(&mut polygon, &mut next);
        if polygon.len() < 3 {
            return Polygon::new();
        }
    }
    polygon
}

/// What of a convex polygon is not in a hole of the same plane, as convex polygons. Both run counter-clockwise around a normal.
pub(super) fn without(polygon: Polygon, hole: &[(DVec3, Side)], normal: DVec3) -> Vec<Polygon> {
    let sides = hole.iter().enumerate().filter_map(|(index, &(a, _))| {
        let (b, _) = hole[(index + 1) % hole.len()];
        let outward = (b - a).cross(normal).try_normalize()?;
        Some(Plane { normal: outward, offset: outward.dot(a), side: Side::Outline })
    });
    let sides: Vec<Plane> = sides.collect();
    // What does not overlap is not cut: else pieces of pieces would grow without end.
    let overlaps = area(&below(polygon.clone(), &sides), normal) > NOTHING * area(&polygon, normal);
    if !overlaps {
        return vec![polygon];
    }
    let (mut rest, mut pieces) = (polygon, Vec::new());
    for side in sides {
        let (mut inside, mut outside) = (Polygon::new(), Polygon::new());
        part(&rest, &side, Some(&mut inside), Some(&mut outside));
        if area(&outside, normal) > 0.0 {
            pieces.push(outside);
        }
        rest = inside;
    }
    pieces
}

/// Around a unit normal, in m^2.
pub(super) fn area(polygon: &[(DVec3, Side)], normal: DVec3) -> f64 {
    let Some(&(first, _)) = polygon.first() else { return 0.0 };
    let fan = polygon.windows(2).map(|pair| (pair[0].0 - first).cross(pair[1].0 - first));
    0.5 * fan.sum::<DVec3>().dot(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, at: DVec3) -> Polygon {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        whole(corners.map(|(x, y)| at + half * DVec3::new(x, y, 0.0)))
    }

    #[test]
    fn a_plane_cuts_and_names_the_new_side() {
        let plane = Plane { normal: DVec3::X, offset: 0.25, side: Side::Surface };
        let left = below(square(1.0, DVec3::ZERO), [&plane]);
        assert!((area(&left, DVec3::Z) - 2.5).abs() < 1e-12);
        let cut: Vec<_> = left.iter().filter(|(_, side)| *side == Side::Surface).collect();
        assert_eq!(cut.len(), 1);
        assert_eq!(cut[0].0, DVec3::new(0.25, -1.0, 0.0));
        assert!(below(square(1.0, DVec3::X * 3.0), [&plane]).is_empty());
    }

    #[test]
    fn polygon_and_hole_are_the_sum_of_the_pieces() {
        for (shift, common) in [(0.0, 1.0), (0.75, 0.75), (1.25, 0.25), (3.0, 0.0)] {
            let hole = square(0.5, DVec3::X * shift);
            let pieces = without(square(1.0, DVec3::ZERO), &hole, DVec3::Z);
            let left: f64 = pieces.iter().map(|piece| area(piece, DVec3::Z)).sum();
            assert!((left - (4.0 - common)).abs() < 1e-12, "{shift}: {left}");
        }
    }
}
