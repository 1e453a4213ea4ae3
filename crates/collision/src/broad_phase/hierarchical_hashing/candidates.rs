//! Candidate pairs: how many tiles two proxies share (000 section 2.3.3), and whether their boxes overlap.

use std::collections::VecDeque;

use super::super::Proxies;
use super::super::pair::{PairKey, PairList, key_members, pair_key};
use super::pool::Pool;
use super::tiles::home;

/// In a candidate list: the boxes overlap.
const OVERLAPPING: u32 = 1 << 31;
const FIRST_LOG2: u32 = 2;

/// The shared tiles counter of two proxies, and where each stands in the other's candidate list.
#[derive(Debug, Clone, Copy, Default)]
struct Counter {
    /// 0 if the place is vacant.
    key: PairKey,
    shared_tiles: u32,
    /// Place of b in the list of a.
    place_in_a: u32,
    /// Place of a in the list of b.
    place_in_b: u32,
    /// The update in which the counter last fell to 0.
    zero_since: u32,
}

/// The candidates of one proxy: a block of the pool.
#[derive(Debug, Clone, Copy, Default)]
struct List {
    block: u32,
    len: u32,
    /// 0: no block.
    log2: u32,
}

/// All candidate pairs. The counters are a hash table; besides, every proxy lists its candidates, so that an update
/// looks only at the pairs of those that moved.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    counters: Vec<Counter>,
    count: usize,
    lists: Vec<List>,
    pool: Pool,
    /// Pairs whose counter fell to 0 and when: the hysteresis array, oldest first.
    lingering: VecDeque<(PairKey, u32)>,
    now: u32,
    pub created: u64,
    /// Counters changed and pairs tested since the last `start_update`.
    pub operations: u64,
}

impl Candidates {
    pub fn len(&self) -> usize {
        self.count
    }

    /// Makes room for proxies with names below `proxies`.
    pub fn start_update(&mut self, proxies: usize) {
        self.now = self.now.wrapping_add(1);
        self.operations = 0;
        if self.lists.len() < proxies {
            self.lists.resize(proxies, List::default());
        }
    }

    /// Counts one more shared tile; the first makes the two a candidate pair.
    #[inline]
    pub fn meet(&mut self, x: u32, y: u32) {
        self.operations += 1;
        if (self.count + 1) * 2 > self.counters.len() {
            self.grow();
        }
        let key = pair_key(x, y);
        let place = self.find(key);
        if self.counters[place].key == key {
            self.counters[place].shared_tiles += 1;
            return;
        }
        let (a, b) = key_members(key);
        let (place_in_a, place_in_b) = (self.push(a, b), self.push(b, a));
        self.counters[place] = Counter { key, shared_tiles: 1, place_in_a, place_in_b, zero_since: 0 };
        self.count += 1;
        self.created += 1;
    }

    /// Counts one shared tile less; after the last the pair lingers for some updates.
    #[inline]
    pub fn part(&mut self, x: u32, y: u32) {
        self.operations += 1;
        let key = pair_key(x, y);
        let Some(place) = self.look_up(key) else { return };
        let counter = &mut self.counters[place];
        counter.shared_tiles = counter.shared_tiles.saturating_sub(1);
        if counter.shared_tiles == 0 {
            counter.zero_since = self.now;
            self.lingering.push_back((key, self.now));
        }
    }

    /// Tests the boxes of a proxy that changed against those of its candidates. A pair of two that changed is tested
    /// once, from the smaller name.
    #[inline]
    pub fn test(&mut self, x: u32, proxies: &Proxies, pairs: &mut PairList) {
        let List { block, len, log2 } = self.lists[x as usize];
        if len == 0 {
            return;
        }
        for place in 0..len {
            let entry = self.pool.block(block, log2)[place as usize];
            let y = entry & !OVERLAPPING;
            if y < x && proxies.is_changed(y) {
                continue;
            }
            self.operations += 1;
            let overlapping = proxies.overlap(x, y);
            if overlapping != (entry & OVERLAPPING != 0) {
                let key = pair_key(x, y);
                if overlapping {
                    pairs.begin(key)
                } else {
                    pairs.end(key)
                }
                self.flip(key);
            }
        }
    }

    /// Ends the pairs that share no tile for `hysteresis` updates.
    pub fn end_lingering(&mut self, hysteresis: u32, pairs: &mut PairList) {
        while let Some(&(key, since)) = self.lingering.front() {
            if self.now.wrapping_sub(since) < hysteresis {
                break;
            }
            self.lingering.pop_front();
            let Some(place) = self.look_up(key) else { continue };
            let counter = &self.counters[place];
            // It may have met again, and even parted again later.
            if counter.shared_tiles == 0 && counter.zero_since == since {
                self.remove(place, pairs);
            }
        }
    }

    /// Ends all pairs of a proxy.
    pub fn drop_proxy(&mut self, x: u32, pairs: &mut PairList) {
        while let List { block, len, log2 } = self.lists[x as usize]
            && len > 0
        {
            let y = self.pool.block(block, log2)[len as usize - 1] & !OVERLAPPING;
            let place = self.find(pair_key(x, y));
            self.operations += 1;
            self.remove(place, pairs);
        }
    }

    /// Forgets all pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.counters.fill(Counter::default());
        self.count = 0;
        self.lists.fill(List::default());
        self.pool.clear();
        self.lingering.clear();
    }

    /// Inverts what both lists say of the pair's boxes.
    fn flip(&mut self, key: PairKey) {
        let Some(place) = self.look_up(key) else { return };
        let Counter { place_in_a, place_in_b, .. } = self.counters[place];
        let (a, b) = key_members(key);
        *self.entry(a, place_in_a) ^= OVERLAPPING;
        *self.entry(b, place_in_b) ^= OVERLAPPING;
    }

    fn remove(&mut self, place: usize, pairs: &mut PairList) {
        let Counter { key, place_in_a, place_in_b, .. } = self.counters[place];
        let (a, b) = key_members(key);
        if *self.entry(a, place_in_a) & OVERLAPPING != 0 {
            pairs.end(key);
        }
        self.take(a, place_in_a);
        self.take(b, place_in_b);
        self.vacate(place);
        self.count -= 1;
    }

    fn entry(&mut self, owner: u32, place: u32) -> &mut u32 {
        let List { block, log2, .. } = self.lists[owner as usize];
        &mut self.pool.block_mut(block, log2)[place as usize]
    }

    /// Adds a candidate to the list of `owner`; returns its place.
    fn push(&mut self, owner: u32, candidate: u32) -> u32 {
        let list = &mut self.lists[owner as usize];
        if list.log2 == 0 {
            list.log2 = FIRST_LOG2;
            list.block = self.pool.take(FIRST_LOG2, 0);
        } else if list.len == 1 << list.log2 {
            list.block = self.pool.double(list.block, list.log2);
            list.log2 += 1;
        }
        self.pool.block_mut(list.block, list.log2)[list.len as usize] = candidate;
        list.len += 1;
        list.len - 1
    }

    /// Removes the candidate at `place` from the list of `owner`; the last one takes its place.
    fn take(&mut self, owner: u32, place: u32) {
        let list = &mut self.lists[owner as usize];
        list.len -= 1;
        let List { block, len, log2 } = *list;
        if len == 0 {
            *list = List::default();
        }
        let entries = self.pool.block_mut(block, log2);
        if place != len {
            let last = entries[len as usize];
            entries[place as usize] = last;
            let moved = last & !OVERLAPPING;
            let counter = self.find(pair_key(owner, moved));
            let counter = &mut self.counters[counter];
            if owner < moved {
                counter.place_in_a = place;
            } else {
                counter.place_in_b = place;
            }
        }
        if len == 0 {
            self.pool.release(block, log2);
        }
    }

    fn look_up(&self, key: PairKey) -> Option<usize> {
        let place = if self.counters.is_empty() { return None } else { self.find(key) };
        (self.counters[place].key == key).then_some(place)
    }

    /// Where the pair's counter stands, or where it would.
    #[inline]
    fn find(&self, key: PairKey) -> usize {
        let mask = self.counters.len() - 1;
        let mut place = home(key, self.counters.len());
        while self.counters[place].key != key && self.counters[place].key != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    fn vacate(&mut self, mut gap: usize) {
        let mask = self.counters.len() - 1;
        let mut place = gap;
        loop {
            place = (place + 1) & mask;
            let key = self.counters[place].key;
            if key == 0 {
                break;
            }
            let from_home = place.wrapping_sub(home(key, self.counters.len())) & mask;
            if from_home >= (place.wrapping_sub(gap) & mask) {
                self.counters[gap] = self.counters[place];
                gap = place;
            }
        }
        self.counters[gap] = Counter::default();
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Counter::default(); (2 * self.counters.len()).max(64)];
        for counter in std::mem::replace(&mut self.counters, larger) {
            if counter.key != 0 {
                let place = self.find(counter.key);
                self.counters[place] = counter;
            }
        }
    }
}
