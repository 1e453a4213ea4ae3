//! Hierarchical hashing: boxes that share a tile may overlap (000 section 2.3).
//!
//! Space is tiled many times over, with tiles of 1, 2, 4, ... metres and also of 1/2, 1/4, ... A box is *native* to the
//! finest tiling at which it meets few tiles, and is entered in a hash table for these and for the tiles that it meets
//! at every coarser *level* to which some other box is native:
//!
//! ```text
//!   level 2  |       c       |               |     c native; a and b are others
//!   level 1  |   .   |   .   |   .   |   .   |     nobody is native here: the level is not in use
//!   level 0  | a |   | b | b |   |   |   |   |     a and b native
//! ```
//!
//! Two boxes that share a tile to which at least one of them is native are *candidates*; every candidate pair counts
//! its shared tiles. So a box that moves touches only the tiles which it enters and leaves, and the pairs it has there.
//! Above the coarsest level stands one tile that is everywhere, and a box too large for the coarsest level is native
//! to it: it is *all over*, a candidate of everybody.
//!
//! Not every candidate pair is tested at every update. Each box keeps a *pace*, how far its faces move along each axis
//! from one update to the next at most, and gap or depth of a tested pair divided by the paces of the two tell how many
//! updates cannot change the answer. The pair is tested again at the first one that could: a timing wheel holds the
//! pairs of every coming update. A box that breaks its pace is found out when it is set; then all its pairs are tested at
//! once, and it gets a higher pace, which wears off slowly. Pairs of boxes at rest have pace 0 and are not in the wheel:
//!
//! ```text
//!   set_box   leaves its region?  -> tiles entered and left -> pairs met and parted -+
//!             breaks its pace?    -> all its pairs ----------------------------------+-> tests -> changes -> sorted pairs
//!   wheel     pairs that are due ----------------------------------------------------+     |
//!     ^--------------------------- the update at which to test again ----------------------+
//! ```
//!
//! So an update takes time in proportion to what happens, memory is in proportion to proxies and candidates.

mod bag;
mod candidates;
mod counters;
mod levels;
mod options;
mod pool;
mod resolution;
mod tiles;
mod wheel;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::Range;

use candidates::Candidates;
use glam::DVec3;
use levels::Levels;
pub use options::HashingOptions;
use resolution::{Floors, Ladder, Native, TileRange, region};
use tiles::{Tiles, tile_key};

use super::motion::NOTHING;
use super::pair::PairList;
use super::{BroadPhase, Pair, Proxies, Statistics, TileView};

/// A level that nobody is native to any more is kept for so many updates, as taking it out of use visits every proxy.
const LEVEL_RETENTION: u32 = 64;
/// So many changes are looked at together.
const GROUP: usize = 16;
const ABSENT: u8 = u8::MAX;
/// More tiles than this would not fit the coordinates of a tile key.
const LARGEST_THRESHOLD: u32 = 1 << 13;

/// Where a proxy is hashed: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Placement {
    /// Tile indices at the native level: all that the box meets, and perhaps some that it left; NaN if all over or absent.
    floors: Floors,
    inverse_size: f64,
    level: u8,
}

const NOWHERE: Placement = Placement { floors: [f64::NAN; 6], inverse_size: 0.0, level: ABSENT };

/// The broad phase for many proxies of all sizes.
#[derive(Debug, Clone)]
pub struct HierarchicalHashing {
    proxies: Proxies,
    options: HashingOptions,
    ladder: Ladder,
    placements: Vec<Placement>,
    levels: Levels,
    tiles: Tiles,
    candidates: Candidates,
    pairs: PairList,
    statistics: Statistics,
    tiles_touched: u64,
}

impl Default for HierarchicalHashing {
    fn default() -> Self {
        Self::new(HashingOptions::default())
    }
}

impl HierarchicalHashing {
    /// Without proxies. Options out of their bounds are moved to the nearest bound.
    pub fn new(options: HashingOptions) -> Self {
        let mut this = Self {
            proxies: Proxies::default(),
            options,
            ladder: Ladder::new(options.finest_exponent, options.coarsest_exponent),
            placements: Vec::new(),
            levels: Levels::default(),
            tiles: Tiles::default(),
            candidates: Candidates::default(),
            pairs: PairList::default(),
            statistics: Statistics::default(),
            tiles_touched: 0,
        };
        this.set_thresholds(options.threshold, options.fixed_threshold);
        let hysteresis = options.resolution_hysteresis;
        this.options.resolution_hysteresis = if hysteresis.is_nan() { 1.0 } else { hysteresis.clamp(1.0, 8.0) };
        this
    }

    /// The options in use.
    pub fn options(&self) -> &HashingOptions {
        &self.options
    }

    /// Changes how many tiles moving and fixed proxies may meet; at the next update all find their resolution again.
    pub fn set_thresholds(&mut self, moving: u32, fixed: u32) {
        self.options.threshold = moving.clamp(8, LARGEST_THRESHOLD);
        self.options.fixed_threshold = fixed.clamp(8, LARGEST_THRESHOLD);
        self.proxies.log_all();
        for placement in &mut self.placements {
            // No box is in the same tiles by this measure.
            placement.inverse_size = f64::NAN;
        }
    }

    /// Takes proxies that were removed, or whose filter changed, out of tiles and pairs.
    fn drop_reset(&mut self) {
        for change in 0..self.proxies.changes().len() {
            let proxy = self.proxies.changes()[change];
            if self.proxies.is_reset(proxy) {
                self.candidates.drop_proxy(proxy, &mut self.pairs);
                self.unhash(proxy);
            }
        }
    }

    /// Leaves all tiles without parting from anybody: for a proxy without pairs.
    fn unhash(&mut self, proxy: u32) {
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
        self.placements[proxy as usize] = NOWHERE;
        self.proxies.set_region(proxy, NOTHING, 0.0);
    }

    /// Forgets where everything is and keeps the memory.
    fn forget_all(&mut self) {
        self.tiles.clear();
        self.candidates.clear();
        self.pairs.clear();
        self.levels = Levels::default();
        self.placements.fill(NOWHERE);
        self.proxies.log_all();
        for proxy in 0..self.placements.len() as u32 {
            self.proxies.set_region(proxy, NOTHING, 0.0);
        }
    }

    /// Brings the tiles of all that changed up to date with their boxes, and has the pairs tested of those that broke their pace.
    fn visit_changes(&mut self) {
        let count = self.proxies.changes().len();
        for start in (0..count).step_by(GROUP) {
            let group = start..(start + GROUP).min(count);
            if self.is_far() {
                self.touch(group.clone());
            }
            for change in group {
                let proxy = self.proxies.changes()[change];
                if self.proxies.is_elsewhere(proxy) {
                    self.place(proxy);
                }
                if self.proxies.is_broken(proxy) {
                    self.proxies.raise_pace(proxy);
                }
            }
        }
        // Not before all have met.
        for change in 0..count {
            let proxy = self.proxies.changes()[change];
            if self.proxies.is_broken(proxy) {
                self.candidates.test_all_of(proxy, &self.proxies);
            }
        }
    }

    /// Reads ahead what visits will need: most of it is far from the processor, and so comes together.
    fn touch(&self, changes: Range<usize>) {
        let touched = self.proxies.changes()[changes].iter().fold(0, |touched, &proxy| {
            touched ^ self.proxies.touch(proxy) ^ self.placements[proxy as usize].level ^ self.candidates.touch(proxy)
        });
        black_box(touched);
    }

    /// Are there so many proxies that what a visit needs is usually not in a nearby cache?
    fn is_far(&self) -> bool {
        self.placements.len() > 16_384
    }

    /// Reads ahead the native tiles that a proxy enters and leaves.
    fn touch_tiles(&self, old: &Placement, new: &Placement) {
        let mut touched = 0;
        for (one, other) in [(new, old), (old, new)] {
            if one.level < self.ladder.everywhere {
                let except = was_at(&self.ladder, other, one.level, true);
                TileRange::new(&one.floors).for_each_outside(except.as_ref(), |tile| {
                    touched ^= self.tiles.touch(tile_key(one.level, tile));
                });
            }
        }
        black_box(touched);
    }

    /// Brings the tiles of a proxy up to date with its box. Tiles that it left are kept until it enters others, or else
    /// one that wavers about a boundary would have no peace.
    #[inline(never)]
    fn place(&mut self, proxy: u32) {
        let old = self.placements[proxy as usize];
        if !self.proxies.is_alive(proxy) || !self.proxies.occupies_space(proxy) {
            return;
        }
        let size = self.proxies.aabb(proxy).extents().max_element();
        let much_smaller = (size * old.inverse_size < 0.25) & (old.level > 0);
        let native = self.native(proxy, &old, much_smaller);
        let all_over = native.level >= self.ladder.everywhere;
        let inverse_size = if all_over { 0.0 } else { self.ladder.inverse_size(native.level) };
        let region = if all_over { NOTHING } else { region(&native.floors, inverse_size) };
        // Below this size a finer level may do.
        let smallest = if native.level > 0 { (0.25 / inverse_size).min(0.5 * size) as f32 } else { 0.0 };
        self.proxies.set_region(proxy, region, smallest);
        let new = Placement { floors: native.floors, inverse_size, level: native.level };
        if self.is_far() {
            self.touch_tiles(&old, &new);
        }
        if old.level != new.level {
            self.bring_into_use(new.level);
            self.levels.natives[new.level as usize] += 1;
        }
        self.placements[proxy as usize] = new;
        // First enter, then leave, so that the counter of a pair that stays together does not fall to 0.
        self.enter_difference(proxy, &old, &new);
        if old.level != ABSENT {
            self.leave_difference(proxy, &old, &new);
            if old.level != new.level {
                self.levels.natives[old.level as usize] -= 1;
            }
        }
    }

    fn native(&self, proxy: u32, old: &Placement, much_smaller: bool) -> Native {
        let aabb = self.proxies.aabb(proxy);
        let HashingOptions { threshold, fixed_threshold, resolution_hysteresis, .. } = self.options;
        let threshold = f64::from(if self.proxies.is_fixed(proxy) { fixed_threshold } else { threshold });
        if old.level == ABSENT {
            self.ladder.native(aabb, threshold)
        } else {
            self.ladder.native_again(aabb, threshold, resolution_hysteresis, old.level, much_smaller)
        }
    }

    fn enter_difference(&mut self, proxy: u32, old: &Placement, new: &Placement) {
        let Self { levels, tiles, candidates, proxies, tiles_touched, ladder, .. } = self;
        for level in levels.from(new.level) {
            let range = range_at(ladder, new, level);
            let native = level == new.level;
            let before = was_at(ladder, old, level, native);
            if before == Some(range) && level > old.level {
                // Coarser tiles are the same too.
                break;
            }
            range.for_each_outside(before.as_ref(), |tile| {
                *tiles_touched += 1;
                tiles.enter(tile_key(level, tile), proxy, native, |other| {
                    if proxies.allows(proxy, other) {
                        candidates.meet(proxy, other, proxies);
                    }
                });
            });
        }
    }

    fn leave_difference(&mut self, proxy: u32, old: &Placement, new: &Placement) {
        let Self { levels, tiles, candidates, proxies, tiles_touched, ladder, .. } = self;
        for level in levels.from(old.level) {
            let range = range_at(ladder, old, level);
            let native = level == old.level;
            let after = was_at(ladder, new, level, native);
            if after == Some(range) && level > new.level {
                break;
            }
            range.for_each_outside(after.as_ref(), |tile| {
                *tiles_touched += 1;
                tiles.leave(tile_key(level, tile), proxy, native, |other| {
                    if proxies.allows(proxy, other) {
                        candidates.part(proxy, other);
                    }
                });
            });
        }
    }

    fn range_at(&self, placement: &Placement, level: u8) -> TileRange {
        range_at(&self.ladder, placement, level)
    }

    /// Hashes everybody of finer levels into a level that gets its first native.
    fn bring_into_use(&mut self, level: u8) {
        self.levels.idle[level as usize] = 0;
        if self.levels.is_in_use(level) {
            return;
        }
        self.levels.in_use |= 1 << level;
        for proxy in 0..self.placements.len() as u32 {
            let placement = self.placements[proxy as usize];
            if placement.level < level {
                // Nobody is native here yet, so nobody is met.
                self.range_at(&placement, level).for_each_outside(None, |tile| {
                    self.tiles_touched += 1;
                    self.tiles.enter(tile_key(level, tile), proxy, false, |_| {});
                });
            }
        }
    }

    /// Takes levels out of use that nobody has been native to for long.
    fn retire_levels(&mut self) {
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

/// The tiles of a placed proxy at its native or a coarser level.
fn range_at(ladder: &Ladder, placement: &Placement, level: u8) -> TileRange {
    if level >= ladder.everywhere {
        TileRange::EVERYWHERE
    } else {
        TileRange::new(&placement.floors).coarser(level - placement.level)
    }
}

/// The tiles at `level` in which a proxy is, if it is there in the same role: as a native or as another.
fn was_at(ladder: &Ladder, placement: &Placement, level: u8, native: bool) -> Option<TileRange> {
    let present = placement.level != ABSENT && placement.level <= level;
    (present && native == (level == placement.level)).then(|| range_at(ladder, placement, level))
}

impl BroadPhase for HierarchicalHashing {
    fn proxies(&self) -> &Proxies {
        &self.proxies
    }

    fn proxies_mut(&mut self) -> &mut Proxies {
        &mut self.proxies
    }

    fn update(&mut self) {
        self.statistics.start_update();
        self.tiles_touched = 0;
        self.placements.resize(self.proxies.capacity(), NOWHERE);
        self.candidates.start_update(&self.proxies);

        if self.options.coherence {
            self.drop_reset();
        } else {
            self.forget_all();
        }
        self.visit_changes();
        let read_ahead = self.is_far();
        self.candidates.test_due(read_ahead, &mut self.proxies, &mut self.pairs);
        let visited = self.proxies.changes().len();
        self.retire_levels();
        self.candidates.end_lingering(self.options.pair_hysteresis, &mut self.pairs);
        self.pairs.apply();
        self.proxies.clear_changes();

        self.statistics.visited = visited;
        self.statistics.operations = self.tiles_touched + self.candidates.operations;
        self.statistics.tiles = self.tiles.occupied();
        self.statistics.candidates = self.candidates.len();
        self.statistics.candidates_created = self.candidates.created;
    }

    fn pairs(&self) -> &[Pair] {
        self.pairs.as_slice()
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn tiles(&self) -> Option<Vec<TileView>> {
        let mut found: BTreeMap<(u8, [i64; 3]), u32> = BTreeMap::new();
        let native = self.placements.iter().filter(|placement| placement.level < self.ladder.everywhere);
        for placement in native {
            TileRange::new(&placement.floors)
                .for_each_outside(None, |tile| *found.entry((placement.level, tile)).or_default() += 1);
        }
        let view = |((level, tile), boxes): ((u8, [i64; 3]), u32)| {
            let edge = 1.0 / self.ladder.inverse_size(level);
            TileView { corner: edge * DVec3::from_array(tile.map(|index| index as f64)), edge, boxes }
        };
        Some(found.into_iter().map(view).collect())
    }

    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }
}
