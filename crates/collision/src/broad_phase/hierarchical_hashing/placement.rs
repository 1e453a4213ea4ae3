//! Placement: the level and tiles of each proxy, and their changes as boxes move.

use std::hint::black_box;

use super::super::motion::NOTHING;
use super::resolution::{Floors, LevelSizes, Native, TileRange, region};
use super::tiles::tile_key;
use super::{HashingOptions, HierarchicalHashing};

/// Number of updates for which a level without natives is kept, because taking it out of use visits every proxy.
const LEVEL_RETENTION: u32 = 64;
/// Level of a proxy that is not in the tiles.
const ABSENT: u8 = u8::MAX;

/// The tiles of a proxy, in one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Placement {
    /// Tile indices at the native level: all tiles that the box overlaps, and perhaps some that it left. NaN at the
    /// everywhere level, or if the proxy is absent.
    pub floors: Floors,
    pub inverse_size: f64,
    pub level: u8,
}

/// Placement of a proxy that is not in the tiles.
pub(super) const UNPLACED: Placement = Placement { floors: [f64::NAN; 6], inverse_size: 0.0, level: ABSENT };

/// Returns the tiles of a placed proxy at its native or a coarser level.
fn range_at(sizes: &LevelSizes, placement: &Placement, level: u8) -> TileRange {
    if level >= sizes.everywhere {
        TileRange::EVERYWHERE
    } else {
        TileRange::new(&placement.floors).coarser(level - placement.level)
    }
}

/// Returns the tiles of a proxy at `level`, if it is native (or not native) there as requested.
fn was_at(sizes: &LevelSizes, placement: &Placement, level: u8, native: bool) -> Option<TileRange> {
    let present = placement.level != ABSENT && placement.level <= level;
    (present && native == (level == placement.level)).then(|| range_at(sizes, placement, level))
}

impl HierarchicalHashing {
    /// Reads ahead the native tiles that a proxy enters and leaves.
    fn prefetch_tiles(&self, old: &Placement, new: &Placement) {
        let mut prefetched = 0;
        for (one, other) in [(new, old), (old, new)] {
            if one.level < self.sizes.everywhere {
                let except = was_at(&self.sizes, other, one.level, true);
                TileRange::new(&one.floors).for_each_outside(except.as_ref(), |tile| {
                    prefetched ^= self.tiles.prefetch(tile_key(one.level, tile));
                });
            }
        }
        black_box(prefetched);
    }

    /// Updates the tiles of a proxy after its box has moved. Tiles that it left are kept until it enters others, which
    /// avoids work for a box that oscillates about a boundary.
    #[inline(never)]
    pub(super) fn place(&mut self, proxy: u32) {
        let old = self.placements[proxy as usize];
        if !self.proxies.is_alive(proxy) || !self.proxies.occupies_space(proxy) {
            return;
        }
        let size = self.proxies.aabb(proxy).extents().max_element();
        let much_smaller = (size * old.inverse_size < 0.25) & (old.level > 0);
        let native = self.native(proxy, &old, much_smaller);
        let all_over = native.level >= self.sizes.everywhere;
        let inverse_size = if all_over { 0.0 } else { self.sizes.inverse_size(native.level) };
        let region = if all_over { NOTHING } else { region(&native.floors, inverse_size) };
        // Below this size a finer level may be suitable.
        let smallest = if native.level > 0 { (0.25 / inverse_size).min(0.5 * size) as f32 } else { 0.0 };
        self.proxies.set_region(proxy, region, smallest);
        let new = Placement { floors: native.floors, inverse_size, level: native.level };
        if self.exceeds_cache() {
            self.prefetch_tiles(&old, &new);
        }
        if old.level != new.level {
            self.bring_into_use(new.level);
            self.levels.natives[new.level as usize] += 1;
        }
        self.placements[proxy as usize] = new;
        // First enter, then leave, so that the counter of a persisting pair does not fall to 0.
        self.enter_difference(proxy, &old, &new);
        if old.level != ABSENT {
            self.leave_difference(proxy, &old, &new);
            if old.level != new.level {
                self.levels.natives[old.level as usize] -= 1;
            }
        }
    }

    /// Returns the native level and tiles of a proxy.
    fn native(&self, proxy: u32, old: &Placement, much_smaller: bool) -> Native {
        let aabb = self.proxies.aabb(proxy);
        let HashingOptions { threshold, fixed_threshold, resolution_hysteresis, .. } = self.options;
        let threshold = f64::from(if self.proxies.is_fixed(proxy) { fixed_threshold } else { threshold });
        if old.level == ABSENT {
            self.sizes.native(aabb, threshold)
        } else {
            self.sizes.native_with_hysteresis(aabb, threshold, resolution_hysteresis, old.level, much_smaller)
        }
    }

    /// Enters the tiles of `new` that are not tiles of `old`.
    fn enter_difference(&mut self, proxy: u32, old: &Placement, new: &Placement) {
        let Self { levels, tiles, candidates, proxies, tiles_touched, sizes, .. } = self;
        for level in levels.from(new.level) {
            let range = range_at(sizes, new, level);
            let native = level == new.level;
            let before = was_at(sizes, old, level, native);
            if before == Some(range) && level > old.level {
                // The coarser tiles are the same as well.
                break;
            }
            range.for_each_outside(before.as_ref(), |tile| {
                *tiles_touched += 1;
                tiles.enter(tile_key(level, tile), proxy, native, |other| {
                    if proxies.allows(proxy, other) {
                        candidates.add_shared_tile(proxy, other, proxies);
                    }
                });
            });
        }
    }

    /// Leaves the tiles of `old` that are not tiles of `new`.
    fn leave_difference(&mut self, proxy: u32, old: &Placement, new: &Placement) {
        let Self { levels, tiles, candidates, proxies, tiles_touched, sizes, .. } = self;
        for level in levels.from(old.level) {
            let range = range_at(sizes, old, level);
            let native = level == old.level;
            let after = was_at(sizes, new, level, native);
            if after == Some(range) && level > new.level {
                break;
            }
            range.for_each_outside(after.as_ref(), |tile| {
                *tiles_touched += 1;
                tiles.leave(tile_key(level, tile), proxy, native, |other| {
                    if proxies.allows(proxy, other) {
                        candidates.remove_shared_tile(proxy, other);
                    }
                });
            });
        }
    }

    fn range_at(&self, placement: &Placement, level: u8) -> TileRange {
        range_at(&self.sizes, placement, level)
    }

    /// Removes a proxy without pairs from all its tiles.
    pub(super) fn remove_from_tiles(&mut self, proxy: u32) {
        let placement = self.placements[proxy as usize];
        if placement.level == ABSENT {
            return;
        }
        for level in self.levels.from(placement.level) {
            let range = self.range_at(&placement, level);
            range.for_each_outside(None, |tile| {
                self.tiles_touched += 1;
                self.tiles.leave(tile_key(level, tile), proxy, level == placement.level, |_| {});
            });
        }
        self.levels.natives[placement.level as usize] -= 1;
        self.placements[proxy as usize] = UNPLACED;
        self.proxies.set_region(proxy, NOTHING, 0.0);
    }

    /// Enters the proxies of finer levels into a level that gets its first native.
    fn bring_into_use(&mut self, level: u8) {
        self.levels.idle[level as usize] = 0;
        if self.levels.is_in_use(level) {
            return;
        }
        self.levels.in_use |= 1 << level;
        for proxy in 0..self.placements.len() as u32 {
            let placement = self.placements[proxy as usize];
            if placement.level < level {
                // No proxy is native here yet, so there are no pairs.
                self.range_at(&placement, level).for_each_outside(None, |tile| {
                    self.tiles_touched += 1;
                    self.tiles.enter(tile_key(level, tile), proxy, false, |_| {});
                });
            }
        }
    }

    /// Takes levels out of use that have had no natives for long.
    pub(super) fn retire_levels(&mut self) {
        for level in self.levels.from(0) {
            if self.levels.natives[level as usize] > 0 {
                self.levels.idle[level as usize] = 0;
                continue;
            }
            self.levels.idle[level as usize] += 1;
            if self.levels.idle[level as usize] < LEVEL_RETENTION {
                continue;
            }
            for proxy in 0..self.placements.len() as u32 {
                let placement = self.placements[proxy as usize];
                if placement.level < level {
                    self.range_at(&placement, level).for_each_outside(None, |tile| {
                        self.tiles_touched += 1;
                        self.tiles.leave(tile_key(level, tile), proxy, false, |_| {});
                    });
                }
            }
            self.levels.in_use &= !(1 << level);
        }
    }
}
