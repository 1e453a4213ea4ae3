//! The hash table of tiles: who is in which tile of which resolution (000 section 2.3.4).

use super::bag::Bag;
use super::pool::Pool;

/// Resolution and coordinates of a tile in one word, never 0. Coordinates are taken modulo 2^19: tiles that far apart
/// share an entry, which can only add candidates, and no proxy spans that many tiles.
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

/// One tile: half a cache line. A proxy is native to the tiles of its own resolution.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    /// 0 if the place is vacant.
    key: TileKey,
    natives: Bag,
    others: Bag,
}

/// Open addressing with linear probing, half full at most; gaps are closed on removal.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiles {
    table: Vec<Tile>,
    occupied: usize,
    pool: Pool,
}

impl Tiles {
    /// Tiles with at least one proxy.
    pub fn occupied(&self) -> usize {
        self.occupied
    }

    /// Puts a proxy into a tile and calls `meet` for every proxy there for whom this counts as a shared tile: if
    /// either of the two is native.
    #[inline]
    pub fn enter(&mut self, key: TileKey, proxy: u32, native: bool, meet: impl FnMut(u32)) {
        if (self.occupied + 1) * 2 > self.table.len() {
            self.grow();
        }
        let place = self.find(key);
        let tile = &mut self.table[place];
        if tile.key == 0 {
            *tile = Tile { key, ..Tile::default() };
            self.occupied += 1;
        }
        tile.meet(&self.pool, proxy, native, meet);
        let bag = if native { &mut tile.natives } else { &mut tile.others };
        bag.insert(&mut self.pool, proxy);
    }

    /// Takes a proxy out of a tile and calls `part` as `enter` calls `meet`.
    #[inline]
    pub fn leave(&mut self, key: TileKey, proxy: u32, native: bool, part: impl FnMut(u32)) {
        if self.table.is_empty() {
            return;
        }
        let place = self.find(key);
        let tile = &mut self.table[place];
        if tile.key == 0 {
            return;
        }
        let bag = if native { &mut tile.natives } else { &mut tile.others };
        bag.remove(&mut self.pool, proxy);
        if tile.natives.is_empty() && tile.others.is_empty() {
            self.vacate(place);
        } else {
            tile.meet(&self.pool, proxy, native, part);
        }
    }

    /// Reads where a tile should stand: to do so for several tiles before using them lets their cache lines come together.
    #[inline]
    pub fn touch(&self, key: TileKey) -> u64 {
        self.table.get(home(key, self.table.len().max(1))).map_or(0, |tile| tile.key)
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.table.fill(Tile::default());
        self.occupied = 0;
        self.pool.clear();
    }

    /// Where the tile stands, or where it would.
    #[inline]
    fn find(&self, key: TileKey) -> usize {
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
            // Close the gap with a tile that may stand in it.
            let from_home = place.wrapping_sub(home(key, self.table.len())) & mask;
            if from_home >= (place.wrapping_sub(gap) & mask) {
                self.table[gap] = self.table[place];
                gap = place;
            }
        }
        self.table[gap] = Tile::default();
        self.occupied -= 1;
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Tile::default(); (2 * self.table.len()).max(64)];
        for tile in std::mem::replace(&mut self.table, larger) {
            if tile.key != 0 {
                let place = self.find(tile.key);
                self.table[place] = tile;
            }
        }
    }
}

impl Tile {
    #[inline]
    fn meet(&self, pool: &Pool, proxy: u32, native: bool, mut meet: impl FnMut(u32)) {
        // While its resolution changes a proxy may be both native and other here: it never meets itself.
        let mut each = |places: &[u32]| {
            places.iter().filter(|&&place| Bag::is_member(place) && place != proxy).for_each(|&other| meet(other));
        };
        each(self.natives.places(pool));
        if native {
            each(self.others.places(pool));
        }
    }
}

/// The home place of a key in a table whose size is a power of two.
#[inline]
pub(super) fn home(key: u64, table_size: usize) -> usize {
    let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> 32) as usize & (table_size - 1)
}
