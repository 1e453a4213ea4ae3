//! Gymnasium's models in Burgess and in MuJoCo: recorded states, and both engines brought to them.

pub mod burgess;
pub mod corpus;
pub mod mujoco;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The models whose states are recorded.
pub const MODELS: [&str; 5] = ["ant", "humanoid", "half_cheetah", "hopper", "walker2d"];
/// The step of the recordings, in s.
pub const STEP: f64 = 1.0 / 240.0;

/// The file of a model.
pub fn model_file(folder: Option<&Path>, model: &str) -> Result<PathBuf> {
    let folder = folder.context("the models were not fetched (bench/run fetches them)")?;
    Ok(folder.join(format!("{model}.xml")))
}
