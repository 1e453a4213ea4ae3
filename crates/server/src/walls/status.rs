//! The state of the cave, for the control page.

use burgess_walls::tracking::Tracking;
use burgess_walls::{Cave, PRESETS, WallReport};
use serde::Serialize;

use super::cave_state::{CaveState, Window};

/// The cave, its walls, and what they show.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CaveStatus {
    /// The cave; null if there is none.
    cave: Option<Cave>,
    /// Name of the file in which changes are saved.
    file: Option<String>,
    /// Built-in caves.
    presets: Vec<CavePreset>,
    /// The session that the walls show.
    session: Option<String>,
    /// Name of the flow whose vortex tubes the walls show.
    flow: Option<String>,
    /// Number of the frame that is prepared.
    frame: u64,
    /// Whether walls show their numbers, and handles at their corners.
    setup: bool,
    /// Whether the user's body is a collider.
    body: bool,
    /// The last report of a tracker, in its own axes.
    tracking: Option<Tracking>,
    /// The walls, in the order of the file.
    walls: Vec<WallStatus>,
    /// Address of the page for other machines, with the token; null if only this machine can reach it.
    address: Option<String>,
}

/// A built-in cave.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CavePreset {
    /// Name of the cave.
    name: String,
    /// Description in one sentence.
    description: String,
}

/// State of a wall.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct WallStatus {
    /// Name of the wall.
    name: String,
    /// Number of the wall, from 1.
    number: usize,
    /// Address of the machine whose window shows it; null without a window.
    window: Option<String>,
    /// Whether it is locked. A wall with a window that is not locked is late, or has just been opened.
    locked: bool,
    /// Number of the frame that it shows.
    shown: u64,
    /// How often it has left the lock.
    times_late: u32,
    /// Time from sending the last frame to the answer, in ms.
    drawing: f64,
    /// Largest such time lately, in ms.
    slowest: f64,
}

impl CaveStatus {
    pub(super) fn new(state: Option<&CaveState>, address: Option<String>) -> Self {
        let preset = |name: &&str| {
            let description = Cave::preset(name).map(|cave| cave.description).unwrap_or_default();
            CavePreset { name: (*name).to_string(), description }
        };
        Self {
            cave: state.map(|state| state.text.cave.clone()),
            file: state.map(|state| state.file.file_name().unwrap_or_default().to_string_lossy().into_owned()),
            presets: PRESETS.iter().map(preset).collect(),
            session: state.and_then(|state| Some(state.shown.as_ref()?.session.id().to_string())),
            flow: state.and_then(|state| Some(state.flow.as_ref()?.title().to_string())),
            frame: state.map_or(0, |state| state.lock.frame()),
            setup: state.is_some_and(|state| state.setup),
            body: state.is_some_and(|state| state.menu.view.body),
            tracking: state.and_then(|state| state.tracking.clone()),
            walls: state.map(walls).unwrap_or_default(),
            address,
        }
    }
}

fn walls(state: &CaveState) -> Vec<WallStatus> {
    let reports: Vec<WallReport> = state.lock.reports().collect();
    let status = |(place, name): (usize, &String)| {
        let window: Option<(&u32, &Window)> = state.windows.iter().find(|(_, window)| window.name == *name);
        let report = window.and_then(|(id, _)| reports.iter().find(|report| report.wall == *id));
        WallStatus {
            name: name.clone(),
            number: place + 1,
            window: window.map(|(_, window)| window.peer.ip().to_string()),
            locked: report.is_some_and(|report| report.locked),
            shown: report.map_or(0, |report| report.shown),
            times_late: report.map_or(0, |report| report.times_late),
            drawing: report.map_or(0.0, |report| 1e3 * report.drawing.as_secs_f64()),
            slowest: report.map_or(0.0, |report| 1e3 * report.slowest.as_secs_f64()),
        }
    };
    state.text.cave.walls.iter().map(|wall| &wall.name).enumerate().map(status).collect()
}
