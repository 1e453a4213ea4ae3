//! Tests of URDF import and export.

mod export;
mod hostile;
mod import;
mod meshes;
mod round_trip;
mod specification;
mod support;
