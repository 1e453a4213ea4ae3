//! What numbers in a graph genome may be. Operators keep to it, and genomes from files are refused beyond it.

use std::f64::consts::FRAC_PI_6;

/// Most nodes of a genome.
pub const MAX_NODES: usize = 32;

/// Most connections of a genome.
pub const MAX_CONNECTIONS: usize = 96;

/// Most neurons of a node.
pub const MAX_LOCAL_NEURONS: usize = 16;

/// Most neurons of the central brain.
pub const MAX_GLOBAL_NEURONS: usize = 32;

/// Recursion limits go from 1 to this.
pub const MAX_RECURSION: u8 = 16;

/// Half sizes of parts, in m.
pub const HALF_SIZE: [f64; 2] = [0.002, 2.0];

/// Scale of a child by its parent.
pub const SCALE: [f64; 2] = [0.1, 4.0];

/// Weights of inputs.
pub const WEIGHT: [f64; 2] = [-10.0, 10.0];

/// How far an axis may turn from rest either way, in rad. At least one way it turns by the lower bound.
pub const TURN: [f64; 2] = [0.05, 2.9];

/// The second axis of a joint is at least so far from the first, and the third from the plane of both, in rad: axes that are
/// nearly parallel make a joint that is hard to compute (000 section 4.2: 30 degrees).
pub const AXIS_ANGLE: f64 = FRAC_PI_6;

/// A number within its bounds; the fallback for what is not a number.
pub(super) fn within(value: f64, [low, high]: [f64; 2], fallback: f64) -> f64 {
    if value.is_nan() { fallback } else { value.clamp(low, high) }
}

/// Refuses a number of things that is out of its bounds.
pub(super) fn check_count(what: &str, count: usize, [low, high]: [usize; 2]) -> Result<(), String> {
    if low <= count && count <= high {
        Ok(())
    } else {
        Err(format!("it has {count} {what}, not between {low} and {high}"))
    }
}
