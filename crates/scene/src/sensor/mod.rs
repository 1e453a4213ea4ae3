//! Sensors and the sites they measure at: spec, checks, building, reading.

mod build;
mod check;
mod reading;
pub(crate) mod spec;

pub(crate) use build::build_sensors;
pub(crate) use check::{check_names, check_sensor, check_site};
pub use reading::Sensors;
