//! URDF in and out.

mod export;
mod hostile;
mod import;
mod meshes;
mod round_trip;
mod support;
