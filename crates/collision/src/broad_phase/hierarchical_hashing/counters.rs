//! The hash table of candidate pairs: how many tiles two proxies share (000 section 2.3.3).

use super::super::pair::PairKey;
use super::tiles::home;

/// The shared tiles counter of two proxies, and where each stands in the other's candidate list.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
pub(super) struct Counter {
    /// 0 if the place is vacant.
    pub key: PairKey,
    pub shared_tiles: u32,
    /// Place of b in the list of a.
    pub place_in_a: u32,
    /// Place of a in the list of b.
    pub place_in_b: u32,
    /// The update in which the two met.
    pub met: u32,
    /// The update in which the counter last fell to 0.
    pub zero_since: u32,
}

/// Open addressing with linear probing, half full at most; gaps are closed on removal.
#[derive(Debug, Clone, Default)]
pub(super) struct Counters {
    table: Vec<Counter>,
    count: usize,
}

impl Counters {
    pub fn len(&self) -> usize {
        self.count
    }

    /// The counter of a pair, and whether it is new: then with nothing but its key.
    #[inline]
    pub fn entry(&mut self, key: PairKey) -> (&mut Counter, bool) {
        if (self.count + 1) * 2 > self.table.len() {
            self.grow();
        }
        let place = self.find(key);
        let counter = &mut self.table[place];
        let new = counter.key == 0;
        if new {
            counter.key = key;
            self.count += 1;
        }
        (counter, new)
    }

    #[inline]
    pub fn get(&self, key: PairKey) -> Option<&Counter> {
        let place = if self.table.is_empty() { return None } else { self.find(key) };
        Some(&self.table[place]).filter(|counter| counter.key == key)
    }

    #[inline]
    pub fn get_mut(&mut self, key: PairKey) -> Option<&mut Counter> {
        let place = if self.table.is_empty() { return None } else { self.find(key) };
        Some(&mut self.table[place]).filter(|counter| counter.key == key)
    }

    /// Takes out the counter of a pair, if there is one.
    pub fn remove(&mut self, key: PairKey) -> Option<Counter> {
        let place = if self.table.is_empty() { return None } else { self.find(key) };
        let counter = self.table[place];
        if counter.key != key {
            return None;
        }
        self.vacate(place);
        self.count -= 1;
        Some(counter)
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.table.fill(Counter::default());
        self.count = 0;
    }

    /// Where the pair's counter stands, or where it would.
    #[inline]
    fn find(&self, key: PairKey) -> usize {
        let mask = self.table.len() - 1;
        let mut place = home(key, self.table.len());
        while self.table[place].key != key && self.table[place].key != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    fn vacate(&mut self, mut gap: usize) {
        let mask = self.table.len() - 1;
        let mut place = gap;
        loop {
            place = (place + 1) & mask;
            let key = self.table[place].key;
            if key == 0 {
                break;
            }
            let from_home = place.wrapping_sub(home(key, self.table.len())) & mask;
            if from_home >= (place.wrapping_sub(gap) & mask) {
                self.table[gap] = self.table[place];
                gap = place;
            }
        }
        self.table[gap] = Counter::default();
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Counter::default(); (2 * self.table.len()).max(64)];
        for counter in std::mem::replace(&mut self.table, larger) {
            if counter.key != 0 {
                let place = self.find(counter.key);
                self.table[place] = counter;
            }
        }
    }
}
