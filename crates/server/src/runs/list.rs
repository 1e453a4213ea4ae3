//! `GET /api/runs` and `GET /api/runs/RUN`: the runs and their progress.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{Archive, ArchiveError, RunConfig, Spread};
use serde::Serialize;

use super::repeat;
use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;

/// Whether a run is being evolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum RunState {
    /// The run evolves in this process.
    Evolving,
    /// The run is paused in this process.
    Paused,
    /// The run has evaluations left, and no process of this server evolves it.
    Stopped,
    /// All evaluations are done.
    Done,
    /// The file cannot be read.
    Unreadable,
}

/// A run in the run directory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Run"))]
pub(crate) struct Entry {
    /// Name of the file without `.burgess`.
    pub name: String,
    /// Name of the task. It is empty if the file cannot be read.
    pub task: String,
    /// Family of the genomes.
    pub family: &'static str,
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// Seed of the run.
    pub seed: u64,
    /// Number of individuals evaluated so far.
    pub count: u64,
    /// Number of evaluations at which the run ends.
    pub evaluations: u64,
    /// Fitness of the champion.
    pub best_fitness: Option<f64>,
    /// Spread of the champion's fitness over its evaluations.
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Spread>"))]
    pub best_spread: Option<Spread>,
    /// Body lengths that the champion travels in 10 s, after the transient of the task.
    pub best_body_lengths: Option<f64>,
    /// Id of the champion.
    pub champion: Option<u64>,
    /// Whether the run is being evolved.
    pub state: RunState,
    /// Time of the last change of the file, in s since 1970; none if the run was not read for a list.
    pub modified: Option<u64>,
    /// Reason why the file cannot be read.
    pub error: Option<String>,
}

/// A run with its configuration and totals.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunDetail {
    #[serde(flatten)]
    entry: Entry,
    /// Configuration as TOML.
    config: String,
    /// Arguments of `burgess` that start a run with the same configuration, or null if only a file with the
    /// configuration can express it, or if the run started from given creatures.
    repeat: Option<Vec<String>>,
    /// Names of the descriptors.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    descriptors: [&'static str; Descriptors::NAMES.len()],
    /// Names of the measures.
    measures: Vec<&'static str>,
    /// Hash of the archive (16 hexadecimal digits), or null while the run evolves or if rows are damaged.
    hash: Option<String>,
    /// Simulated time of all evaluations, in s.
    creature_seconds: f64,
    /// Number of individuals without fitness because their motion was physically implausible.
    faulty: u64,
    /// Number of evaluations that tested known individuals again under new draws of the conditions.
    retests: u64,
}

impl Entry {
    /// Describes the run in a file, and returns its configuration.
    pub fn of(hub: &Hub, name: &str, archive: &Archive) -> Result<(Self, RunConfig), ArchiveError> {
        let config = archive.config()?;
        let champion = match archive.champion() {
            Ok(champion) => Some(champion),
            Err(ArchiveError::NoneScored(_)) => None,
            Err(error) => return Err(error),
        };
        let entry = Self {
            name: name.to_string(),
            task: config.task.name.clone(),
            family: config.family.name(),
            algorithm: config.algorithm_at(archive.count().saturating_sub(1)).name(),
            seed: config.seed,
            count: archive.count(),
            evaluations: config.evaluations,
            best_fitness: champion.as_ref().map(|one| one.result.fitness),
            best_spread: champion.as_ref().map(|one| archive.spread(one.id)).transpose()?.flatten(),
            best_body_lengths: champion.as_ref().map(|one| one.result.body_lengths(config.task_at(one.id))),
            champion: champion.map(|one| one.id),
            state: match hub.runs.live(name) {
                Some(live) => live.state(),
                None if archive.count() >= config.evaluations => RunState::Done,
                None => RunState::Stopped,
            },
            modified: None,
            error: None,
        };
        Ok((entry, config))
    }

    /// A run whose file cannot be read.
    pub fn unreadable(name: &str, error: String) -> Self {
        Self {
            name: name.to_string(),
            task: String::new(),
            family: "",
            algorithm: "",
            seed: 0,
            count: 0,
            evaluations: 0,
            best_fitness: None,
            best_spread: None,
            best_body_lengths: None,
            champion: None,
            state: RunState::Unreadable,
            modified: None,
            error: Some(error),
        }
    }
}

pub(super) async fn list(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let listing = hub.read(|hub| Ok(hub.list_runs(usize::MAX))).await?;
    let tag = format!("\"{}\"", listing.version);
    if etag::is_known(&headers, &tag) {
        return Ok(etag::unchanged(tag, etag::ASK));
    }
    let json = serde_json::to_vec(&listing.runs).map_err(|error| ApiError::failed(error.to_string()))?;
    Ok(etag::tagged(tag, etag::ASK, "application/json", json.into()))
}

pub(super) async fn about(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
) -> Result<Json<RunDetail>, ApiError> {
    let name = run.clone();
    hub.read_run(&run, move |hub, mut archive| {
        let is_still = hub.runs.live(&name).is_none();
        let hash = if is_still { hub.runs.hash(&mut archive).map_err(archive_error)? } else { None };
        let (entry, config) = Entry::of(hub, &name, &archive).map_err(archive_error)?;
        let totals = archive.totals().map_err(archive_error)?;
        let has_founders = !archive.origins().map_err(archive_error)?.is_empty();
        Ok(Json(RunDetail {
            entry,
            repeat: if has_founders { None } else { repeat::arguments(&config) },
            config: config.to_toml(),
            descriptors: Descriptors::NAMES,
            measures: Measure::ALL.iter().map(|measure| measure.name()).collect(),
            hash: hash.map(|hash| format!("{hash:016x}")),
            creature_seconds: totals.creature_seconds,
            faulty: totals.faulty,
            retests: totals.retests,
        }))
    })
    .await
}
