//! Bounds of the numbers in a graph genome. The operators respect them, and genomes in files are refused beyond them.

use std::f64::consts::FRAC_PI_6;

/// Maximum number of nodes of a genome.
pub const MAX_NODES: usize = 32;

/// Maximum number of connections of a genome.
pub const MAX_CONNECTIONS: usize = 96;

/// Maximum number of neurons of a node.
pub const MAX_LOCAL_NEURONS: usize = 16;

/// Maximum number of neurons of the central brain.
pub const MAX_GLOBAL_NEURONS: usize = 32;

/// Maximum recursion limit; the minimum is 1.
pub const MAX_RECURSION: u8 = 16;

/// Bounds of half a side of a part, in m.
pub const HALF_SIZE: [f64; 2] = [0.002, 2.0];

/// Bounds of the scale of a child relative to its parent.
pub const SCALE: [f64; 2] = [0.1, 4.0];

/// Bounds of the weight of an input.
pub const WEIGHT: [f64; 2] = [-10.0, 10.0];

/// Bounds of the rhythm of a brain, in Hz. Faster ones make creatures tremble instead of step.
pub const RHYTHM: [f64; 2] = [0.2, 2.5];

/// Bounds of the angle by which an axis turns from rest to either side, in rad. At least one side reaches the lower
/// bound.
pub const TURN: [f64; 2] = [0.05, 2.9];

/// Minimum angle of the second axis of a joint to the first, and of the third to the plane of both, in rad. Joints with
/// nearly parallel axes are ill-conditioned (Fontijne (2000) section 4.2 uses 30 degrees).
pub const AXIS_ANGLE: f64 = FRAC_PI_6;

/// Clamps a number to its bounds. NaN becomes the fallback.
pub(super) fn within(value: f64, [low, high]: [f64; 2], fallback: f64) -> f64 {
    if value.is_nan() { fallback } else { value.clamp(low, high) }
}

/// Returns an error message unless a count is within its bounds.
pub(super) fn check_count(what: &str, count: usize, [low, high]: [usize; 2]) -> Result<(), String> {
    if low <= count && count <= high { Ok(()) } else { Err(format!("it has {count} {what}, expected {low} to {high}")) }
}
