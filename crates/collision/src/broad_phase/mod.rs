//! Broad phase: finds the pairs of boxes that overlap (Fontijne 2000, section 2.3; Erleben 2002, section 2.2.1).
//!
//! A broad phase holds *proxies*: boxes with an id and a filter. `update` finds the pairs that overlap and may pair.
//! Every implementation gives the identical list, sorted by id, so a simulation does not depend on the choice:
//!
//! - [`Exhaustive`] tests all pairs; best for up to about 64 proxies;
//! - [`SweepAndPrune`] keeps the ends of the boxes sorted along the axes; good for some hundred slow proxies;
//! - [`HierarchicalHashing`] is for many proxies: its time grows with the proxies that moved, and little with their
//!   candidates.
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

/// A broad-phase algorithm. It is deterministic: a clone gives the same results as the original.
pub trait BroadPhase: Debug + Send + Sync {
    /// Returns the proxies.
    fn proxies(&self) -> &Proxies;

    /// Returns the proxies for modification. Changes take effect at the next `update`. Call this once before a loop
    /// over many boxes.
    fn proxies_mut(&mut self) -> &mut Proxies;

    /// Finds the pairs that overlap.
    fn update(&mut self);

    /// Returns the pairs that overlapped at the last `update` and may pair, each once, in ascending order.
    fn pairs(&self) -> &[Pair];

    /// Returns measures of the work done by the last `update`.
    fn statistics(&self) -> &Statistics;

    /// Returns the tiles that boxes are native to, ordered by size and position, for display; `None` if the algorithm
    /// has no tiles.
    fn tiles(&self) -> Option<Vec<TileView>> {
        None
    }

    /// Returns a copy that gives the same results from here on.
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

/// A tile of the hash table, for display.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileView {
    /// Lowest corner, in m.
    pub corner: DVec3,
    /// Edge length, in m.
    pub edge: f64,
    /// Number of boxes that are native to the tile and overlap it.
    pub boxes: u32,
}

/// Measures of the work done by a broad phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Elementary operations of the last update. Exhaustive: comparisons of boxes. Sweep and prune: comparisons of box
    /// ends and tests of pairs. Hierarchical hashing: tiles entered and left, pair counters changed, candidates tested.
    pub operations: u64,
    /// Number of proxies visited by the last update.
    pub visited: usize,
    /// Number of tiles that hold at least one proxy (hierarchical hashing).
    pub tiles: usize,
    /// Number of candidate pairs, overlapping or not.
    pub candidates: usize,
    /// Number of candidate pairs created since the broad phase was created. A rebuild counts them again; exhaustive
    /// search creates none.
    pub candidates_created: u64,
}

impl Statistics {
    fn start_update(&mut self) {
        self.operations = 0;
        self.visited = 0;
    }
}
