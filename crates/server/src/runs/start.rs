//! `POST /api/runs`: a new run that evolves in this server.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use burgess_creature::Family;
use burgess_creature::task::Task;
use burgess_evolution::{AlgorithmConfig, Archive, RunConfig};
use serde::Deserialize;

use super::list::Entry;
use super::run_directory::archive_error;
use crate::api::JsonBody;
use crate::error::ApiError;
use crate::hub::Hub;

/// The body of `POST /api/runs`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewRun {
    /// Name of a built-in task. Task files are not accepted: clients must not make the server read files.
    pub(super) task: String,
    /// Seed of the run.
    pub(super) seed: Option<u64>,
    /// Number of evaluations at which the run ends.
    pub(super) evaluations: Option<u64>,
    /// Name of the algorithm.
    pub(super) algorithm: Option<String>,
    /// Family of the genomes.
    pub(super) family: Option<String>,
}

impl NewRun {
    /// The configuration of the run.
    pub(super) fn config(&self) -> Result<RunConfig, ApiError> {
        let bad = |error: String| ApiError::bad(error);
        let mut config = RunConfig::recipe(Task::preset(&self.task).map_err(|error| bad(error.to_string()))?);
        config.seed = self.seed.unwrap_or(config.seed);
        if let Some(evaluations) = self.evaluations {
            config.scale_to(evaluations);
        }
        if let Some(name) = &self.algorithm {
            let known = AlgorithmConfig::with_defaults(&name.replace('-', "_"));
            let names: Vec<&str> = AlgorithmConfig::NAMES.to_vec();
            config.stages.clear();
            config.algorithm = known
                .ok_or_else(|| bad(format!("unknown algorithm '{name}', expected one of {}", names.join(", "))))?;
        }
        config.shrink_defaults();
        if let Some(name) = &self.family {
            let known = Family::ALL.into_iter().find(|family| family.name() == name);
            config.family = known.ok_or_else(|| bad(format!("unknown family '{name}', expected graph or legged")))?;
        }
        config.check().map_err(|error| bad(error.to_string()))?;
        Ok(config)
    }
}

pub(super) async fn start(
    State(hub): State<Arc<Hub>>,
    JsonBody(new): JsonBody<NewRun>,
) -> Result<(StatusCode, Json<Entry>), ApiError> {
    let config = new.config()?;
    hub.read(move |hub| {
        let made = std::fs::create_dir_all(hub.folder());
        made.map_err(|error| ApiError::failed(format!("cannot create the run directory: {error}")))?;
        let (name, file) = hub.runs.write_new(|runs| {
            runs.check_capacity()?;
            let archive = Archive::create_in(hub.folder(), &config, &[]).map_err(archive_error)?;
            let file = archive.file().to_path_buf();
            let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            // The file of a run that evolves may have been deleted.
            if runs.live(&name).is_some() {
                return Err(ApiError::new(StatusCode::CONFLICT, format!("'{name}' evolves already")));
            }
            runs.evolve(&name, archive)?;
            Ok((name, file))
        })?;
        let archive = Archive::open_read_only(&file).map_err(archive_error)?;
        let (entry, _) = Entry::of(hub, &name, &archive).map_err(archive_error)?;
        Ok((StatusCode::CREATED, Json(entry)))
    })
    .await
}
