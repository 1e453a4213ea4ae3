//! Creatures in Burgess and in MuJoCo: random graph genomes that crawl under their brains, the states they go through, and both engines brought
//! to these.

pub mod life;
pub mod samples;

/// The step of physics, in s.
pub const STEP: f64 = 1.0 / 240.0;
/// How many creatures there are.
pub const COUNT: usize = 200;
/// How long each lives, settling included, in s.
pub const SECONDS: f64 = 10.0;
/// Of the trial that each lives through.
pub const SEED: u64 = 1;
