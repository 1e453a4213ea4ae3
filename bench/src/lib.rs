//! Shared code of the benchmark programs: the measurement protocol, scenes for whole simulators, and physics checks.

pub mod checks;
pub mod contact_handling;
pub mod creatures;
pub mod duel;
pub mod groups;
pub mod gymnasium;
pub mod markdown;
pub mod simbenchmark;
pub mod standing;

pub use burgess_peers::shim;
