//! The boxes that a broad phase pairs, and the log of what changed since its last update.

use burgess_geometry::Aabb;

use super::filter::{Exclusions, FilterWords};
use super::motion::{ALIVE, BROKEN, CHANGED, ELSEWHERE, Motion, NOTHING, RESET, Record};
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

/// The most proxies at one time: candidate lists keep one bit of a name for themselves.
pub(super) const MOST_PROXIES: usize = 1 << 31;

/// All proxies of a broad phase. Changes take effect at its next update.
///
/// A box with a NaN is refused. A box whose minimum exceeds its maximum on some axis contains nothing and pairs with
/// nothing. Infinite boxes are welcome.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    records: Vec<Record>,
    motions: Vec<Motion>,
    words: Vec<FilterWords>,
    free: Vec<u32>,
    /// Names with `CHANGED`, in the order of their first change.
    changes: Vec<u32>,
    exclusions: Exclusions,
    /// Sorted names of the trees whose links do not pair among each other.
    without_self_collision: Vec<TreeId>,
    /// How many updates there were.
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
            None if self.records.len() >= MOST_PROXIES => {
                return Err(BroadPhaseError::TooManyProxies { limit: MOST_PROXIES });
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

    /// Removes a proxy. Its name, and the exclusions that mention it, are forgotten.
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
            if self.is_alive(index as u32) && self.words[index].tree() == Some(tree) {
                self.words[index].set_self_collision(allowed);
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
        Some(self.words.get(id.index()).filter(|_| self.is_alive(id.0))?.filter())
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
        const NO_LONGER: u8 = RESET | BROKEN;
        if flags & NO_LONGER != 0 && record.flags & NO_LONGER == 0 {
            record.breaks = record.breaks.wrapping_add(1);
        }
        record.flags |= CHANGED | flags;
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

    /// Did it move faster than its pace since the last update?
    #[inline]
    pub(super) fn is_broken(&self, index: u32) -> bool {
        self.records[index as usize].flags & BROKEN != 0
    }

    /// Reads a proxy ahead of its use.
    pub(super) fn touch(&self, index: u32) -> u8 {
        self.records[index as usize].flags ^ self.motions[index as usize].smallest.to_bits() as u8
    }

    /// Guesses anew the pace of a proxy that broke it.
    pub(super) fn raise_pace(&mut self, index: u32) {
        self.records[index as usize].raise_pace(&self.motions[index as usize]);
    }

    /// Has the box left its region, become too small for it, or is there anything else new about it but its pace?
    #[inline]
    pub(super) fn is_elsewhere(&self, index: u32) -> bool {
        self.records[index as usize].flags & (ELSEWHERE | RESET) != 0
    }

    /// Logs the proxy when its box leaves this region or its longest side is below `smallest`, in metres.
    pub(super) fn set_region(&mut self, index: u32, region: Aabb, smallest: f32) {
        let motion = &mut self.motions[index as usize];
        (motion.region, motion.smallest) = (region, smallest);
    }

    /// The number of the coming update.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// Which proxies were logged since the log was cleared, each once.
    pub(super) fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Logs every living proxy as being elsewhere.
    pub(super) fn log_all(&mut self) {
        for index in 0..self.records.len() as u32 {
            if self.is_alive(index) {
                self.log(index, ELSEWHERE);
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
