//! Broad phase: which pairs of boxes overlap (000 section 2.3, 004 section 2.2.1).
//!
//! A broad phase holds *proxies*: boxes with a name and a filter. After the boxes were set, `update` finds the pairs
//! that overlap and may pair. Every implementation gives the identical list, sorted by name, so a simulation does not
//! depend on which one is chosen:
//!
//! - [`Exhaustive`] tests everything; best for up to about 64 proxies;
//! - [`SweepAndPrune`] keeps the ends of the boxes sorted along the axes; good for some hundred slow proxies;
//! - [`HierarchicalHashing`] is the one for many: its time grows with the proxies that moved, little with their candidates.
//!
//! ```
//! use burgess_collision::broad_phase::{BroadPhase, HierarchicalHashing, Pair, Proxy};
//! use burgess_geometry::Aabb;
//! use glam::DVec3;
//!
//! let unit = |x: f64| Aabb::from_center(DVec3::new(x, 0.0, 0.0), DVec3::splat(0.5));
//! let mut broad_phase = HierarchicalHashing::default();
//! let left = broad_phase.insert(Proxy::moving(unit(0.0)))?;
//! let right = broad_phase.insert(Proxy::moving(unit(3.0)))?;
//! broad_phase.update();
//! assert!(broad_phase.pairs().is_empty());
//!
//! broad_phase.set_box(right, unit(0.9))?;
//! broad_phase.update();
//! assert_eq!(broad_phase.pairs(), [Pair::new(left, right)]);
//! # Ok::<(), burgess_collision::broad_phase::BroadPhaseError>(())
//! ```

mod error;
mod exhaustive;
mod filter;
mod hierarchical_hashing;
mod motion;
mod pair;
mod proxies;
mod sweep_and_prune;

use std::fmt::Debug;

use burgess_geometry::Aabb;
use glam::DVec3;

pub use error::BroadPhaseError;
pub use exhaustive::Exhaustive;
pub use filter::{Filter, TreeId, TreeLink};
pub use hierarchical_hashing::{HashingOptions, HierarchicalHashing};
pub use pair::{Pair, ProxyId};
pub use proxies::{Proxies, Proxy};
pub use sweep_and_prune::SweepAndPrune;

/// Finds the pairs of boxes that overlap. Deterministic; a clone goes on identically.
pub trait BroadPhase: Debug + Send + Sync {
    /// The boxes.
    fn proxies(&self) -> &Proxies;

    /// The boxes, to be changed; changes take effect at the next `update`. In a loop over many boxes call this once.
    fn proxies_mut(&mut self) -> &mut Proxies;

    /// Finds the pairs that overlap now.
    fn update(&mut self);

    /// The pairs that overlapped at the last `update` and may pair, each once, in ascending order.
    fn pairs(&self) -> &[Pair];

    /// How much work the last `update` was.
    fn statistics(&self) -> &Statistics;

    /// The tiles that boxes are native to, ordered by size and place, to be looked at; none without a hash table of tiles.
    fn tiles(&self) -> Option<Vec<TileView>> {
        None
    }

    /// A copy that goes on identically.
    fn boxed_clone(&self) -> Box<dyn BroadPhase>;

    /// Adds a proxy.
    fn insert(&mut self, proxy: Proxy) -> Result<ProxyId, BroadPhaseError> {
        self.proxies_mut().insert(proxy)
    }

    /// Removes a proxy.
    fn remove(&mut self, id: ProxyId) -> Result<(), BroadPhaseError> {
        self.proxies_mut().remove(id)
    }

    /// Moves or resizes a proxy.
    fn set_box(&mut self, id: ProxyId, aabb: Aabb) -> Result<(), BroadPhaseError> {
        self.proxies_mut().set_box(id, aabb)
    }
}

impl Clone for Box<dyn BroadPhase> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// A tile of a hash table, to be looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileView {
    /// Its lowest corner, in m.
    pub corner: DVec3,
    /// In m.
    pub edge: f64,
    /// How many boxes are native to it and meet it.
    pub boxes: u32,
}

/// How much work a broad phase does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Elementary operations of the last update. Exhaustive: boxes compared. Sweep and prune: ends of boxes compared and
    /// pairs tested. Hierarchical hashing: tiles entered and left, pair counters changed, candidates tested.
    pub operations: u64,
    /// Proxies that the last update looked at.
    pub visited: usize,
    /// Tiles that hold at least one proxy now (hierarchical hashing).
    pub tiles: usize,
    /// Pairs that are under observation now, overlapping or not.
    pub candidates: usize,
    /// Pairs put under observation since the broad phase was made; a rebuild counts them all anew, exhaustive search none.
    pub candidates_created: u64,
}

impl Statistics {
    fn start_update(&mut self) {
        self.operations = 0;
        self.visited = 0;
    }
}
