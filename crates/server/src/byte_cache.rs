//! A cache of bytes that were expensive to make, such as pictures and clips. Its size is bounded.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// A cache of bytes by key. When it is full, the oldest entries are evicted.
#[derive(Debug)]
pub(crate) struct ByteCache<Key> {
    entries: Mutex<Entries<Key>>,
    max_bytes: usize,
}

#[derive(Debug)]
struct Entries<Key> {
    kept: BTreeMap<Key, Bytes>,
    /// Keys, the oldest first.
    order: VecDeque<Key>,
    bytes: usize,
}

impl<Key: Ord + Clone> ByteCache<Key> {
    /// Creates an empty cache with a maximum size, in bytes.
    pub fn new(max_bytes: usize) -> Self {
        let entries = Entries { kept: BTreeMap::new(), order: VecDeque::new(), bytes: 0 };
        Self { entries: Mutex::new(entries), max_bytes }
    }

    /// Returns the bytes that were kept for a key.
    pub fn get(&self, key: &Key) -> Option<Bytes> {
        self.entries().kept.get(key).cloned()
    }

    /// Keeps bytes for a key, unless there are some already or they are larger than the cache.
    pub fn keep(&self, key: Key, bytes: Bytes) {
        let mut entries = self.entries();
        if bytes.len() > self.max_bytes || entries.kept.contains_key(&key) {
            return;
        }
        entries.bytes += bytes.len();
        entries.kept.insert(key.clone(), bytes);
        entries.order.push_back(key);
        while entries.bytes > self.max_bytes
            && let Some(oldest) = entries.order.pop_front()
        {
            entries.bytes -= entries.kept.remove(&oldest).map_or(0, |bytes| bytes.len());
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries<Key>> {
        // The entries are consistent at any time, also after a panic.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entries_are_evicted() {
        let cache = ByteCache::new(10);
        for key in 0..4 {
            cache.keep(key, Bytes::from(vec![key; 4]));
        }
        let kept: Vec<u8> = (0..4).filter(|key| cache.get(key).is_some()).collect();
        assert_eq!(kept, [2, 3]);
        cache.keep(5, Bytes::from(vec![0; 11]));
        assert_eq!(cache.get(&5), None, "larger than the cache");
        cache.keep(3, Bytes::from(vec![9; 4]));
        assert_eq!(cache.get(&3).as_deref(), Some(&[3; 4][..]), "the first entry of a key stays");
    }
}
