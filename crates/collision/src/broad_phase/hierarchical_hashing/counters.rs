//! Counters of candidate pairs: how many tiles two proxies share (Fontijne 2000, section 2.3.3).

use super::super::pair::PairKey;
use super::table::{Entry, Table};

/// The number of tiles that two proxies share, and their positions in each other's candidate list.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
pub(super) struct Counter {
    pub key: PairKey,
    pub shared_tiles: u32,
    /// Place of b in the list of a.
    pub place_in_a: u32,
    /// Place of a in the list of b.
    pub place_in_b: u32,
    /// The update in which the two became a candidate pair.
    pub met: u32,
    /// The update in which the number of shared tiles last fell to 0.
    pub zero_since: u32,
}

impl Entry for Counter {
    fn key(&self) -> u64 {
        self.key
    }

    fn with_key(key: u64) -> Self {
        Self { key, ..Self::default() }
    }
}

/// The counters of all candidate pairs.
pub(super) type Counters = Table<Counter>;
