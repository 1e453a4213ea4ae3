//! The boxes that a broad phase pairs, and the log of what changed since its last update.

use burgess_geometry::Aabb;
use glam::DVec3;

use super::filter::{Exclusions, FilterWords};
use super::{BroadPhaseError, Filter, ProxyId, TreeId};

/// What a caller hands to a broad phase: a box and what it may pair with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy {
    /// The box, in metres.
    pub aabb: Aabb,
    /// Does it hardly ever move? Two fixed proxies never pair.
    pub fixed: bool,
    /// What it may pair with.
    pub filter: Filter,
}

impl Proxy {
    /// A proxy that moves and pairs with everything.
    pub fn moving(aabb: Aabb) -> Self {
        Self { aabb, fixed: false, filter: Filter::default() }
    }

    /// A proxy that stays where it is and pairs with everything that moves.
    pub fn fixed(aabb: Aabb) -> Self {
        Self { aabb, fixed: true, filter: Filter::default() }
    }
}

/// A box and its filter in one cache line, so that testing a pair costs one line a proxy.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Record {
    /// All NaN for a box that contains nothing: it then overlaps nothing, not even infinite boxes.
    pub aabb: Aabb,
    pub words: FilterWords,
}

/// The most proxies at one time: candidate lists keep one bit of a name for themselves.
pub(super) const MOST_PROXIES: usize = 1 << 31;

const ALIVE: u8 = 1;
/// In the log of changes.
const CHANGED: u8 = 2;
/// Removed, new, filtered in another way, or from something to nothing: what the broad phase knew of it no longer holds.
const RESET: u8 = 4;

/// How far a box moved, and how far it may move before the broad phase wants to know: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Motion {
    /// Sum of the largest movements of a face since the broad phase last looked, in metres; never too small.
    travelled: f64,
    /// In metres; 0: every movement is logged.
    limit: f64,
    /// A box that leaves this region is logged.
    region: Aabb,
}

/// More than the rounding errors of a sum of differences.
const ROUND_UP: f64 = 1.0 + 1.0 / (1_u64 << 50) as f64;

/// No box, and no region: it neither overlaps nor encloses anything.
pub(super) const NOTHING: Aabb = Aabb { min: DVec3::NAN, max: DVec3::NAN };
/// Every movement is logged.
const UNOBSERVED: Motion = Motion { travelled: 0.0, limit: 0.0, region: NOTHING };

/// All proxies of a broad phase. Changes take effect at its next update.
///
/// A box with a NaN is refused. A box whose minimum exceeds its maximum on some axis contains nothing and pairs with
/// nothing. Infinite boxes are welcome.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    records: Vec<Record>,
    motions: Vec<Motion>,
    flags: Vec<u8>,
    free: Vec<u32>,
    /// Names with `CHANGED`, in the order of their first change.
    changes: Vec<u32>,
    exclusions: Exclusions,
    /// Sorted names of the trees whose links do not pair among each other.
    without_self_collision: Vec<TreeId>,
}

impl Proxies {
    /// Adds a proxy.
    pub fn insert(&mut self, proxy: Proxy) -> Result<ProxyId, BroadPhaseError> {
        let aabb = checked(proxy.aabb)?;
        let mut words = FilterWords::new(proxy.filter, proxy.fixed)?;
        self.apply_self_collision(&mut words);
        let record = Record { aabb, words };
        let index = match self.free.pop() {
            Some(index) => {
                self.records[index as usize] = record;
                index
            }
            None if self.records.len() >= MOST_PROXIES => {
                return Err(BroadPhaseError::TooManyProxies { limit: MOST_PROXIES });
            }
            None => {
                self.records.push(record);
                self.motions.push(UNOBSERVED);
                self.flags.push(0);
                (self.records.len() - 1) as u32
            }
        };
        self.motions[index as usize] = UNOBSERVED;
        self.flags[index as usize] |= ALIVE;
        self.log(index, RESET);
        Ok(ProxyId(index))
    }

    /// Removes a proxy. Its name, and the exclusions that mention it, are forgotten.
    pub fn remove(&mut self, id: ProxyId) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        while let Some(partner) = self.exclusions.partner(id) {
            self.exclusions.remove(id, partner);
            self.refresh_exclusion_flag(partner);
        }
        self.flags[id.index()] &= !ALIVE;
        self.records[id.index()].aabb = NOTHING;
        self.log(id.0, RESET);
        self.free.push(id.0);
        Ok(())
    }

    /// Moves or resizes a proxy.
    #[inline]
    pub fn set_box(&mut self, id: ProxyId, aabb: Aabb) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        let aabb = checked(aabb)?;
        let old = std::mem::replace(&mut self.records[id.index()].aabb, aabb);
        let motion = &mut self.motions[id.index()];
        motion.travelled = (motion.travelled + largest_movement(&old, &aabb)) * ROUND_UP;
        if old.min.x.is_nan() | aabb.min.x.is_nan() {
            self.log(id.0, RESET);
        } else if ((motion.travelled >= motion.limit) | !encloses(&motion.region, &aabb)) & (old != aabb) {
            self.log(id.0, 0);
        }
        Ok(())
    }

    /// Changes what a proxy may pair with.
    pub fn set_filter(&mut self, id: ProxyId, filter: Filter) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        self.replace_words(id, filter, self.records[id.index()].words.is_fixed())
    }

    /// Declares a proxy fixed or moving.
    pub fn set_fixed(&mut self, id: ProxyId, fixed: bool) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        self.replace_words(id, self.records[id.index()].words.filter(), fixed)
    }

    /// Forbids two proxies to pair.
    pub fn exclude(&mut self, a: ProxyId, b: ProxyId) -> Result<(), BroadPhaseError> {
        self.check(a)?;
        self.check(b)?;
        if a != b && self.exclusions.insert(a, b) {
            self.refresh_exclusion_flag(a);
            self.refresh_exclusion_flag(b);
            self.log(a.0.min(b.0), RESET);
        }
        Ok(())
    }

    /// Takes back an exclusion.
    pub fn include(&mut self, a: ProxyId, b: ProxyId) -> Result<(), BroadPhaseError> {
        self.check(a)?;
        self.check(b)?;
        if self.exclusions.remove(a, b) {
            self.refresh_exclusion_flag(a);
            self.refresh_exclusion_flag(b);
            self.log(a.0.min(b.0), RESET);
        }
        Ok(())
    }

    /// May links of this tree pair with each other? They may unless this forbids it; the switch outlives the tree's
    /// proxies. Takes time proportional to the number of proxies.
    pub fn set_self_collision(&mut self, tree: TreeId, allowed: bool) {
        match (self.without_self_collision.binary_search(&tree), allowed) {
            (Ok(place), true) => {
                self.without_self_collision.remove(place);
            }
            (Err(place), false) => self.without_self_collision.insert(place, tree),
            _ => return,
        }
        for index in 0..self.records.len() {
            if self.is_alive(index as u32) && self.records[index].words.tree() == Some(tree) {
                self.records[index].words.set_self_collision(allowed);
                self.log(index as u32, RESET);
            }
        }
    }

    /// The box of a proxy, in metres; none if there is no such proxy.
    pub fn get_box(&self, id: ProxyId) -> Option<Aabb> {
        let aabb = self.records.get(id.index()).filter(|_| self.is_alive(id.0))?.aabb;
        Some(if aabb.min.x.is_nan() { Aabb::EMPTY } else { aabb })
    }

    /// What a proxy may pair with; none if there is no such proxy.
    pub fn filter(&self, id: ProxyId) -> Option<Filter> {
        Some(self.records.get(id.index()).filter(|_| self.is_alive(id.0))?.words.filter())
    }

    /// How many proxies there are.
    pub fn len(&self) -> usize {
        self.records.len() - self.free.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of all proxies, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = ProxyId> + '_ {
        (0..self.records.len() as u32).filter(|&index| self.is_alive(index)).map(ProxyId)
    }

    /// May the two pair? False for a proxy and itself, and for a name that is not in use.
    pub fn may_pair(&self, a: ProxyId, b: ProxyId) -> bool {
        a != b && self.is_alive(a.0) && self.is_alive(b.0) && self.allows(a.0, b.0)
    }

    fn check(&self, id: ProxyId) -> Result<(), BroadPhaseError> {
        if self.is_alive(id.0) { Ok(()) } else { Err(BroadPhaseError::UnknownProxy { id }) }
    }

    fn replace_words(&mut self, id: ProxyId, filter: Filter, fixed: bool) -> Result<(), BroadPhaseError> {
        let mut words = FilterWords::new(filter, fixed)?;
        self.apply_self_collision(&mut words);
        words.set_has_exclusions(self.exclusions.any_of(id));
        if self.records[id.index()].words != words {
            self.records[id.index()].words = words;
            self.log(id.0, RESET);
        }
        Ok(())
    }

    fn apply_self_collision(&self, words: &mut FilterWords) {
        let forbidden = words.tree().is_some_and(|tree| self.without_self_collision.binary_search(&tree).is_ok());
        words.set_self_collision(!forbidden);
    }

    fn refresh_exclusion_flag(&mut self, id: ProxyId) {
        let any = self.exclusions.any_of(id);
        self.records[id.index()].words.set_has_exclusions(any);
    }

    #[inline]
    fn log(&mut self, index: u32, flag: u8) {
        let flags = &mut self.flags[index as usize];
        if *flags & CHANGED == 0 {
            self.changes.push(index);
        }
        *flags |= CHANGED | flag;
    }
}

/// What the implementations use.
impl Proxies {
    /// How many names were ever in use.
    pub(super) fn capacity(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub(super) fn is_alive(&self, index: u32) -> bool {
        self.flags.get(index as usize).is_some_and(|flags| flags & ALIVE != 0)
    }

    #[inline]
    pub(super) fn is_reset(&self, index: u32) -> bool {
        self.flags[index as usize] & RESET != 0
    }

    #[inline]
    pub(super) fn aabb(&self, index: u32) -> &Aabb {
        &self.records[index as usize].aabb
    }

    pub(super) fn is_fixed(&self, index: u32) -> bool {
        self.records[index as usize].words.is_fixed()
    }

    /// Is there a box that contains something?
    pub(super) fn occupies_space(&self, index: u32) -> bool {
        !self.records[index as usize].aabb.min.x.is_nan()
    }

    #[inline]
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        self.records[a as usize].aabb.overlaps(&self.records[b as usize].aabb)
    }

    /// May two different living proxies pair?
    #[inline]
    pub(super) fn allows(&self, a: u32, b: u32) -> bool {
        let (words_a, words_b) = (&self.records[a as usize].words, &self.records[b as usize].words);
        words_a.allows(words_b) && !(words_a.has_exclusions() && self.exclusions.contains(ProxyId(a), ProxyId(b)))
    }

    /// How far the faces of the box moved at most since `rest`, in metres.
    pub(super) fn travelled(&self, index: u32) -> f64 {
        self.motions[index as usize].travelled
    }

    /// Reads a proxy ahead of its use.
    #[inline]
    pub(super) fn touch(&self, index: u32) -> u64 {
        self.motions[index as usize].limit.to_bits() ^ self.records[index as usize].aabb.min.x.to_bits()
    }

    /// Has the box left the region it was given?
    pub(super) fn left_region(&self, index: u32) -> bool {
        !encloses(&self.motions[index as usize].region, self.aabb(index))
    }

    /// Logs the proxy when its box leaves this region.
    pub(super) fn set_region(&mut self, index: u32, region: Aabb) {
        self.motions[index as usize].region = region;
    }

    /// Counts movements from now on, and logs the proxy when they reach `limit` metres.
    pub(super) fn rest(&mut self, index: u32, limit: f64) {
        let motion = &mut self.motions[index as usize];
        motion.travelled = 0.0;
        motion.limit = limit;
    }

    /// Logs the proxy when its movements since `rest` reach `limit` metres, or earlier.
    pub(super) fn lower_limit(&mut self, index: u32, limit: f64) {
        let motion = &mut self.motions[index as usize];
        motion.limit = motion.limit.min(limit);
    }

    /// How far the faces of the two must move, in metres, before what `overlap` says can change; 0 if in doubt.
    #[inline]
    pub(super) fn slack(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (&self.records[a as usize].aabb, &self.records[b as usize].aabb);
        // Apart: the widest gap. Overlapping: the shallowest overlap, which is the widest negative gap. Faces at
        // infinity do not count: they cannot move a little.
        let (below, above) = (b.min - a.max, a.min - b.max);
        let gaps = [below.x, below.y, below.z, above.x, above.y, above.z];
        let widest = gaps.into_iter().fold(f64::NEG_INFINITY, |most, gap| if gap > most { gap } else { most });
        widest.abs()
    }

    /// Which proxies were logged since the log was cleared, each once.
    pub(super) fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Logs every living proxy as changed.
    pub(super) fn log_all(&mut self) {
        for index in 0..self.records.len() as u32 {
            if self.is_alive(index) {
                self.log(index, 0);
            }
        }
    }

    pub(super) fn clear_changes(&mut self) {
        for &index in &self.changes {
            self.flags[index as usize] &= !(CHANGED | RESET);
        }
        self.changes.clear();
    }
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

/// The largest distance that a face moved; 0 for a face that stays at infinity.
#[inline]
fn largest_movement(old: &Aabb, new: &Aabb) -> f64 {
    let (low, high) = ((new.min - old.min).abs(), (new.max - old.max).abs());
    // A NaN is never larger.
    let larger = |most: f64, distance: f64| if distance > most { distance } else { most };
    let lower = larger(larger(larger(0.0, low.x), low.y), low.z);
    let upper = larger(larger(larger(0.0, high.x), high.y), high.z);
    larger(lower, upper)
}

#[inline]
fn checked(aabb: Aabb) -> Result<Aabb, BroadPhaseError> {
    if aabb.min.cmple(aabb.max).all() {
        Ok(aabb)
    } else if aabb.min.is_nan() || aabb.max.is_nan() {
        Err(BroadPhaseError::NotANumber)
    } else {
        Ok(NOTHING)
    }
}
