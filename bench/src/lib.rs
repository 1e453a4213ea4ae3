//! What the two programs here share: the protocol of measuring.

pub mod duel;
