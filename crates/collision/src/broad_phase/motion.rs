//! Motion bounds of boxes: the pace of each box, and for how many updates a test of two boxes remains valid.
//!
//! The *pace* of a box bounds how far its faces move along each axis from one update to the next. It is estimated from
//! past motion. A box that exceeds its pace breaks it, which is detected when the box is set. As long as neither box of
//! a pair breaks its pace, their gap (or penetration) divided by the sum of their paces gives the number of updates
//! that cannot change whether they overlap. A box at rest has pace 0.

use burgess_geometry::Aabb;
use glam::DVec3;

/// The id is in use.
pub(super) const ALIVE: u8 = 1;
/// The proxy is in the change log.
pub(super) const CHANGED: u8 = 2;
/// The proxy was removed, added, given another filter, or its box became empty: results known for it are invalid.
pub(super) const RESET: u8 = 4;
/// The box moved faster than its pace since the last update.
pub(super) const BROKEN: u8 = 8;
/// The box left its region since the last update, or became too small for it.
pub(super) const LEFT_REGION: u8 = 16;

/// Absent box or region: it overlaps and contains nothing.
pub(super) const NOTHING: Aabb = Aabb { min: DVec3::NAN, max: DVec3::NAN };

/// Ratio of the new pace to the movement after a break, so that the next break does not follow soon.
const PACE_HEADROOM: f32 = 1.5;
/// Factor by which a slower box lowers its pace at every movement.
const PACE_DECAY: f32 = 1.0 - 1.0 / 1024.0;
/// Maximum factor by which a break raises the pace, because a single jump is no measure of future motion.
const MAX_PACE_RISE: f32 = 4.0;
/// Smallest pace of a moving box, in metres: products of paces must not underflow.
const MIN_PACE: f32 = 1e-30;
/// Largest pace, in metres: products of paces must not overflow.
const MAX_PACE: f32 = 1e30;
/// Number of updates without movement after which a box is at rest.
const UPDATES_TO_REST: u16 = 8;

/// A box and its pace in one cache line, so that testing a pair reads one line per box.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Record {
    /// All NaN for an empty box: it then overlaps nothing, not even infinite boxes.
    pub aabb: Aabb,
    /// Maximum movement of a face along each axis in one update, in metres; all 0 at rest.
    pace: [f32; 3],
    /// The update before which the box last moved, modulo 2^16.
    moved: u16,
    /// Number of breaks and resets, modulo 2^8; at most one per update.
    pub breaks: u8,
    pub flags: u8,
}

/// Further data about the motion of a box, in a separate cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Motion {
    /// A box that leaves this region is logged.
    pub region: Aabb,
    /// Movement of the faces along each axis since the last update, in metres, rounded up.
    travelled: [f32; 3],
    /// Length in metres; a box whose longest side is shorter is logged.
    pub smallest: f32,
}

impl Motion {
    /// Logs every movement.
    pub const UNOBSERVED: Self = Self { region: NOTHING, travelled: [0.0; 3], smallest: 0.0 };

    /// Records that the box of `record` moved from `old` before update `now`. Returns `BROKEN`, `LEFT_REGION`, both or
    /// 0.
    #[inline]
    pub fn follow(&mut self, record: &mut Record, old: &Aabb, now: u32) -> u8 {
        /// Exceeds the rounding errors of a sum of differences.
        const ROUND_UP: f64 = 1.0 + 1.0 / (1 << 22) as f64;
        let now = now as u16;
        let mut moved = movement(old, &record.aabb);
        let again = record.moved == now;
        if again {
            (0..3).for_each(|axis| moved[axis] += f64::from(self.travelled[axis]));
        }
        record.moved = now;
        self.travelled = moved.map(|distance| (distance * ROUND_UP) as f32);
        let keeps_pace = |axis: usize| moved[axis] <= f64::from(record.pace[axis]);
        let broken = !(keeps_pace(0) & keeps_pace(1) & keeps_pace(2));
        if !(broken | again) {
            for (pace, travelled) in record.pace.iter_mut().zip(self.travelled) {
                *pace = larger(*pace * PACE_DECAY, larger(travelled, MIN_PACE)).min(*pace);
            }
        }
        let elsewhere = self.is_left_by(&record.aabb);
        (if broken { BROKEN } else { 0 }) | (if elsewhere { LEFT_REGION } else { 0 })
    }

    /// Returns whether the box is outside the region or too small for it.
    #[inline]
    fn is_left_by(&self, aabb: &Aabb) -> bool {
        !encloses(&self.region, aabb) | (aabb.extents().max_element() < f64::from(self.smallest))
    }
}

impl Record {
    /// Creates a live box at rest.
    pub fn new(aabb: Aabb) -> Self {
        Self { aabb, pace: [0.0; 3], moved: 0, breaks: 0, flags: ALIVE }
    }

    /// Marks the id as in use again. The number of breaks is kept.
    pub fn revive(&mut self, aabb: Aabb) {
        *self = Self { flags: self.flags | ALIVE, breaks: self.breaks, ..Self::new(aabb) };
    }

    /// Estimates the pace of a box that broke it. A box at rest that moves farther than its own size has jumped, and
    /// stays at rest.
    pub fn raise_pace(&mut self, motion: &Motion) {
        let fastest = self.pace.into_iter().fold(0.0, larger);
        let size = self.aabb.extents().max_element() as f32;
        let highest = if fastest > 0.0 { (MAX_PACE_RISE * fastest).min(MAX_PACE) } else { MAX_PACE };
        let farthest = motion.travelled.into_iter().fold(0.0, larger);
        if (fastest == 0.0) & (size > 0.0) & (farthest > size) {
            return;
        }
        for axis in 0..3 {
            let (pace, travelled) = (self.pace[axis], motion.travelled[axis]);
            let raised = if travelled >= pace { PACE_HEADROOM * travelled } else { pace };
            self.pace[axis] = raised.clamp(MIN_PACE, highest);
        }
    }

    /// Returns whether the box has not moved for long although its pace is not 0.
    #[inline]
    pub fn may_rest(&self, now: u32) -> bool {
        ((now as u16).wrapping_sub(self.moved) > UPDATES_TO_REST) & (self.pace[0] > 0.0)
    }

    /// Sets the pace to 0 if the box has not moved for long. Lowering a pace is always valid.
    pub fn rest(&mut self, now: u32) {
        if self.may_rest(now) {
            self.pace = [0.0; 3];
        }
    }

    /// Returns whether the boxes overlap, and for how many updates this cannot change while both keep their pace
    /// (`None`: forever).
    #[inline]
    pub fn compare(&self, other: &Self) -> (bool, Option<u32>) {
        let gaps = gaps(&self.aabb, &other.aabb);
        let overlap = !((gaps[0] > 0.0) | (gaps[1] > 0.0) | (gaps[2] > 0.0));
        if self.pace[0] + other.pace[0] == 0.0 {
            return (overlap, None);
        }
        // Exceeds the sum of all rounding errors.
        const ROUND_DOWN: f32 = 1.0 - 1.0 / (1 << 18) as f32;
        // Separated boxes: the axis that stays separated longest decides. Overlapping boxes: the axis that may separate
        // first, which has the largest (negative) gap.
        let mut longest = f32::NEG_INFINITY;
        for (axis, gap) in gaps.into_iter().enumerate() {
            longest = larger(gap as f32 / (self.pace[axis] + other.pace[axis]), longest);
        }
        (overlap, Some((longest.abs() * ROUND_DOWN) as u32))
    }
}

/// Returns the gap between two boxes along each axis in metres, positive exactly if they are separated there, negative
/// where they overlap. Faces at the same infinity have no gap and cannot move, so they are ignored.
#[inline]
fn gaps(a: &Aabb, b: &Aabb) -> [f64; 3] {
    let (below, above) = ((b.min - a.max).to_array(), (a.min - b.max).to_array());
    std::array::from_fn(|axis| larger(below[axis], larger(above[axis], f64::NEG_INFINITY)))
}

/// Returns the largest movement of a face along each axis; 0 for a face that stays at infinity.
#[inline]
fn movement(old: &Aabb, new: &Aabb) -> [f64; 3] {
    let (low, high) = ((new.min - old.min).abs().to_array(), (new.max - old.max).abs().to_array());
    std::array::from_fn(|axis| larger(low[axis], larger(high[axis], 0.0)))
}

/// Returns the larger of two numbers; the second if the first is NaN.
#[inline]
fn larger<T: PartialOrd>(number: T, than: T) -> T {
    if number > than { number } else { than }
}

/// Returns whether `outer` contains `inner`. False for NaN.
#[inline]
fn encloses(outer: &Aabb, inner: &Aabb) -> bool {
    (outer.min.x <= inner.min.x)
        & (outer.min.y <= inner.min.y)
        & (outer.min.z <= inner.min.z)
        & (inner.max.x <= outer.max.x)
        & (inner.max.y <= outer.max.y)
        & (inner.max.z <= outer.max.z)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_aabb() -> impl Strategy<Value = Aabb> {
        (prop::array::uniform3(-4.0..4.0_f64), prop::array::uniform3(0.0..2.0_f64))
            .prop_map(|(min, size)| Aabb::new(DVec3::from(min), DVec3::from(min) + DVec3::from(size)))
    }

    fn moving(aabb: Aabb, pace: [f32; 3]) -> Record {
        Record { pace, ..Record::new(aabb) }
    }

    proptest! {
        /// Every face moves at full pace, each in the direction that is worst or best for the overlap.
        #[test]
        fn nothing_changes_before_the_time(
            boxes in [any_aabb(), any_aabb()],
            paces in prop::array::uniform2(prop::array::uniform3(1e-3..0.5_f32)),
            directions in prop::array::uniform12(prop::bool::ANY),
        ) {
            let records = [moving(boxes[0], paces[0]), moving(boxes[1], paces[1])];
            let (overlap, updates) = records[0].compare(&records[1]);
            prop_assert_eq!(overlap, boxes[0].overlaps(&boxes[1]));
            let updates = updates.unwrap().min(100);
            let mut now = boxes;
            for update in 0..updates {
                for (which, aabb) in now.iter_mut().enumerate() {
                    for axis in 0..3 {
                        let step = |side: usize| {
                            let pace = f64::from(paces[which][axis]);
                            if directions[6 * which + 2 * axis + side] { pace } else { -pace }
                        };
                        let (low, high) = (step(0), step(1));
                        aabb.min[axis] += low;
                        aabb.max[axis] += high;
                    }
                }
                // An inverted box is empty.
                if now.iter().any(|aabb| aabb.min.cmpgt(aabb.max).any()) {
                    break;
                }
                prop_assert_eq!(now[0].overlaps(&now[1]), overlap, "after {} of {} updates", update + 1, updates);
            }
        }

        /// If no break was reported, no face moved farther than the previous pace.
        #[test]
        fn a_break_is_told(steps in prop::collection::vec(prop::array::uniform6(-0.1..0.1_f64), 1..60)) {
            let mut record = Record::new(Aabb::new(DVec3::splat(-1.0), DVec3::splat(1.0)));
            let mut motion = Motion::UNOBSERVED;
            for (now, step) in (1..).zip(steps) {
                let (old, pace) = (record.aabb, record.pace);
                record.aabb.min += DVec3::new(step[0], step[1], step[2]) * 0.1;
                record.aabb.max += DVec3::new(step[3], step[4], step[5]) * 0.1;
                let broken = motion.follow(&mut record, &old, now) & BROKEN != 0;
                let moved = movement(&old, &record.aabb);
                let kept = (0..3).all(|axis| moved[axis] <= f64::from(pace[axis]));
                prop_assert_eq!(broken, !kept);
                if broken {
                    record.raise_pace(&motion);
                    prop_assert!((0..3).all(|axis| record.pace[axis] >= pace[axis]));
                } else {
                    prop_assert!((0..3).all(|axis| record.pace[axis] <= pace[axis]));
                }
            }
        }
    }

    #[test]
    fn movements_between_two_updates_add_up() {
        let mut record = moving(Aabb::new(DVec3::ZERO, DVec3::ONE), [0.25; 3]);
        let mut motion = Motion { region: Aabb::EVERYWHERE, ..Motion::UNOBSERVED };
        let mut shift = |now| {
            let old = record.aabb;
            record.aabb = Aabb::new(old.min + 0.1, old.max + 0.1);
            motion.follow(&mut record, &old, now)
        };
        assert_eq!([shift(1), shift(1), shift(1), shift(2)], [0, 0, BROKEN, 0]);
    }

    #[test]
    fn boxes_at_rest_and_infinite_boxes_have_time() {
        let unit = Aabb::new(DVec3::ZERO, DVec3::ONE);
        let rest = Record::new(unit);
        assert_eq!(rest.compare(&rest), (true, None));
        let mover = moving(unit, [0.1; 3]);
        assert_eq!(mover.compare(&moving(Aabb::EVERYWHERE, [0.1; 3])), (true, Some(u32::MAX)));
        assert_eq!(mover.compare(&Record::new(Aabb::new(DVec3::X, DVec3::X + 1.0))), (true, Some(0)));
        assert_eq!(mover.compare(&Record::new(Aabb::new(DVec3::X * 1.25, DVec3::X + 1.0))), (false, Some(2)));
    }
}
