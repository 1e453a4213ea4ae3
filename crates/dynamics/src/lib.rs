//! Articulated-body dynamics.
pub mod spatial;
