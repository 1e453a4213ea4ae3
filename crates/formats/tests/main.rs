//! All integration tests of the crate in one program, because one program links faster than many.
mod gltf;
mod mjcf_export;
mod mjcf_import;
mod mjcf_round_trip;
mod soft_limits;
mod urdf;
