//! `GET .../history`: the progress of a run over its evaluations and its settings, to compare several runs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::ProgressPoint;
use serde::Serialize;

use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// Maximum number of points at equal distances.
const MAX_POINTS: u64 = 200;

/// The progress of a run over its evaluations. The lists have one entry for each point.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunHistory {
    /// Name of the file without `.burgess`.
    name: String,
    /// Name of the task.
    task: String,
    /// Family of the genomes.
    family: &'static str,
    /// Name of the algorithm.
    algorithm: &'static str,
    /// Seed of the run.
    seed: u64,
    /// Number of evaluations so far.
    count: u64,
    /// Number of evaluations at which the run ends.
    planned: u64,
    /// Whether individuals compete, so that the fitness of different moments cannot be compared.
    contest: bool,
    /// Configuration as TOML.
    config: String,
    /// Number of evaluations at each point: multiples of a round number, and the last one.
    evaluations: Vec<u64>,
    /// Highest fitness so far; it starts anew when the task or its parameters change. Null if none was scored.
    best: Vec<Option<f64>>,
    /// Median fitness of the individuals since the previous point; null if none was scored.
    median: Vec<Option<f64>>,
}

pub(super) async fn history(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
) -> Result<Json<RunHistory>, ApiError> {
    let name = run.clone();
    hub.read_run(&run, move |_, archive| {
        let config = archive.config().map_err(archive_error)?;
        let points: Vec<ProgressPoint> = archive.progress(MAX_POINTS).map_err(archive_error)?;
        Ok(Json(RunHistory {
            name,
            task: config.task.name.clone(),
            family: config.family.name(),
            algorithm: config.algorithm_at(archive.count().saturating_sub(1)).name(),
            seed: config.seed,
            count: archive.count(),
            planned: config.evaluations,
            contest: archive.contest_config().map_err(archive_error)?.is_some(),
            config: config.to_toml(),
            evaluations: points.iter().map(|point| point.evaluations).collect(),
            best: points.iter().map(|point| point.best).collect(),
            median: points.iter().map(|point| point.median).collect(),
        }))
    })
    .await
}
