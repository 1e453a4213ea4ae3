//! `GET /api/runs` and `GET /api/runs/RUN`: the runs and their progress.

use std::fs;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_catalog::RUN_EXTENSION;
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{Archive, ArchiveError, RunConfig, Spread};
use serde::Serialize;

use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// Maximum number of files that are examined.
const MAX_FILES: usize = 10_000;

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
}

/// A run in the run directory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Run"))]
pub(crate) struct Entry {
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
    /// Number of individuals evaluated so far.
    count: u64,
    /// Number of evaluations at which the run ends.
    evaluations: u64,
    /// Fitness of the champion.
    best_fitness: Option<f64>,
    /// Spread of the champion's fitness over its evaluations.
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Spread>"))]
    best_spread: Option<Spread>,
    /// Body lengths that the champion travels in 10 s, after the transient of the task.
    best_body_lengths: Option<f64>,
    /// Id of the champion.
    champion: Option<u64>,
    /// Whether the run is being evolved.
    state: RunState,
}

/// A run with its configuration and totals.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunDetail {
    #[serde(flatten)]
    entry: Entry,
    /// Configuration as TOML.
    config: String,
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
        };
        Ok((entry, config))
    }
}

pub(super) async fn list(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<Entry>>, ApiError> {
    hub.read(|hub| {
        let files = fs::read_dir(hub.folder()).into_iter().flatten().flatten().take(MAX_FILES);
        let extension = format!(".{RUN_EXTENSION}");
        let names =
            files.filter_map(|file| file.file_name().into_string().ok()?.strip_suffix(&extension).map(String::from));
        // Runs that cannot be read are not listed; a request by name returns the reason.
        let entry = |name: String| {
            let archive = Archive::open_read_only(&hub.run_file(&name).ok()?).ok()?;
            Entry::of(hub, &name, &archive).ok().map(|(entry, _)| entry)
        };
        let mut all: Vec<Entry> = names.filter_map(entry).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Json(all))
    })
    .await
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
        Ok(Json(RunDetail {
            entry,
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
