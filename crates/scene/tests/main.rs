//! All integration tests of the crate in one program, because one program links faster than many.

mod actuators;
mod allocation;
mod bounce;
mod builtin;
mod controllers;
mod documentation;
mod gltf;
mod keyframes;
mod margins;
mod mjcf_export;
mod mjcf_import;
mod mjcf_round_trip;
mod mujoco_forces;
mod paradigm_settings;
mod pictures;
mod random_scenes;
mod recordings;
mod scene_files;
mod scenes_built;
mod scenes_within_scenes;
mod sensors;
mod soft_limits;
mod starts;
mod tendons;
mod urdf;
mod welds;
