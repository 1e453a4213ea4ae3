//! What the programs here share: the protocol of measuring, scenes for whole simulators, and checks of physics.

pub mod checks;
pub mod contact_handling;
pub mod creatures;
pub mod duel;
pub mod gymnasium;
pub mod simbenchmark;
pub mod standing;
