//! The proxies of a broad phase, and the log of changes since its last update.

use burgess_geometry::Aabb;

use super::filter::{Exclusions, FilterWords};
use super::motion::{ALIVE, BROKEN, CHANGED, LEFT_REGION, Motion, NOTHING, RESET, Record};
use super::{BroadPhaseError, Filter, ProxyId, TreeId};

/// A box and its filter, as given to a broad phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy {
    /// The box, in metres.
    pub aabb: Aabb,
    /// Whether the proxy rarely moves. Two fixed proxies never pair.
    pub fixed: bool,
    /// What it may pair with.
    pub filter: Filter,
}

impl Proxy {
    /// Creates a proxy that moves and pairs with everything.
    pub fn moving(aabb: Aabb) -> Self {
        Self { aabb, fixed: false, filter: Filter::default() }
    }

    /// Creates a proxy that does not move and pairs with everything that moves.
    pub fn fixed(aabb: Aabb) -> Self {
        Self { aabb, fixed: true, filter: Filter::default() }
    }
}

/// Maximum number of proxies: candidate lists use one bit of an id as a flag.
pub(super) const MAX_PROXIES: usize = 1 << 31;

/// All proxies of a broad phase. Changes take effect at its next update.
///
/// A box with a NaN coordinate is rejected. A box whose minimum exceeds its maximum on some axis is empty and pairs
/// with nothing. Infinite boxes are allowed.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    records: Vec<Record>,
    motions: Vec<Motion>,
    words: Vec<FilterWords>,
    free: Vec<u32>,
    /// Ids with the flag `CHANGED`, in the order of their first change.
    changes: Vec<u32>,
    exclusions: Exclusions,
    /// Sorted ids of the trees whose links do not pair with each other.
    without_self_collision: Vec<TreeId>,
    /// Number of updates so far.
    now: u32,
}

impl Proxies {
    /// Adds a proxy.
    pub fn insert(&mut self, proxy: Proxy) -> Result<ProxyId, BroadPhaseError> {
        let aabb = checked(proxy.aabb)?;
        let mut words = FilterWords::new(proxy.filter, proxy.fixed)?;
        self.apply_self_collision(&mut words);
        let index = match self.free.pop() {
            Some(index) => {
                self.records[index as usize].revive(aabb);
                self.motions[index as usize] = Motion::UNOBSERVED;
                self.words[index as usize] = words;
                index
            }
            None if self.records.len() >= MAX_PROXIES => {
                return Err(BroadPhaseError::TooManyProxies { limit: MAX_PROXIES });
            }
            None => {
                self.records.push(Record::new(aabb));
                self.motions.push(Motion::UNOBSERVED);
                self.words.push(words);
                (self.records.len() - 1) as u32
            }
        };
        self.log(index, RESET);
        Ok(ProxyId(index))
    }

    /// Removes a proxy and its exclusions. Its id may be reused.
    pub fn remove(&mut self, id: ProxyId) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        while let Some(partner) = self.exclusions.partner(id) {
            self.exclusions.remove(id, partner);
            self.refresh_exclusion_flag(partner);
        }
        self.records[id.index()].flags &= !ALIVE;
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
        let record = &mut self.records[id.index()];
        let old = std::mem::replace(&mut record.aabb, aabb);
        if old.min.x.is_nan() | aabb.min.x.is_nan() {
            self.log(id.0, RESET);
        } else if old != aabb {
            let flags = self.motions[id.index()].follow(record, &old, self.now);
            if flags != 0 {
                self.log(id.0, flags);
            }
        }
        Ok(())
    }

    /// Changes what a proxy may pair with.
    pub fn set_filter(&mut self, id: ProxyId, filter: Filter) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        self.replace_words(id, filter, self.words[id.index()].is_fixed())
    }

    /// Declares a proxy fixed or moving.
    pub fn set_fixed(&mut self, id: ProxyId, fixed: bool) -> Result<(), BroadPhaseError> {
        self.check(id)?;
        self.replace_words(id, self.words[id.index()].filter(), fixed)
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

    /// Removes an exclusion.
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

    /// Sets whether links of this tree may pair with each other (the default). The setting remains when the tree's
    /// proxies are removed. Takes time proportional to the number of proxies.
    pub fn set_self_collision(&mut self, tree: TreeId, allowed: bool) {
        match (self.without_self_collision.binary_search(&tree), allowed) {
            (Ok(place), true) => {
                self.without_self_collision.remove(place);
            }
            (Err(place), false) => self.without_self_collision.insert(place, tree),
            _ => return,
        }
        for index in 0..self.records.len() {
            if self.is_alive(index as u32) && self.words[index].tree() == Some(tree) {
                self.words[index].set_self_collision(allowed);
                self.log(index as u32, RESET);
            }
        }
    }

    /// Returns the box of a proxy, in metres; `None` if the proxy does not exist.
    pub fn get_box(&self, id: ProxyId) -> Option<Aabb> {
        let aabb = self.records.get(id.index()).filter(|_| self.is_alive(id.0))?.aabb;
        Some(if aabb.min.x.is_nan() { Aabb::EMPTY } else { aabb })
    }

    /// Returns the filter of a proxy; `None` if the proxy does not exist.
    pub fn filter(&self, id: ProxyId) -> Option<Filter> {
        Some(self.words.get(id.index()).filter(|_| self.is_alive(id.0))?.filter())
    }

    /// Returns the number of proxies.
    pub fn len(&self) -> usize {
        self.records.len() - self.free.len()
    }

    /// Returns whether there are no proxies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ids of all proxies, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = ProxyId> + '_ {
        (0..self.records.len() as u32).filter(|&index| self.is_alive(index)).map(ProxyId)
    }

    /// Returns whether the two may pair. False for a proxy and itself, and for an unused id.
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
        if self.words[id.index()] != words {
            self.words[id.index()] = words;
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
        self.words[id.index()].set_has_exclusions(any);
    }

    #[inline]
    fn log(&mut self, index: u32, flags: u8) {
        let record = &mut self.records[index as usize];
        if record.flags & CHANGED == 0 {
            self.changes.push(index);
        }
        const INVALIDATED: u8 = RESET | BROKEN;
        if flags & INVALIDATED != 0 && record.flags & INVALIDATED == 0 {
            record.breaks = record.breaks.wrapping_add(1);
        }
        record.flags |= CHANGED | flags;
    }
}

/// Methods for the implementations of broad phases.
impl Proxies {
    /// Returns the number of ids that were ever in use.
    pub(super) fn capacity(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub(super) fn is_alive(&self, index: u32) -> bool {
        self.records.get(index as usize).is_some_and(|record| record.flags & ALIVE != 0)
    }

    #[inline]
    pub(super) fn is_reset(&self, index: u32) -> bool {
        self.records[index as usize].flags & RESET != 0
    }

    #[inline]
    pub(super) fn aabb(&self, index: u32) -> &Aabb {
        &self.records[index as usize].aabb
    }

    pub(super) fn is_fixed(&self, index: u32) -> bool {
        self.words[index as usize].is_fixed()
    }

    /// Returns whether the proxy's box is not empty.
    pub(super) fn occupies_space(&self, index: u32) -> bool {
        !self.records[index as usize].aabb.min.x.is_nan()
    }

    #[inline]
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        self.records[a as usize].aabb.overlaps(&self.records[b as usize].aabb)
    }

    /// Returns whether two different live proxies may pair.
    #[inline]
    pub(super) fn allows(&self, a: u32, b: u32) -> bool {
        let (words_a, words_b) = (&self.words[a as usize], &self.words[b as usize]);
        words_a.allows(words_b) && !(words_a.has_exclusions() && self.exclusions.contains(ProxyId(a), ProxyId(b)))
    }

    #[inline]
    pub(super) fn record(&self, index: u32) -> &Record {
        &self.records[index as usize]
    }

    #[inline]
    pub(super) fn record_mut(&mut self, index: u32) -> &mut Record {
        &mut self.records[index as usize]
    }

    /// Returns whether the box moved faster than its pace since the last update.
    #[inline]
    pub(super) fn is_broken(&self, index: u32) -> bool {
        self.records[index as usize].flags & BROKEN != 0
    }

    /// Reads a proxy ahead of its use.
    pub(super) fn prefetch(&self, index: u32) -> u8 {
        self.records[index as usize].flags ^ self.motions[index as usize].smallest.to_bits() as u8
    }

    /// Estimates the pace of a proxy that broke it.
    pub(super) fn raise_pace(&mut self, index: u32) {
        self.records[index as usize].raise_pace(&self.motions[index as usize]);
    }

    /// Returns whether the box left its region, became too small for it, or was reset.
    #[inline]
    pub(super) fn has_left_region(&self, index: u32) -> bool {
        self.records[index as usize].flags & (LEFT_REGION | RESET) != 0
    }

    /// Logs the proxy when its box leaves this region or its longest side is shorter than `smallest`, in metres.
    pub(super) fn set_region(&mut self, index: u32, region: Aabb, smallest: f32) {
        let motion = &mut self.motions[index as usize];
        (motion.region, motion.smallest) = (region, smallest);
    }

    /// Returns the number of the next update.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// Returns the proxies logged since the log was cleared, each once.
    pub(super) fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Logs every live proxy as having left its region.
    pub(super) fn log_all(&mut self) {
        for index in 0..self.records.len() as u32 {
            if self.is_alive(index) {
                self.log(index, LEFT_REGION);
            }
        }
    }

    /// Ends an update.
    pub(super) fn clear_changes(&mut self) {
        for &index in &self.changes {
            self.records[index as usize].flags &= ALIVE;
        }
        self.changes.clear();
        self.now = self.now.wrapping_add(1);
    }
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
