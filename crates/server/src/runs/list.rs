//! `GET /api/runs` and `GET /api/runs/RUN`: what runs there are, and how far they are.

use std::fs;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{Archive, ArchiveError, RunConfig};
use serde::Serialize;

use super::shelf::refused;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// More files than this are not looked at.
const MOST_FILES: usize = 10_000;
const ENDING: &str = ".burgess";

/// A run, in brief.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    name: String,
    task: String,
    family: &'static str,
    algorithm: &'static str,
    seed: u64,
    count: u64,
    evaluations: u64,
    best_fitness: Option<f64>,
    best_body_lengths: Option<f64>,
    champion: Option<u64>,
    state: &'static str,
}

/// A run.
#[derive(Debug, Serialize)]
pub(super) struct InFull {
    #[serde(flatten)]
    entry: Entry,
    config: String,
    descriptors: [&'static str; Descriptors::NAMES.len()],
    measures: Vec<&'static str>,
    hash: Option<String>,
    creature_seconds: f64,
    faulty: u64,
}

impl Entry {
    /// Of a file.
    pub fn of(hub: &Hub, name: &str, archive: &Archive) -> Result<(Self, RunConfig), ArchiveError> {
        let config = archive.config()?;
        let champion = match archive.champion() {
            Ok(champion) => Some(champion),
            Err(ArchiveError::NobodyScored(_)) => None,
            Err(error) => return Err(error),
        };
        let entry = Self {
            name: name.to_string(),
            task: config.task.name.clone(),
            family: config.family.name(),
            algorithm: config.algorithm.name(),
            seed: config.seed,
            count: archive.count(),
            evaluations: config.evaluations,
            best_fitness: champion.as_ref().map(|one| one.result.fitness),
            best_body_lengths: champion.as_ref().map(|one| one.result.body_lengths(&config.task)),
            champion: champion.map(|one| one.id),
            state: match hub.runs.search(name) {
                Some(search) => search.state(),
                None if archive.count() >= config.evaluations => "done",
                None => "stopped",
            },
        };
        Ok((entry, config))
    }
}

pub(super) async fn list(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<Entry>>, ApiError> {
    hub.read(|hub| {
        let files = fs::read_dir(hub.folder()).into_iter().flatten().flatten().take(MOST_FILES);
        let names =
            files.filter_map(|file| file.file_name().into_string().ok()?.strip_suffix(ENDING).map(String::from));
        // What cannot be read is not there to be chosen; whoever asks for it by name is told why.
        let entry = |name: String| {
            let archive = Archive::look(&hub.run_file(&name).ok()?).ok()?;
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
) -> Result<Json<InFull>, ApiError> {
    let name = run.clone();
    hub.look(&run, move |hub, mut archive| {
        let (entry, config) = Entry::of(hub, &name, &archive).map_err(refused)?;
        let is_still = hub.runs.search(&name).is_none();
        let hash = if is_still { Some(hub.runs.hash(&mut archive).map_err(refused)?) } else { None };
        let totals = archive.totals().map_err(refused)?;
        Ok(Json(InFull {
            entry,
            config: config.to_toml(),
            descriptors: Descriptors::NAMES,
            measures: Measure::ALL.iter().map(|measure| measure.name()).collect(),
            hash: hash.map(|hash| format!("{hash:016x}")),
            creature_seconds: totals.creature_seconds,
            faulty: totals.faulty,
        }))
    })
    .await
}
