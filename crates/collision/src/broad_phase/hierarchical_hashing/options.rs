//! How hierarchical hashing is tuned.

/// How hierarchical hashing is tuned. None of it changes the pairs that are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashingOptions {
    /// How many tiles a moving proxy may meet at its native resolution; from 8, since a corner meets 8, to 8192.
    pub threshold: u32,
    /// The same for fixed proxies, which never have to be hashed again and so afford more, smaller tiles.
    pub fixed_threshold: u32,
    /// A proxy keeps its resolution until it meets more tiles than this factor times the threshold, or a finer one
    /// would meet no more than the threshold divided by it on average; from 1 to 8.
    pub resolution_hysteresis: f64,
    /// How many updates a candidate pair outlives its last shared tile.
    pub pair_hysteresis: u32,
    /// The finest tiles measure 2 to this power, in metres.
    pub finest_exponent: i32,
    /// The coarsest tiles measure 2 to this power, in metres; at most 62 levels are used. A proxy that meets more than four times the
    /// threshold of them is all over.
    pub coarsest_exponent: i32,
    /// Update what was there? If not, every update builds everything anew, in the same memory.
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
