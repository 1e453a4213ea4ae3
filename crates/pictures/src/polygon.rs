//! Convex polygons in space, and their intersection with half-spaces.

use glam::DVec3;

/// Fraction of a polygon's area below which a split is ignored.
pub(super) const NEGLIGIBLE_FRACTION: f64 = 1e-6;

/// Origin of a side of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// A side of the original polygon.
    Own,
    /// A cut by a surface.
    Surface,
    /// A cut by an outline, as seen from the eye.
    Outline,
}

/// A plane `normal . x = offset`; points below it are inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub offset: f64,
    /// Kind of the sides that it cuts.
    pub side: Side,
}

/// Corners, each with the kind of the side that starts there.
pub(super) type Polygon = Vec<(DVec3, Side)>;

/// Creates an uncut polygon.
pub(super) fn uncut(corners: impl IntoIterator<Item = DVec3>) -> Polygon {
    corners.into_iter().map(|corner| (corner, Side::Own)).collect()
}

/// Splits a polygon at a plane; appends the parts to empty lists.
fn split(polygon: &[(DVec3, Side)], plane: &Plane, mut below: Option<&mut Polygon>, mut above: Option<&mut Polygon>) {
    let height = |point: DVec3| plane.normal.dot(point) - plane.offset;
    for (index, &(a, side)) in polygon.iter().enumerate() {
        let (b, _) = polygon[(index + 1) % polygon.len()];
        let (high_a, high_b) = (height(a), height(b));
        // Points on the plane belong to both parts.
        let cut = (high_a * high_b < 0.0).then(|| a + (b - a) * (high_a / (high_a - high_b)));
        for (list, sign) in [(below.as_deref_mut(), 1.0), (above.as_deref_mut(), -1.0)] {
            let Some(list) = list else { continue };
            if sign * high_a <= 0.0 {
                // If the polygon leaves the half-space here, the next side lies in the plane.
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

/// Returns the part of a polygon below all planes.
pub(super) fn below<'a>(mut polygon: Polygon, planes: impl IntoIterator<Item = &'a Plane>) -> Polygon {
    let mut next = Polygon::new();
    for plane in planes {
        // Most planes do not cut the polygon.
        let mut heights = polygon.iter().map(|(corner, _)| plane.normal.dot(*corner) - plane.offset);
        if heights.all(|height| height <= 0.0) {
            continue;
        }
        next.clear();
        split(&polygon, plane, Some(&mut next), None);
        std::mem::swap(&mut polygon, &mut next);
        if polygon.len() < 3 {
            return Polygon::new();
        }
    }
    polygon
}

/// Returns a convex polygon minus a hole in the same plane, as convex polygons. Both are counter-clockwise about the
/// normal.
pub(super) fn subtract(polygon: Polygon, hole: &[(DVec3, Side)], normal: DVec3) -> Vec<Polygon> {
    let sides = hole.iter().enumerate().filter_map(|(index, &(a, _))| {
        let (b, _) = hole[(index + 1) % hole.len()];
        let outward = (b - a).cross(normal).try_normalize()?;
        Some(Plane { normal: outward, offset: outward.dot(a), side: Side::Outline })
    });
    let sides: Vec<Plane> = sides.collect();
    // Cut only if they overlap; otherwise the number of pieces would grow without bound.
    let overlaps = area(&below(polygon.clone(), &sides), normal) > NEGLIGIBLE_FRACTION * area(&polygon, normal);
    if !overlaps {
        return vec![polygon];
    }
    let (mut rest, mut pieces) = (polygon, Vec::new());
    for side in sides {
        let (mut inside, mut outside) = (Polygon::new(), Polygon::new());
        split(&rest, &side, Some(&mut inside), Some(&mut outside));
        if area(&outside, normal) > 0.0 {
            pieces.push(outside);
        }
        rest = inside;
    }
    pieces
}

/// Returns the area of a polygon with the given unit normal, in m^2.
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
        uncut(corners.map(|(x, y)| at + half * DVec3::new(x, y, 0.0)))
    }

    #[test]
    fn a_plane_cuts_and_marks_the_new_side() {
        let plane = Plane { normal: DVec3::X, offset: 0.25, side: Side::Surface };
        let left = below(square(1.0, DVec3::ZERO), [&plane]);
        assert!((area(&left, DVec3::Z) - 2.5).abs() < 1e-12);
        let cut: Vec<_> = left.iter().filter(|(_, side)| *side == Side::Surface).collect();
        assert_eq!(cut.len(), 1);
        assert_eq!(cut[0].0, DVec3::new(0.25, -1.0, 0.0));
        assert!(below(square(1.0, DVec3::X * 3.0), [&plane]).is_empty());
    }

    #[test]
    fn areas_of_pieces_and_hole_add_up() {
        for (shift, common) in [(0.0, 1.0), (0.75, 0.75), (1.25, 0.25), (3.0, 0.0)] {
            let hole = square(0.5, DVec3::X * shift);
            let pieces = subtract(square(1.0, DVec3::ZERO), &hole, DVec3::Z);
            let left: f64 = pieces.iter().map(|piece| area(piece, DVec3::Z)).sum();
            assert!((left - (4.0 - common)).abs() < 1e-12, "{shift}: {left}");
        }
    }
}
