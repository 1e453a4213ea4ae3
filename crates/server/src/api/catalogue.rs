//! Routes that list what can be shown: built-in scenes, creatures and tasks, and recordings in the run directory.

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use burgess_catalog::{Scene, builtin_scenes, is_recording};
use burgess_creature::builtin as creatures;
use burgess_creature::task::Task;
use serde::Serialize;

use crate::api::Routes;
use crate::error::ApiError;
use crate::hub::Hub;

/// Maximum number of files of the run directory that are examined.
const MAX_FILES: usize = 10_000;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/scenes", list_scenes)
        .get("/api/creatures", list_creatures)
        .get("/api/tasks", list_tasks)
        .get("/api/recordings", list_recordings)
}

/// A built-in scene.
#[derive(Serialize, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SceneEntry {
    /// Name of the scene.
    name: &'static str,
    /// Description in one sentence.
    description: &'static str,
    /// Duration, in s.
    duration: f64,
}

async fn list_scenes() -> Json<&'static [SceneEntry]> {
    static ALL: OnceLock<Vec<SceneEntry>> = OnceLock::new();
    let entry = |(name, description): (&'static str, &'static str)| {
        let duration = Scene::builtin(name).map_or(0.0, |scene| scene.spec().duration);
        SceneEntry { name, description, duration }
    };
    Json(ALL.get_or_init(|| builtin_scenes().into_iter().map(entry).collect()))
}

/// A built-in creature.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CreatureEntry {
    /// Name of the creature.
    name: &'static str,
    /// Description in one sentence.
    description: &'static str,
    /// Name of the task that it was designed or evolved for.
    task: &'static str,
}

async fn list_creatures() -> Json<Vec<CreatureEntry>> {
    let entry = |creature: &creatures::Builtin| {
        let creatures::Builtin { name, description, task, .. } = *creature;
        CreatureEntry { name, description, task }
    };
    Json(creatures::all().iter().map(entry).collect())
}

/// A built-in task.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Named"))]
pub(crate) struct TaskEntry {
    /// Name of the task.
    name: String,
    /// Description in one sentence.
    description: String,
}

async fn list_tasks() -> Json<Vec<TaskEntry>> {
    Json(Task::presets().map(|task| TaskEntry { name: task.name, description: task.description }).collect())
}

/// A recording in the run directory.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RecordingEntry {
    /// File name.
    name: String,
    /// Size of the file, in bytes.
    bytes: u64,
}

async fn list_recordings(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<RecordingEntry>>, ApiError> {
    let folder = hub.folder().to_path_buf();
    hub.heavy(move || Json(recordings(&folder))).await
}

/// Names and sizes of the files in a folder that may be recordings, sorted by name; none if the folder is missing.
pub(super) fn recording_files(folder: &Path) -> Vec<(String, u64)> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let mut found: Vec<_> = files
        .filter_map(|file| {
            // The file of a run is not opened later: closing it would release the locks that SQLite holds in this
            // process.
            let name = file.file_name().into_string().ok().filter(|name| !name.contains(".burgess"))?;
            let bytes = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
            Some((name, bytes))
        })
        .collect();
    found.sort();
    found
}

/// Recordings in a folder, sorted by name.
fn recordings(folder: &Path) -> Vec<RecordingEntry> {
    let files = recording_files(folder).into_iter();
    let found = files.filter(|(name, _)| is_recording(&folder.join(name)));
    found.map(|(name, bytes)| RecordingEntry { name, bytes }).collect()
}
