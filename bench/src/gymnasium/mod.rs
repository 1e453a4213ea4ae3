//! Gymnasium's models in Burgess and in MuJoCo, and recorded states that both engines start from.

pub mod burgess;
pub mod corpus;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
pub use burgess_peers::mujoco;

/// Models with recorded states.
pub const MODELS: [&str; 5] = ["ant", "humanoid", "half_cheetah", "hopper", "walker2d"];
/// Time step of the recordings, in s.
pub const STEP: f64 = 1.0 / 240.0;

/// Returns the file of a model.
pub fn model_file(folder: Option<&Path>, model: &str) -> Result<PathBuf> {
    let folder = folder.context("the models have not been fetched; bench/run fetches them")?;
    Ok(folder.join(format!("{model}.xml")))
}
