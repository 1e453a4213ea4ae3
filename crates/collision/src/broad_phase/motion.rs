//! How boxes move: the pace that each one keeps, and for how many updates two of them may be left alone.
//!
//! The *pace* of a box is how far its faces may move along each axis from one update to the next. It is a guess from the
//! movements so far. A box that exceeds it breaks its pace, which the broad phase gets to know at once; as long as both
//! of a pair keep theirs, the gap between them, or the depth of their overlap, divided by the sum of their paces tells
//! how many updates cannot change whether they overlap. A box at rest has pace 0.

use burgess_geometry::Aabb;
use glam::DVec3;

/// In use.
pub(super) const ALIVE: u8 = 1;
/// In the log of changes.
pub(super) const CHANGED: u8 = 2;
/// Removed, new, filtered in another way, or from something to nothing: what the broad phase knew of it no longer holds.
pub(super) const RESET: u8 = 4;
/// Moved faster than its pace since the last update.
pub(super) const BROKEN: u8 = 8;
/// Left its region since the last update, or became too small for it.
pub(super) const ELSEWHERE: u8 = 16;

/// No box, and no region: it neither overlaps nor encloses anything.
pub(super) const NOTHING: Aabb = Aabb { min: DVec3::NAN, max: DVec3::NAN };

/// After a break the pace is so many times the movement, so that the next break is not soon.
const HEADROOM: f32 = 1.5;
/// A slower box lowers its pace by this factor at every movement.
const DECAY: f32 = 1.0 - 1.0 / 1024.0;
/// A break raises the pace by no more than this factor, as a jump is not a pace.
const LARGEST_RISE: f32 = 4.0;
/// Bounds of the pace of what moves, in metres: products of paces neither vanish nor overflow.
const LOWEST_PACE: f32 = 1e-30;
const HIGHEST_PACE: f32 = 1e30;
/// A box that has not moved for more updates than this is at rest.
const UPDATES_TO_REST: u16 = 8;

/// A box and how it moves, in one cache line, so that testing a pair costs one line a box.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Record {
    /// All NaN for a box that contains nothing: it then overlaps nothing, not even infinite boxes.
    pub aabb: Aabb,
    /// How far a face may move along each axis in one update, in metres; all 0 at rest.
    pace: [f32; 3],
    /// The update before which it last moved, modulo 2^16.
    moved: u16,
    /// How often it broke its pace or was reset, modulo 2^8; at most once an update.
    pub breaks: u8,
    pub flags: u8,
}

/// What is known about the movement of a box besides, in another cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Motion {
    /// A box that leaves this region is logged.
    pub region: Aabb,
    /// How far a face moved along each axis since the last update, in metres; never too small.
    travelled: [f32; 3],
    /// A box whose longest side is below this, in metres, is logged.
    pub smallest: f32,
}

impl Motion {
    /// Every movement is logged.
    pub const UNOBSERVED: Self = Self { region: NOTHING, travelled: [0.0; 3], smallest: 0.0 };

    /// Takes note that the box of `record` moved there from `old` before update `now`; returns `BROKEN`, `ELSEWHERE`, both or 0.
    #[inline]
    pub fn follow(&mut self, record: &mut Record, old: &Aabb, now: u32) -> u8 {
        /// More than the rounding errors of a sum of differences.
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
            for axis in 0..3 {
                record.pace[axis] = larger(record.pace[axis] * DECAY, larger(self.travelled[axis], LOWEST_PACE));
            }
        }
        let elsewhere = self.is_left_by(&record.aabb);
        (if broken { BROKEN } else { 0 }) | (if elsewhere { ELSEWHERE } else { 0 })
    }

    /// Is the box not in the region, or too small?
    #[inline]
    fn is_left_by(&self, aabb: &Aabb) -> bool {
        !encloses(&self.region, aabb) | (aabb.extents().max_element() < f64::from(self.smallest))
    }
}

impl Record {
    /// A living box at rest.
    pub fn new(aabb: Aabb) -> Self {
        Self { aabb, pace: [0.0; 3], moved: 0, breaks: 0, flags: ALIVE }
    }

    /// The name is in use again; its breaks count on.
    pub fn revive(&mut self, aabb: Aabb) {
        *self = Self { flags: self.flags | ALIVE, breaks: self.breaks, ..Self::new(aabb) };
    }

    /// Guesses the pace of a box that broke it.
    pub fn raise_pace(&mut self, motion: &Motion) {
        let fastest = self.pace.into_iter().fold(0.0, larger);
        let size = self.aabb.extents().max_element() as f32;
        let highest = if fastest > 0.0 { (LARGEST_RISE * fastest).min(HIGHEST_PACE) } else { HIGHEST_PACE };
        let farthest = motion.travelled.into_iter().fold(0.0, larger);
        if (fastest == 0.0) & (size > 0.0) & (farthest > size) {
            return;
        }
        for axis in 0..3 {
            let (pace, travelled) = (self.pace[axis], motion.travelled[axis]);
            let raised = if travelled >= pace { HEADROOM * travelled } else { pace };
            self.pace[axis] = raised.clamp(LOWEST_PACE, highest);
        }
    }

    /// Has it not moved for long, although its pace is not 0?
    #[inline]
    pub fn may_rest(&self, now: u32) -> bool {
        ((now as u16).wrapping_sub(self.moved) > UPDATES_TO_REST) & (self.pace[0] > 0.0)
    }

    /// Sets the pace to 0 if the box has not moved for long. A pace may always be lowered.
    pub fn rest(&mut self, now: u32) {
        if self.may_rest(now) {
            self.pace = [0.0; 3];
        }
    }

    /// Do the boxes overlap, and for how many updates at least does it stay so while both keep their pace? None: forever.
    #[inline]
    pub fn compare(&self, other: &Self) -> (bool, Option<u32>) {
        let gaps = gaps(&self.aabb, &other.aabb);
        let overlap = !((gaps[0] > 0.0) | (gaps[1] > 0.0) | (gaps[2] > 0.0));
        if self.pace[0] + other.pace[0] == 0.0 {
            return (overlap, None);
        }
        // More than all rounding errors together.
        const SHORTER: f32 = 1.0 - 1.0 / (1 << 18) as f32;
        // Apart: the axis that holds out longest. Overlapping: the one that holds out shortest, which is the largest negative.
        let mut longest = f32::NEG_INFINITY;
        for axis in 0..3 {
            longest = larger(gaps[axis] as f32 / (self.pace[axis] + other.pace[axis]), longest);
        }
        (overlap, Some((longest.abs() * SHORTER) as u32))
    }
}

/// The gap between two boxes along each axis in metres; negative where they overlap. Gaps that are not greater than 0 for any
/// doubt: between faces at the same infinity there is none.
#[inline]
fn gaps(a: &Aabb, b: &Aabb) -> [f64; 3] {
    let (below, above) = ((b.min - a.max).to_array(), (a.min - b.max).to_array());
    std::array::from_fn(|axis| larger(below[axis], larger(above[axis], f64::NEG_INFINITY)))
}

/// The largest distance that a face moved along each axis; 0 for a face that stays at infinity.
#[inline]
fn movement(old: &Aabb, new: &Aabb) -> [f64; 3] {
    let (low, high) = ((new.min - old.min).abs().to_array(), (new.max - old.max).abs().to_array());
    std::array::from_fn(|axis| larger(low[axis], larger(high[axis], 0.0)))
}

/// The larger of two numbers; the second if the first is NaN.
#[inline]
fn larger<T: PartialOrd>(number: T, than: T) -> T {
    if number > than { number } else { than }
}

/// Is all of `inner` in `outer`? False for NaN.
#[inline]
fn encloses(outer: &Aabb, inner: &Aabb) -> bool {
    (outer.min.x <= inner.min.x)
        & (outer.min.y <= inner.min.y)
        & (outer.min.z <= inner.min.z)
        & (inner.max.x <= outer.max.x)
        & (inner.max.y <= outer.max.y)
        & (inner.max.z <= outer.max.z)
}
