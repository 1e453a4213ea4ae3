//! What there is to be shown: what comes with the program, and recordings in the folder of runs.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use burgess_creature::builtin as creatures;
use burgess_creature::task::Task;
use burgess_scene::{builtin as scenes, recording};
use serde::Serialize;

use crate::api::Routes;
use crate::error::ApiError;
use crate::hub::Hub;

/// A folder with more files is looked at no further.
const MOST_FILES: usize = 10_000;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/scenes", list_scenes)
        .get("/api/creatures", list_creatures)
        .get("/api/tasks", list_tasks)
        .get("/api/recordings", list_recordings)
}

#[derive(Serialize, Clone)]
struct SceneEntry {
    name: &'static str,
    description: &'static str,
    duration: f64,
}

async fn list_scenes() -> Json<&'static [SceneEntry]> {
    static ALL: OnceLock<Vec<SceneEntry>> = OnceLock::new();
    let entry = |scene: &scenes::Builtin| SceneEntry {
        name: scene.name,
        description: scene.description,
        duration: scene.spec().duration,
    };
    Json(ALL.get_or_init(|| scenes::all().iter().map(entry).collect()))
}

#[derive(Serialize)]
struct Entry {
    name: String,
    description: String,
}

async fn list_creatures() -> Json<Vec<Entry>> {
    let entry = |creature: &creatures::Builtin| Entry {
        name: creature.name.to_string(),
        description: creature.description.to_string(),
    };
    Json(creatures::all().iter().map(entry).collect())
}

async fn list_tasks() -> Json<Vec<Entry>> {
    Json(Task::presets().map(|task| Entry { name: task.name, description: task.description }).collect())
}

#[derive(Serialize)]
struct RecordingEntry {
    name: String,
    bytes: u64,
}

async fn list_recordings(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<RecordingEntry>>, ApiError> {
    let folder = hub.folder().to_path_buf();
    hub.heavy(move || Json(recordings(&folder))).await
}

/// Recordings in a folder, by name; none where the folder is not there or cannot be read.
fn recordings(folder: &Path) -> Vec<RecordingEntry> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES);
    let mut found: Vec<_> = files
        .filter_map(|file| {
            let bytes = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
            // Runs are SQLite's: to open and close one here would take the locks from whoever in this process is at work on it.
            let name = file.file_name().into_string().ok().filter(|name| !name.contains(".burgess"))?;
            is_recording(&file.path()).then_some(RecordingEntry { name, bytes })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Does a file begin as recordings do?
fn is_recording(path: &Path) -> bool {
    let mut start = [0; recording::MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == recording::MAGIC
}
