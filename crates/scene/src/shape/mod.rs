//! Shapes of bodies: spec, checks, building.

mod build;
mod check;
pub(crate) mod spec;

pub(crate) use build::ShapeMaker;
pub(crate) use check::check_shape;
