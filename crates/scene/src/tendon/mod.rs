//! Tendons, springs over several joints: spec, checks, building.

mod build;
mod check;
pub(crate) mod spec;

pub(crate) use build::build_tendon;
pub(crate) use check::{check_names, check_tendon};
