//! Constraints between bodies besides joints: spec, checks, building.

mod build;
mod check;
pub(crate) mod spec;

pub(crate) use build::build_constraint;
pub(crate) use check::check_constraint;
