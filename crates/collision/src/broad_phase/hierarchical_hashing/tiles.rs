//! The hash table of tiles: which proxies are in which tile of which level (Fontijne 2000, section 2.3.4).

use super::pool::Pool;
use super::proxy_set::ProxySet;
use super::table::{Entry, Table};

/// Level and coordinates of a tile in one word, never 0. Coordinates are taken modulo 2^19: tiles that far apart share
/// an entry, which can only add candidates, and no proxy spans that many tiles.
pub(super) type TileKey = u64;

const COORDINATE_BITS: u32 = 19;
const COORDINATE_MASK: u64 = (1 << COORDINATE_BITS) - 1;

#[inline]
pub(super) fn tile_key(level: u8, [x, y, z]: [i64; 3]) -> TileKey {
    let wrap = |coordinate: i64| coordinate as u64 & COORDINATE_MASK;
    ((u64::from(level) + 1) << (3 * COORDINATE_BITS))
        | (wrap(x) << (2 * COORDINATE_BITS))
        | (wrap(y) << COORDINATE_BITS)
        | wrap(z)
}

/// A tile: half a cache line. A proxy is native to the tiles of its own level.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    key: TileKey,
    natives: ProxySet,
    others: ProxySet,
}

impl Entry for Tile {
    fn key(&self) -> u64 {
        self.key
    }

    fn with_key(key: u64) -> Self {
        Self { key, ..Self::default() }
    }
}

/// All tiles with at least one proxy.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiles {
    table: Table<Tile>,
    pool: Pool,
}

impl Tiles {
    /// Returns the number of tiles with at least one proxy.
    pub fn occupied(&self) -> usize {
        self.table.len()
    }

    /// Adds a proxy to a tile and calls `shared` for every proxy there that now shares this tile with it. Two proxies
    /// share a tile if at least one of them is native to it.
    #[inline]
    pub fn enter(&mut self, key: TileKey, proxy: u32, native: bool, shared: impl FnMut(u32)) {
        let (tile, _) = self.table.entry(key);
        tile.for_each_sharing(&self.pool, proxy, native, shared);
        tile.set_mut(native).insert(&mut self.pool, proxy);
    }

    /// Removes a proxy from a tile and calls `shared` for every proxy there that shared this tile with it.
    #[inline]
    pub fn leave(&mut self, key: TileKey, proxy: u32, native: bool, shared: impl FnMut(u32)) {
        let Some(tile) = self.table.get_mut(key) else { return };
        tile.set_mut(native).remove(&mut self.pool, proxy);
        if tile.natives.is_empty() && tile.others.is_empty() {
            self.table.remove(key);
        } else {
            tile.for_each_sharing(&self.pool, proxy, native, shared);
        }
    }

    /// Reads the slot of a tile ahead of its use.
    #[inline]
    pub fn prefetch(&self, key: TileKey) -> u64 {
        self.table.prefetch(key)
    }

    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.pool.clear();
    }
}

impl Tile {
    #[inline]
    fn set_mut(&mut self, native: bool) -> &mut ProxySet {
        if native { &mut self.natives } else { &mut self.others }
    }

    #[inline]
    fn for_each_sharing(&self, pool: &Pool, proxy: u32, native: bool, mut visit: impl FnMut(u32)) {
        // While its level changes, a proxy may be both native and not native to a tile. It never pairs with itself.
        let mut each = |slots: &[u32]| {
            slots.iter().filter(|&&slot| ProxySet::is_member(slot) && slot != proxy).for_each(|&other| visit(other));
        };
        each(self.natives.slots(pool));
        if native {
            each(self.others.slots(pool));
        }
    }
}
