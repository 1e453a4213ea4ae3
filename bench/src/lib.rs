//! What the programs here share: the protocol of measuring.

pub mod duel;
