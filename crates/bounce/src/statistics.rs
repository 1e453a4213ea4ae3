//! Counters of a world.

/// Counters of a world since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BounceStatistics {
    /// Number of steps.
    pub steps: u64,
    /// Pairs whose boxes began to overlap.
    pub pairs_created: u64,
    /// Pairs that the narrow phase tested, over all steps.
    pub pairs: u64,
    /// Pairs found penetrating, over all steps.
    pub penetrating: u64,
    /// Elementary operations of the broad phase, over all steps.
    pub operations: u64,
    /// Pairs of overlapping boxes that the broad phase did not report (with `check`).
    pub missed_pairs: u64,
    /// Pairs that the broad phase reported although their boxes do not overlap (with `check`).
    pub extra_pairs: u64,
    /// Queries that gave no finite distance, or a depth that is not surely the smallest.
    pub unfinished_queries: u64,
}
