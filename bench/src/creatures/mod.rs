//! Creatures in Burgess and in MuJoCo: random graph genomes that crawl, and their recorded states, which both engines
//! start from.

pub mod creature;
pub mod samples;

/// Physics time step, in s.
pub const STEP: f64 = 1.0 / 240.0;
/// Number of creatures.
pub const COUNT: usize = 200;
/// Duration of each trial including settling, in s.
pub const SECONDS: f64 = 10.0;
/// Seed of the trials.
pub const SEED: u64 = 1;
