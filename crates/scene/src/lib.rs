//! Worlds to look at and to run.

pub mod bounce;
