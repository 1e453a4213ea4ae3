//! Options of hierarchical hashing.

/// Options of hierarchical hashing. They do not change the pairs that are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashingOptions {
    /// Maximum number of tiles that a moving proxy overlaps at its native resolution, from 8 (a corner touches 8 tiles)
    /// to 8192.
    pub threshold: u32,
    /// The same for fixed proxies. They are hashed only once, so more and smaller tiles pay off.
    pub fixed_threshold: u32,
    /// A proxy keeps its resolution until it overlaps more tiles than this factor times the threshold, or would overlap
    /// on average at most the threshold divided by this factor at a finer one; from 1 to 8.
    pub resolution_hysteresis: f64,
    /// Number of updates for which a pair stays a candidate after its last shared tile.
    pub pair_hysteresis: u32,
    /// Exponent of the finest tile size: 2 to this power, in metres.
    pub finest_exponent: i32,
    /// Exponent of the coarsest tile size: 2 to this power, in metres. At most 62 levels are used. A proxy that
    /// overlaps more than four times the threshold of these tiles is native to the everywhere level.
    pub coarsest_exponent: i32,
    /// Whether an update reuses the results of the last one. If not, every update rebuilds everything, in the same
    /// memory.
    pub coherence: bool,
}

impl Default for HashingOptions {
    fn default() -> Self {
        Self {
            threshold: 8,
            fixed_threshold: 512,
            resolution_hysteresis: 2.0,
            pair_hysteresis: 4,
            finest_exponent: -24,
            coarsest_exponent: 24,
            coherence: true,
        }
    }
}
