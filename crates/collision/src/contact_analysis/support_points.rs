//! Reduction of a contact region to its support points (Erleben 2002, section 2.2.4).

use glam::{DVec2, DVec3};

use crate::contact_determination::Contact;

/// Distance from the line between its neighbours below which a point counts as on it, relative to the region's size.
/// Wide enough that the points of a jittering body at rest do not change.
const STRAIGHT_TOLERANCE: f64 = 1e-4;
/// Difference below which depths count as equal, relative to the region's size, for the same reason.
const DEPTH_TOLERANCE: f64 = 1e-4;
/// Relative difference below which areas and lengths count as equal.
const AREA_TOLERANCE: f64 = 1e-6;

/// Finds support points. It owns its scratch memory, so it should be kept and reused.
#[derive(Debug, Clone, Default)]
pub struct SupportPoints {
    flat: Vec<DVec2>,
    order: Vec<u32>,
    hull: Vec<u32>,
}

impl SupportPoints {
    /// Returns the indices of the contacts that are the support points of the region, ascending.
    ///
    /// These are the corners of the convex hull in the plane perpendicular to `normal` (a unit vector). Duplicates and
    /// points on straight sides are left out; of near-duplicates the first is kept. A deepest point is always kept,
    /// even inside. When there are more than `max_points`, the corners that span the least area are removed first.
    /// Lengths count as equal when they differ by less than a ten-thousandth of the region's size.
    pub fn find(&mut self, contacts: &[Contact], normal: DVec3, max_points: usize) -> &[u32] {
        self.hull.clear();
        if contacts.is_empty() || max_points == 0 {
            return &self.hull;
        }
        let (u, v) = normal.any_orthonormal_pair();
        let origin = contacts[0].point;
        self.flat.clear();
        self.flat.extend(contacts.iter().map(|c| c.point - origin).map(|p| DVec2::new(p.dot(u), p.dot(v))));
        let size = self.flat.iter().fold(0.0f64, |size, p| size.max(p.abs().max_element()));

        self.find_hull();
        self.prefer_first_of_duplicates(STRAIGHT_TOLERANCE * size);
        self.drop_straight_corners(STRAIGHT_TOLERANCE * size);

        // The first of the deepest points; one on the hull if possible.
        let tolerance = DEPTH_TOLERANCE * size;
        let depth = |i: u32| contacts[i as usize].distance;
        let lowest = |all: &mut dyn Iterator<Item = u32>| all.map(depth).fold(f64::INFINITY, f64::min);
        let inner = lowest(&mut (0..contacts.len() as u32));
        let outer = lowest(&mut self.hull.iter().copied());
        let deepest = if outer <= inner + tolerance {
            self.hull.iter().copied().filter(|&i| depth(i) <= outer + tolerance).min()
        } else {
            (0..contacts.len() as u32).find(|&i| depth(i) <= inner)
        };
        let inside = deepest.filter(|i| !self.hull.contains(i));
        self.reduce(max_points - usize::from(inside.is_some()), deepest);
        self.hull.extend(inside);
        self.hull.sort_unstable();
        &self.hull
    }

    /// Computes the convex hull, counter-clockwise (Andrew's monotone chain).
    fn find_hull(&mut self) {
        let Self { flat, order, hull } = self;
        let at = |i: u32| flat[i as usize];
        order.clear();
        order.extend(0..flat.len() as u32);
        order.sort_unstable_by(|&i, &j| {
            let (p, q) = (at(i), at(j));
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(&j))
        });
        let turns_left = |i: u32, j: u32, k: u32| (at(j) - at(i)).perp_dot(at(k) - at(i)) > 0.0;
        let extend = |i: u32, floor: usize, hull: &mut Vec<u32>| {
            while hull.len() > floor && !turns_left(hull[hull.len() - 2], hull[hull.len() - 1], i) {
                hull.pop();
            }
            hull.push(i);
        };
        for &i in order.iter() {
            extend(i, 1, hull);
        }
        let floor = hull.len();
        for &i in order.iter().rev().skip(1) {
            extend(i, floor, hull);
        }
        // The first point is repeated at the end.
        if hull.len() > 1 {
            hull.pop();
        }
    }

    /// Replaces corners by an earlier point at nearly the same position.
    fn prefer_first_of_duplicates(&mut self, tolerance: f64) {
        let Self { flat, hull, .. } = self;
        for corner in hull.iter_mut() {
            let here = flat[*corner as usize];
            let first = (0..*corner).find(|&i| flat[i as usize].distance(here) <= tolerance);
            *corner = first.unwrap_or(*corner);
        }
    }

    /// Removes corners within `tolerance` of the line between their neighbours, the last given first.
    fn drop_straight_corners(&mut self, tolerance: f64) {
        while self.hull.len() > 1 {
            let straight = (0..self.hull.len()).filter(|&corner| {
                let [p, q, r] = self.around(corner);
                let (along, offset) = (r - p, q - p);
                let length = along.length();
                if length <= tolerance {
                    offset.length() <= tolerance
                } else {
                    // A point beyond the ends of the chord is not a straight corner, but the tip of a flat region.
                    let position = offset.dot(along) / length;
                    along.perp_dot(offset).abs() <= tolerance * length
                        && position >= -tolerance
                        && position <= length + tolerance
                }
            });
            match straight.max_by_key(|&corner| self.hull[corner]) {
                Some(corner) => self.hull.remove(corner),
                None => return,
            };
        }
    }

    /// Removes the corner that spans the least area until `max_points` are left; never `keep`.
    fn reduce(&mut self, max_points: usize, keep: Option<u32>) {
        while self.hull.len() > max_points {
            let mut least: Option<(f64, usize)> = None;
            for corner in (0..self.hull.len()).filter(|&corner| Some(self.hull[corner]) != keep) {
                let [p, q, r] = self.around(corner);
                // Of the last three, keep the longest side; of the last two, the deepest point.
                let cost = if self.hull.len() > 3 { (q - p).perp_dot(r - p).abs() } else { -(r - p).length() };
                let clearly = AREA_TOLERANCE * cost.abs();
                let better = least.is_none_or(|(least_cost, other)| {
                    let later = self.hull[corner] > self.hull[other];
                    if later { cost <= least_cost + clearly } else { cost < least_cost - clearly }
                });
                if better {
                    least = Some((cost, corner));
                }
            }
            match least {
                Some((_, corner)) => self.hull.remove(corner),
                None => return,
            };
        }
    }

    /// Returns a corner between its neighbours.
    fn around(&self, corner: usize) -> [DVec2; 3] {
        let count = self.hull.len();
        [corner + count - 1, corner, corner + 1].map(|i| self.flat[self.hull[i % count] as usize])
    }
}
