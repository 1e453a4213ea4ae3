//! The nearest members of a place: a balanced k-d tree (Bentley 1975).
//!
//! The tree is implicit: the middle of a range of members has half of the others before it and half behind it, along an
//! axis that changes with the depth. Short ranges are not divided. The tree is sorted anew for every round, so the
//! answers depend on the present positions alone. Ties are broken by index.
//!
//! A search skips ranges by the distance of their whole box, which is known from the planes passed on the way to them
//! (Arya and Mount 1993). The components of this distance are not above those of any member of the range, and rounding
//! keeps that order, so no member is missed.

use glam::DVec3;

/// Number of members up to which a range is searched one by one.
const LEAF: usize = 8;

/// Factor by which squared distances of the next search may be larger.
const MARGIN: f64 = 1.4;

/// A member at a squared distance (m^2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub squared: f64,
    pub member: usize,
}

impl Near {
    fn is_before(&self, other: &Self) -> bool {
        (self.squared, self.member) < (other.squared, other.member)
    }
}

/// Members by place.
#[derive(Debug, Default)]
pub(super) struct Nearest {
    members: Vec<(DVec3, usize)>,
    found: Vec<Near>,
    /// Squared distance (m^2) within which the last search found as many as it wanted, and a margin.
    expected: f64,
}

impl Nearest {
    /// Sorts members by their positions, in m.
    pub fn sort(&mut self, positions: &[DVec3]) {
        self.members.clear();
        self.members.extend(positions.iter().copied().enumerate().map(|(member, place)| (place, member)));
        sort(&mut self.members, 0);
        self.expected = f64::INFINITY;
    }

    /// Returns the nearest members within a reach (m) that `is_seen` accepts, at most `count`, the nearest first.
    pub fn search(
        &mut self,
        place: DVec3,
        reach: f64,
        count: usize,
        is_seen: impl Fn(usize, DVec3) -> bool,
    ) -> &[Near] {
        self.found.clear();
        if count == 0 {
            return &self.found;
        }
        let farthest = reach * reach;
        // The next search is usually nearby, and as many are as near. If not, the search is repeated.
        for bound in [self.expected, f64::INFINITY] {
            self.found.clear();
            let bound = bound.min(farthest);
            let mut search = Search { place, bound, count, is_seen: &is_seen, found: &mut self.found };
            search.visit(&self.members, 0, DVec3::ZERO);
            if self.found.len() == count {
                self.expected = MARGIN * self.found[count - 1].squared;
                break;
            }
            if bound >= farthest {
                break;
            }
        }
        &self.found
    }

    /// Returns the members in the order of the tree: those near each other in it are near each other in space.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.members.iter().map(|&(_, member)| member)
    }

    /// Calls `visit` with all members within a reach (m).
    pub fn within(&self, place: DVec3, reach: f64, mut visit: impl FnMut(usize)) {
        within(&self.members, 0, place, reach, &mut visit);
    }
}

fn within(members: &[(DVec3, usize)], axis: usize, place: DVec3, reach: f64, visit: &mut impl FnMut(usize)) {
    let mut consider = |&(there, member): &(DVec3, usize)| {
        if there.distance_squared(place) <= reach * reach {
            visit(member);
        }
    };
    if members.len() <= LEAF {
        return members.iter().for_each(consider);
    }
    let middle = members.len() / 2;
    consider(&members[middle]);
    let (beyond, next) = (place[axis] - members[middle].0[axis], (axis + 1) % 3);
    if beyond <= reach {
        within(&members[..middle], next, place, reach, visit);
    }
    if -beyond <= reach {
        within(&members[middle + 1..], next, place, reach, visit);
    }
}

fn sort(members: &mut [(DVec3, usize)], axis: usize) {
    if members.len() <= LEAF {
        return;
    }
    let middle = members.len() / 2;
    let key = |(place, _): &(DVec3, usize)| place[axis];
    members.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.1.cmp(&b.1)));
    let (before, after) = members.split_at_mut(middle);
    sort(before, (axis + 1) % 3);
    sort(&mut after[1..], (axis + 1) % 3);
}

struct Search<'a, F> {
    place: DVec3,
    /// Squared distance (m^2) beyond which nobody counts.
    bound: f64,
    count: usize,
    is_seen: F,
    found: &'a mut Vec<Near>,
}

impl<F: Fn(usize, DVec3) -> bool> Search<'_, F> {
    /// Visits a range. `gap` is the distance of its box along each axis, in m.
    fn visit(&mut self, members: &[(DVec3, usize)], axis: usize, gap: DVec3) {
        if members.len() <= LEAF {
            return members.iter().for_each(|member| self.consider(member));
        }
        let middle = members.len() / 2;
        let (before, after) = (&members[..middle], &members[middle + 1..]);
        let beyond = self.place[axis] - members[middle].0[axis];
        let (near, far) = if beyond < 0.0 { (before, after) } else { (after, before) };
        let next = (axis + 1) % 3;
        self.visit(near, next, gap);
        self.consider(&members[middle]);
        let mut far_gap = gap;
        far_gap[axis] = beyond;
        if far_gap.length_squared() <= self.bound {
            self.visit(far, next, far_gap);
        }
    }

    #[inline]
    fn consider(&mut self, &(there, member): &(DVec3, usize)) {
        let offset = there - self.place;
        let squared = offset.length_squared();
        if squared <= self.bound && (self.is_seen)(member, offset) {
            self.keep(Near { squared, member });
        }
    }

    fn keep(&mut self, near: Near) {
        let rank = self.found.partition_point(|known| known.is_before(&near));
        if rank < self.count {
            self.found.truncate(self.count - 1);
            self.found.insert(rank, near);
        }
        if self.found.len() == self.count {
            self.bound = self.bound.min(self.found[self.count - 1].squared);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    /// Random places, many of them shared, against a sorted list of all.
    #[test]
    fn searches_find_what_a_sorted_list_has() {
        let mut random = Pcg64::seed_from_u64(7);
        let mut nearest = Nearest::default();
        for _ in 0..300 {
            let members = random.random_range(0..60);
            let places: Vec<DVec3> = (0..members)
                .map(|_| DVec3::from_array([0; 3].map(|_| f64::from(random.random_range(-4..=4_i32)))))
                .collect();
            nearest.sort(&places);
            // A search begins with what the one before found.
            for _ in 0..5 {
                let place = DVec3::from_array([0; 3].map(|_| 0.5 * f64::from(random.random_range(-8..=8_i32))));
                let (reach, count) = (random.random_range(0.0..9.0), random.random_range(0..12));
                let is_seen = |member: usize, offset: DVec3| !member.is_multiple_of(5) && offset.x > -2.0;
                let mut expected: Vec<(f64, usize)> = places
                    .iter()
                    .enumerate()
                    .map(|(member, &there)| (member, there - place))
                    .filter(|&(member, offset)| offset.length_squared() <= reach * reach && is_seen(member, offset))
                    .map(|(member, offset)| (offset.length_squared(), member))
                    .collect();
                expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                expected.truncate(count);
                let found = nearest.search(place, reach, count, is_seen);
                assert_eq!(found.iter().map(|near| (near.squared, near.member)).collect::<Vec<_>>(), expected);
                let mut all = Vec::new();
                nearest.within(place, reach, |member| all.push(member));
                all.sort_unstable();
                let is_near = |member: &usize| places[*member].distance_squared(place) <= reach * reach;
                assert_eq!(all, (0..members).filter(is_near).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn places_that_are_no_numbers_do_no_harm() {
        let mut nearest = Nearest::default();
        nearest.sort(&[DVec3::NAN, DVec3::ZERO, DVec3::INFINITY, DVec3::X]);
        let found = nearest.search(DVec3::ZERO, 2.0, 3, |_, _| true);
        assert!(found.iter().all(|near| near.squared.is_finite()));
        assert!(nearest.search(DVec3::NAN, 2.0, 3, |_, _| true).is_empty());
    }
}
