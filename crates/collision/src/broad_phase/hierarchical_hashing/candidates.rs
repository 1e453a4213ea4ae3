//! Candidate pairs: how many tiles two proxies share (000 section 2.3.3), and whether their boxes overlap.
//!
//! When two boxes are tested, the gap between them, or the depth of their overlap, is shared out among the two: as long as neither
//! moves farther than its share, the answer stays. So most candidates of a proxy that moved need not be looked at.

use std::collections::VecDeque;

use super::super::Proxies;
use super::super::pair::{PairKey, PairList, key_members, pair_key};
use super::pool::Pool;
use super::tiles::home;

/// In a candidate list: the boxes overlap.
const OVERLAPPING: u32 = 1 << 31;
/// As many candidates fit into a list itself.
const INSIDE: u32 = 6;
/// A first block holds eight candidates.
const FIRST_LOG2: u32 = 4;
/// Longer lists are not searched from end to end.
const SHORT: u32 = 32;

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

/// The candidates of one proxy in one cache line, or in a block of the pool if there are more of them. A candidate is two
/// numbers: its name (and `OVERLAPPING`), and how far the owner may travel before the pair must be tested, as the bits
/// of an f32 in metres.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct List {
    inside: [u32; 2 * INSIDE as usize],
    len: u32,
    block: u32,
    /// 0: inside.
    log2: u32,
    /// How far the owner may travel before its resolution must be looked at, in metres; here because every visit reads it.
    resolution_limit: f32,
}

impl List {
    #[inline]
    fn entries<'a>(&'a mut self, pool: &'a mut Pool) -> &'a mut [u32] {
        let all = if self.log2 == 0 { &mut self.inside[..] } else { pool.block_mut(self.block, self.log2) };
        &mut all[..2 * self.len as usize]
    }
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

    /// How far a proxy may travel before its resolution must be looked at, in metres.
    pub fn resolution_limit(&self, proxy: u32) -> f64 {
        f64::from(self.lists[proxy as usize].resolution_limit)
    }

    /// Sets the resolution limit to `limit` or a little less.
    pub fn set_resolution_limit(&mut self, proxy: u32, limit: f64) {
        self.lists[proxy as usize].resolution_limit = shortened(limit) as f32;
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

    /// Tests the boxes of a proxy that `travelled` so far, in metres, against those candidates for whom this is too far.
    /// Returns how far it may travel from now on before the next test.
    #[inline]
    pub fn test(&mut self, x: u32, travelled: f64, proxies: &mut Proxies, pairs: &mut PairList) -> f64 {
        let mut next = f64::INFINITY;
        for place in 0..self.lists[x as usize].len {
            let entry = self.entry(x, place);
            let (mut name, limit) = (entry[0], entry[1]);
            let mut rest = f64::from(f32::from_bits(limit)) - travelled;
            if rest > 0.0 {
                rest = shortened(rest);
            } else {
                (name, rest) = self.test_pair(x, name, proxies, pairs);
            }
            self.entry(x, place).copy_from_slice(&[name, (rest as f32).to_bits()]);
            next = next.min(rest);
        }
        next
    }

    /// Reads the list of a proxy ahead of its use.
    #[inline]
    pub fn touch(&self, proxy: u32) -> u64 {
        u64::from(self.lists[proxy as usize].len)
    }

    /// Reads what the tests of a proxy that `travelled` so far will need.
    #[inline]
    pub fn touch_candidates(&mut self, x: u32, travelled: f64, proxies: &Proxies) -> u64 {
        let mut touched = 0;
        for place in 0..self.lists[x as usize].len {
            let entry = self.entry(x, place);
            let (y, limit) = (entry[0] & !OVERLAPPING, f32::from_bits(entry[1]));
            if f64::from(limit) <= travelled {
                touched ^= self.touch(y) ^ proxies.touch(y);
            }
        }
        touched
    }

    /// Tests a pair from the list of `x`; returns the new entry: name, and how far `x` may travel before the next test.
    fn test_pair(&mut self, x: u32, name: u32, proxies: &mut Proxies, pairs: &mut PairList) -> (u32, f64) {
        self.operations += 1;
        let y = name & !OVERLAPPING;
        let overlapping = proxies.overlap(x, y);
        let changed = overlapping != (name & OVERLAPPING != 0);
        let slack = proxies.slack(x, y);
        // What is fixed leaves all the slack to the other.
        let (share_of_x, share_of_y) = match (proxies.is_fixed(x), proxies.is_fixed(y)) {
            (true, _) => (0.0, slack),
            (_, true) => (slack, 0.0),
            _ => (0.5 * slack, 0.5 * slack),
        };
        let limit_of_y = if share_of_y > 0.0 { shortened(proxies.travelled(y) + share_of_y) } else { 0.0 };
        proxies.lower_limit(y, limit_of_y);
        let flag = if overlapping { OVERLAPPING } else { 0 };
        // The limit of what is fixed is 0 already.
        if changed || !proxies.is_fixed(y) {
            let place = self.place_of(x, y);
            self.entry(y, place).copy_from_slice(&[x | flag, (limit_of_y as f32).to_bits()]);
        }
        if changed {
            let key = pair_key(x, y);
            if overlapping { pairs.begin(key) } else { pairs.end(key) }
        }
        (y | flag, shortened(share_of_x))
    }

    /// Where the candidate `x` stands in the list of `owner`.
    fn place_of(&mut self, x: u32, owner: u32) -> u32 {
        let list = &mut self.lists[owner as usize];
        if list.len <= SHORT {
            let mut names = list.entries(&mut self.pool).iter().step_by(2);
            names.position(|name| name & !OVERLAPPING == x).unwrap_or(0) as u32
        } else {
            let counter = &self.counters[self.find(pair_key(x, owner))];
            if x < owner { counter.place_in_b } else { counter.place_in_a }
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
        while let Some(last) = self.lists[x as usize].len.checked_sub(1) {
            let y = self.entry(x, last)[0] & !OVERLAPPING;
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

    fn remove(&mut self, place: usize, pairs: &mut PairList) {
        let Counter { key, place_in_a, place_in_b, .. } = self.counters[place];
        let (a, b) = key_members(key);
        if self.entry(a, place_in_a)[0] & OVERLAPPING != 0 {
            pairs.end(key);
        }
        self.take(a, place_in_a);
        self.take(b, place_in_b);
        self.vacate(place);
        self.count -= 1;
    }

    #[inline]
    fn entry(&mut self, owner: u32, place: u32) -> &mut [u32] {
        &mut self.lists[owner as usize].entries(&mut self.pool)[2 * place as usize..][..2]
    }

    /// Adds a candidate, to be tested as soon as possible, to the list of `owner`; returns its place.
    fn push(&mut self, owner: u32, candidate: u32) -> u32 {
        let list = &mut self.lists[owner as usize];
        if list.log2 == 0 && list.len == INSIDE {
            list.block = self.pool.take(FIRST_LOG2, 0);
            self.pool.block_mut(list.block, FIRST_LOG2)[..list.inside.len()].copy_from_slice(&list.inside);
            list.log2 = FIRST_LOG2;
        } else if list.log2 > 0 && 2 * list.len == 1 << list.log2 {
            list.block = self.pool.double(list.block, list.log2);
            list.log2 += 1;
        }
        list.len += 1;
        let place = list.len - 1;
        self.entry(owner, place).copy_from_slice(&[candidate, 0.0_f32.to_bits()]);
        place
    }

    /// Removes the candidate at `place` from the list of `owner`; the last one takes its place.
    fn take(&mut self, owner: u32, place: u32) {
        let list = &mut self.lists[owner as usize];
        let last = list.len - 1;
        if place != last {
            let entries = list.entries(&mut self.pool);
            entries.copy_within(2 * last as usize.., 2 * place as usize);
            let moved = entries[2 * place as usize] & !OVERLAPPING;
            let counter = self.find(pair_key(owner, moved));
            let counter = &mut self.counters[counter];
            if owner < moved {
                counter.place_in_a = place;
            } else {
                counter.place_in_b = place;
            }
        }
        let list = &mut self.lists[owner as usize];
        list.len = last;
        if last == 0 && list.log2 > 0 {
            self.pool.release(list.block, list.log2);
            list.log2 = 0;
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

/// A length in metres rounded to an f32 a little shorter than it is, so that no rounding here or before makes it too long.
#[inline]
fn shortened(length: f64) -> f64 {
    const SHORTER: f64 = 1.0 - 1.0 / (1_u64 << 20) as f64;
    let shorter = length.min(f64::from(f32::MAX)) * SHORTER;
    if shorter < f64::from(f32::MIN_POSITIVE) { 0.0 } else { f64::from(shorter as f32) }
}
