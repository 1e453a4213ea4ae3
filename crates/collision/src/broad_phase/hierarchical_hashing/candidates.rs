//! Candidate pairs: which proxies share a tile (Fontijne 2000, section 2.3.3), which boxes overlap, and when to test
//! again.
//!
//! A tested pair is scheduled for the first update that could change the result if both keep their pace. All pairs of a
//! proxy that broke its pace are tested at once. Scheduled tests are never cancelled: an outdated one is dropped when
//! it is due. It is outdated if either proxy has broken its pace since, or if the pair ceased to be a candidate in
//! between. The latter shows in the counter, which is looked up when a result matters: when it changed or is old.

use std::collections::VecDeque;
use std::hint::black_box;

use super::super::Proxies;
use super::super::pair::{PairKey, PairList, key_members, pair_key};
use super::counters::{Counter, Counters};
use super::pool::Pool;
use super::wheel::{SPOKES, ScheduledTest, Wheel};

/// Flag in a candidate list: the boxes overlap.
const OVERLAPPING: u32 = 1 << 31;
/// Number of candidates stored inline in a list.
const INLINE: u32 = 13;
/// Logarithm of the number of candidates in a first block.
const FIRST_LOG2: u32 = 5;

/// The candidates of one proxy, in one cache line, or in a block of the pool if there are more of them.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct List {
    inside: [u32; INLINE as usize],
    len: u32,
    block: u32,
    /// Logarithm of the block's size; 0 if the candidates are stored inline.
    log2: u32,
}

impl List {
    #[inline]
    fn names<'a>(&'a self, pool: &'a Pool) -> &'a [u32] {
        let all = if self.log2 == 0 { &self.inside[..] } else { pool.block(self.block, self.log2) };
        &all[..self.len as usize]
    }

    #[inline]
    fn names_mut<'a>(&'a mut self, pool: &'a mut Pool) -> &'a mut [u32] {
        let all = if self.log2 == 0 { &mut self.inside[..] } else { pool.block_mut(self.block, self.log2) };
        &mut all[..self.len as usize]
    }
}

/// All candidate pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    counters: Counters,
    lists: Vec<List>,
    pool: Pool,
    wheel: Wheel,
    /// Pairs whose counter fell to 0, and when: the hysteresis array, oldest first.
    lingering: VecDeque<(PairKey, u32)>,
    now: u32,
    pub created: u64,
    /// Counters changed and pairs tested since the last `start_update`.
    pub operations: u64,
}

impl Candidates {
    pub fn len(&self) -> usize {
        self.counters.len()
    }

    /// Allocates lists for all proxies.
    pub fn start_update(&mut self, proxies: &Proxies) {
        self.now = proxies.now();
        self.operations = 0;
        if self.lists.len() < proxies.capacity() {
            self.lists.resize(proxies.capacity(), List::default());
        }
    }

    /// Reads the list of a proxy ahead of its use.
    pub fn prefetch(&self, proxy: u32) -> u8 {
        self.lists[proxy as usize].len as u8
    }

    /// Counts one more shared tile. The first one makes the two a candidate pair, which is tested in this update.
    #[inline]
    pub fn add_shared_tile(&mut self, x: u32, y: u32, proxies: &Proxies) {
        self.operations += 1;
        let key = pair_key(x, y);
        let (counter, new) = self.counters.entry(key);
        counter.shared_tiles += 1;
        if !new {
            return;
        }
        counter.met = self.now;
        let (a, b) = key_members(key);
        counter.place_in_a = push(&mut self.lists[a as usize], &mut self.pool, b);
        counter.place_in_b = push(&mut self.lists[b as usize], &mut self.pool, a);
        self.created += 1;
        if !(proxies.is_broken(a) | proxies.is_broken(b)) {
            self.schedule_now(key, false, proxies);
        }
    }

    /// Counts one shared tile less. After the last one the pair remains a candidate for some updates.
    #[inline]
    pub fn remove_shared_tile(&mut self, x: u32, y: u32) {
        self.operations += 1;
        let key = pair_key(x, y);
        let Some(counter) = self.counters.get_mut(key) else { return };
        counter.shared_tiles = counter.shared_tiles.saturating_sub(1);
        if counter.shared_tiles == 0 {
            counter.zero_since = self.now;
            self.lingering.push_back((key, self.now));
        }
    }

    /// Schedules all pairs of a proxy that broke its pace for this update.
    pub fn schedule_all_of(&mut self, x: u32, proxies: &Proxies) {
        for place in 0..self.lists[x as usize].len {
            let name = self.lists[x as usize].names(&self.pool)[place as usize];
            let y = name & !OVERLAPPING;
            // If both broke their pace, the first one schedules the pair.
            if y > x || !proxies.is_broken(y) {
                self.schedule_now(pair_key(x, y), name & OVERLAPPING != 0, proxies);
            }
        }
    }

    fn schedule_now(&mut self, key: PairKey, overlapping: bool, proxies: &Proxies) {
        let (a, b) = key_members(key);
        let breaks = [a, b].map(|proxy| proxies.record(proxy).breaks);
        self.wheel.put(self.now, ScheduledTest::new(key, overlapping, breaks, self.now));
    }

    /// Tests all pairs that are due.
    pub fn test_due(&mut self, prefetch: bool, proxies: &mut Proxies, pairs: &mut PairList) {
        let mut batch = Wheel::batch();
        loop {
            let len = self.wheel.take(self.now, &mut batch);
            if len == 0 {
                break;
            }
            let due = &batch[..len];
            if prefetch {
                black_box(due.iter().fold(0, |touched, each| {
                    touched ^ proxies.record(each.a()).breaks ^ proxies.record(each.b).breaks
                }));
            }
            for each in due {
                self.run_test(*each, proxies, pairs);
            }
        }
    }

    /// Tests a pair, unless the scheduled test is outdated, and schedules the next test.
    #[inline]
    fn run_test(&mut self, scheduled: ScheduledTest, proxies: &mut Proxies, pairs: &mut PairList) {
        let (a, b) = (scheduled.a(), scheduled.b);
        let (record_a, record_b) = (proxies.record(a), proxies.record(b));
        if [record_a.breaks, record_b.breaks] != scheduled.breaks {
            return;
        }
        self.operations += 1;
        if record_a.may_rest(self.now) | record_b.may_rest(self.now) {
            proxies.record_mut(a).rest(self.now);
            proxies.record_mut(b).rest(self.now);
        }
        let (overlapping, wait) = proxies.record(a).compare(proxies.record(b));
        let changed = overlapping != scheduled.overlapping();
        let wait = match wait {
            Some(updates) if !changed && (updates < SPOKES - 1 || scheduled.age(self.now) == 0) => {
                updates.min(SPOKES - 2) + 1
            }
            _ => {
                let Some(counter) = self.counters.get(scheduled.key()) else { return };
                if self.now.wrapping_sub(counter.met) < scheduled.age(self.now) {
                    return;
                }
                if changed {
                    let counter = *counter;
                    self.change(&counter, overlapping, pairs);
                }
                let Some(updates) = wait else { return };
                updates.min(SPOKES - 2) + 1
            }
        };
        self.wheel.put(self.now.wrapping_add(wait), scheduled.renewed(overlapping));
    }

    #[cold]
    fn change(&mut self, counter: &Counter, overlapping: bool, pairs: &mut PairList) {
        let (a, b) = key_members(counter.key);
        for (owner, place) in [(a, counter.place_in_a), (b, counter.place_in_b)] {
            let name = &mut self.lists[owner as usize].names_mut(&mut self.pool)[place as usize];
            *name = *name & !OVERLAPPING | if overlapping { OVERLAPPING } else { 0 };
        }
        if overlapping { pairs.begin(counter.key) } else { pairs.end(counter.key) }
    }

    /// Ends the pairs that have shared no tile for `hysteresis` updates.
    pub fn end_lingering(&mut self, hysteresis: u32, pairs: &mut PairList) {
        while let Some(&(key, since)) = self.lingering.front() {
            if self.now.wrapping_sub(since) < hysteresis {
                break;
            }
            self.lingering.pop_front();
            // The pair may share a tile again, or may have ceased to share one later.
            if self.counters.get(key).is_some_and(|counter| counter.shared_tiles == 0 && counter.zero_since == since) {
                self.remove(key, pairs);
            }
        }
    }

    /// Ends all pairs of a proxy.
    pub fn drop_proxy(&mut self, x: u32, pairs: &mut PairList) {
        while let Some(&name) = self.lists[x as usize].names(&self.pool).last() {
            self.operations += 1;
            self.remove(pair_key(x, name & !OVERLAPPING), pairs);
        }
    }

    /// Removes all pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.counters.clear();
        self.lists.fill(List::default());
        self.pool.clear();
        self.wheel.clear();
        self.lingering.clear();
    }

    fn remove(&mut self, key: PairKey, pairs: &mut PairList) {
        let Some(counter) = self.counters.remove(key) else { return };
        let (a, b) = key_members(key);
        if self.lists[a as usize].names(&self.pool)[counter.place_in_a as usize] & OVERLAPPING != 0 {
            pairs.end(key);
        }
        self.take(a, counter.place_in_a);
        self.take(b, counter.place_in_b);
    }

    /// Removes the candidate at `place` from the list of `owner`. The last one takes its place.
    fn take(&mut self, owner: u32, place: u32) {
        let list = &mut self.lists[owner as usize];
        let last = list.len - 1;
        if place != last {
            let names = list.names_mut(&mut self.pool);
            names[place as usize] = names[last as usize];
            let moved = names[place as usize] & !OVERLAPPING;
            if let Some(counter) = self.counters.get_mut(pair_key(owner, moved)) {
                *(if owner < moved { &mut counter.place_in_a } else { &mut counter.place_in_b }) = place;
            }
        }
        list.len = last;
        if last == 0 && list.log2 > 0 {
            self.pool.release(list.block, list.log2);
            list.log2 = 0;
        }
    }
}

/// Adds a candidate to a list. Returns its place.
fn push(list: &mut List, pool: &mut Pool, candidate: u32) -> u32 {
    if list.log2 == 0 && list.len == INLINE {
        list.block = pool.take(FIRST_LOG2, 0);
        pool.block_mut(list.block, FIRST_LOG2)[..list.inside.len()].copy_from_slice(&list.inside);
        list.log2 = FIRST_LOG2;
    } else if list.log2 > 0 && list.len == 1 << list.log2 {
        list.block = pool.double(list.block, list.log2);
        list.log2 += 1;
    }
    let place = list.len;
    list.len += 1;
    list.names_mut(pool)[place as usize] = candidate;
    place
}
