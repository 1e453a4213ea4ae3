//! What the programs here share: the protocol of measuring, and scenes for whole simulators.

pub mod duel;
pub mod simbenchmark;
pub mod standing;
