//! Creatures made by hand.
