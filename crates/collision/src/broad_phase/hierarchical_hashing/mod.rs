//! Hierarchical hashing: boxes that share a tile may overlap (Fontijne 2000, section 2.3).
//!
//! Space is divided into tiles of 1, 2, 4, ... metres and also of 1/2, 1/4, ... metres. A box is *native* to the finest
//! *level* at which it overlaps few tiles. It is entered in a hash table for these tiles, and for the tiles that it
//! overlaps at every coarser level to which some other box is native:
//!
//! ```text
//!   level 2  |       c       |               |     c native; a and b not native
//!   level 1  |   .   |   .   |   .   |   .   |     no box is native here: the level is not in use
//!   level 0  | a |   | b | b |   |   |   |   |     a and b native
//! ```
//!
//! Two boxes that share a tile to which at least one of them is native are *candidates*. Every candidate pair counts
//! its shared tiles. So a box that moves affects only the tiles which it enters and leaves, and its pairs there. The
//! *everywhere level* above the coarsest level has one tile that covers all space. A box too large for the coarsest
//! level is native to it, and is a candidate of all other boxes.
//!
//! Not every candidate pair is tested at every update. Each box has a *pace*, the maximum movement of its faces along
//! each axis from one update to the next. The gap (or penetration) of a tested pair divided by the sum of the two paces
//! gives the number of updates that cannot change the result. The pair is tested again at the first update that could:
//! a timing wheel holds the pairs to be tested at each of the next updates. A box that breaks its pace is detected when
//! it is set. Then all its pairs are tested at once, and it gets a higher pace, which decays slowly. Pairs of boxes at
//! rest have pace 0 and are not in the wheel:
//!
//! ```text
//!   set_box   leaves its region?  -> tiles entered and left -> pairs begun and ended -+
//!             breaks its pace?    -> all its pairs -----------------------------------+-> tests -> changes -> sorted pairs
//!   wheel     pairs that are due -----------------------------------------------------+     |
//!     ^--------------------------- the update at which to test again -----------------------+
//! ```
//!
//! So the time of an update is proportional to the changes, and memory is proportional to proxies and candidates.

mod candidates;
mod counters;
mod levels;
mod options;
mod placement;
mod pool;
mod proxy_set;
mod resolution;
mod table;
mod tiles;
mod wheel;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::Range;

use candidates::Candidates;
use glam::DVec3;
use levels::Levels;
pub use options::HashingOptions;
use placement::{Placement, UNPLACED};
use resolution::{LevelSizes, TileRange};
use tiles::Tiles;

use super::motion::NOTHING;
use super::pair::PairList;
use super::{BroadPhase, Pair, Proxies, Statistics, TileView};

/// Number of changes whose data is read ahead together.
const PREFETCH_BATCH: usize = 16;
/// Number of proxies above which the data of a change is usually not in a nearby cache.
const MAX_CACHED_PROXIES: usize = 16_384;
/// Maximum number of tiles per proxy: more would not fit the coordinates of a tile key.
const MAX_THRESHOLD: u32 = 1 << 13;

/// A broad phase for many proxies of all sizes.
#[derive(Debug, Clone)]
pub struct HierarchicalHashing {
    proxies: Proxies,
    options: HashingOptions,
    sizes: LevelSizes,
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
    /// Creates a broad phase without proxies. Options out of range are clamped.
    pub fn new(options: HashingOptions) -> Self {
        let mut this = Self {
            proxies: Proxies::default(),
            options,
            sizes: LevelSizes::new(options.finest_exponent, options.coarsest_exponent),
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

    /// Returns the options in use.
    pub fn options(&self) -> &HashingOptions {
        &self.options
    }

    /// Sets the maximum number of tiles of moving and fixed proxies. At the next update all native levels are
    /// determined again.
    pub fn set_thresholds(&mut self, moving: u32, fixed: u32) {
        self.options.threshold = moving.clamp(8, MAX_THRESHOLD);
        self.options.fixed_threshold = fixed.clamp(8, MAX_THRESHOLD);
        self.proxies.log_all();
        for placement in &mut self.placements {
            // With this size no box seems to be in the same tiles.
            placement.inverse_size = f64::NAN;
        }
    }

    /// Removes proxies that were removed or got another filter from tiles and pairs.
    fn drop_reset(&mut self) {
        for change in 0..self.proxies.changes().len() {
            let proxy = self.proxies.changes()[change];
            if self.proxies.is_reset(proxy) {
                self.candidates.drop_proxy(proxy, &mut self.pairs);
                self.remove_from_tiles(proxy);
            }
        }
    }

    /// Removes all placements and pairs, and keeps the memory.
    fn clear_placements(&mut self) {
        self.tiles.clear();
        self.candidates.clear();
        self.pairs.clear();
        self.levels = Levels::default();
        self.placements.fill(UNPLACED);
        self.proxies.log_all();
        for proxy in 0..self.placements.len() as u32 {
            self.proxies.set_region(proxy, NOTHING, 0.0);
        }
    }

    /// Updates the tiles of all proxies in the change log, and schedules the pairs of those that broke their pace.
    fn visit_changes(&mut self) {
        let count = self.proxies.changes().len();
        for start in (0..count).step_by(PREFETCH_BATCH) {
            let group = start..(start + PREFETCH_BATCH).min(count);
            if self.exceeds_cache() {
                self.prefetch(group.clone());
            }
            for change in group {
                let proxy = self.proxies.changes()[change];
                if self.proxies.has_left_region(proxy) {
                    self.place(proxy);
                }
                if self.proxies.is_broken(proxy) {
                    self.proxies.raise_pace(proxy);
                }
            }
        }
        // Only now are all candidate pairs known.
        for change in 0..count {
            let proxy = self.proxies.changes()[change];
            if self.proxies.is_broken(proxy) {
                self.candidates.schedule_all_of(proxy, &self.proxies);
            }
        }
    }

    /// Reads ahead the data of some changes, so that their cache misses overlap.
    fn prefetch(&self, changes: Range<usize>) {
        let prefetched = self.proxies.changes()[changes].iter().fold(0, |prefetched, &proxy| {
            prefetched
                ^ self.proxies.prefetch(proxy)
                ^ self.placements[proxy as usize].level
                ^ self.candidates.prefetch(proxy)
        });
        black_box(prefetched);
    }

    /// Returns whether the data of a change is usually not in a nearby cache.
    fn exceeds_cache(&self) -> bool {
        self.placements.len() > MAX_CACHED_PROXIES
    }
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
        self.placements.resize(self.proxies.capacity(), UNPLACED);
        self.candidates.start_update(&self.proxies);

        if self.options.coherence {
            self.drop_reset();
        } else {
            self.clear_placements();
        }
        self.visit_changes();
        let prefetch = self.exceeds_cache();
        self.candidates.test_due(prefetch, &mut self.proxies, &mut self.pairs);
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
        let native = self.placements.iter().filter(|placement| placement.level < self.sizes.everywhere);
        for placement in native {
            TileRange::new(&placement.floors)
                .for_each_outside(None, |tile| *found.entry((placement.level, tile)).or_default() += 1);
        }
        let view = |((level, tile), boxes): ((u8, [i64; 3]), u32)| {
            let edge = 1.0 / self.sizes.inverse_size(level);
            TileView { corner: edge * DVec3::from_array(tile.map(|index| index as f64)), edge, boxes }
        };
        Some(found.into_iter().map(view).collect())
    }

    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }
}
