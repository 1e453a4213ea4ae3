//! A hash table with open addressing and linear probing, at most half full. Gaps are closed on removal.

/// An entry of a [`Table`]. The default entry has key 0 and marks a vacant slot.
pub(super) trait Entry: Copy + Default {
    /// Returns the key; 0 if the slot is vacant.
    fn key(&self) -> u64;
    /// Creates an entry that has only its key set.
    fn with_key(key: u64) -> Self;
}

/// A hash table of entries that contain their keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Table<T> {
    slots: Vec<T>,
    len: usize,
}

impl<T: Entry> Table<T> {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the entry of a key, and whether it is new.
    #[inline]
    pub fn entry(&mut self, key: u64) -> (&mut T, bool) {
        if (self.len + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.find(key);
        let entry = &mut self.slots[slot];
        let new = entry.key() == 0;
        if new {
            *entry = T::with_key(key);
            self.len += 1;
        }
        (entry, new)
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&T> {
        let slot = self.slot(key)?;
        Some(&self.slots[slot])
    }

    #[inline]
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        let slot = self.slot(key)?;
        Some(&mut self.slots[slot])
    }

    /// Removes and returns the entry of a key, if there is one.
    pub fn remove(&mut self, key: u64) -> Option<T> {
        let slot = self.slot(key)?;
        let entry = self.slots[slot];
        self.vacate(slot);
        self.len -= 1;
        Some(entry)
    }

    /// Reads the first slot of a key. Doing so for several keys before using them loads their cache lines in parallel.
    #[inline]
    pub fn prefetch(&self, key: u64) -> u64 {
        self.slots.get(home(key, self.slots.len().max(1))).map_or(0, T::key)
    }

    /// Removes all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.slots.fill(T::default());
        self.len = 0;
    }

    /// Returns the slot of an existing entry.
    #[inline]
    fn slot(&self, key: u64) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.find(key)).filter(|&slot| self.slots[slot].key() == key)
    }

    /// Returns the slot of an entry, or the vacant slot where it would be stored.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = home(key, self.slots.len());
        while self.slots[slot].key() != key && self.slots[slot].key() != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn vacate(&mut self, mut gap: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = gap;
        loop {
            slot = (slot + 1) & mask;
            let key = self.slots[slot].key();
            if key == 0 {
                break;
            }
            // Close the gap with an entry that may be stored in it.
            let from_home = slot.wrapping_sub(home(key, self.slots.len())) & mask;
            if from_home >= (slot.wrapping_sub(gap) & mask) {
                self.slots[gap] = self.slots[slot];
                gap = slot;
            }
        }
        self.slots[gap] = T::default();
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![T::default(); (2 * self.slots.len()).max(64)];
        for entry in std::mem::replace(&mut self.slots, larger) {
            if entry.key() != 0 {
                let slot = self.find(entry.key());
                self.slots[slot] = entry;
            }
        }
    }
}

/// Returns the first slot of a key in a table whose size is a power of two.
#[inline]
fn home(key: u64, table_size: usize) -> usize {
    let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> 32) as usize & (table_size - 1)
}
