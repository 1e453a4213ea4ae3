//! All integration tests of the crate in one program, because one program links faster than many.

mod actuators;
mod builtin;
mod controllers;
mod controllers_by_paradigm;
mod crowd_files;
mod documentation;
mod keyframes;
mod margins;
mod motor_controllers;
mod mujoco_forces;
mod paradigm_settings;
mod recordings;
mod run_options;
mod scene_files;
mod scenes_built;
mod scenes_within_scenes;
mod sensors;
mod soft_limits;
mod starts;
mod support;
mod tendons;
mod welds;
