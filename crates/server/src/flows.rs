//! Histories of vortex tubes that the page shows: `GET /api/flows/ID` and `GET /api/flows/ID/steps/STEP`.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use burgess_flow::tubes::{HistoryError, HistoryReader, QUANTITIES, Quantity};
use glam::DVec3;
use serde::Serialize;

use crate::api::{PathName, Routes};
use crate::error::ApiError;
use crate::hub::Hub;

/// Most histories that one server shows.
const MAX_FLOWS: usize = 64;

pub(crate) fn routes() -> Routes {
    Routes::new().get("/api/flows/{id}", detail).get("/api/flows/{id}/steps/{step}", step)
}

/// The histories that are open.
#[derive(Debug, Default)]
pub struct Flows {
    open: Mutex<Vec<OpenFlow>>,
}

type Reader = Arc<Mutex<HistoryReader<File>>>;

#[derive(Debug, Clone)]
struct OpenFlow {
    title: String,
    reader: Reader,
}

impl Flows {
    /// Opens a file of tubes and returns its id.
    pub fn open(&self, path: &Path) -> Result<String, HistoryError> {
        let reader = Arc::new(Mutex::new(HistoryReader::open(path)?));
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MAX_FLOWS {
            return Err(std::io::Error::other(format!("{MAX_FLOWS} flows are open, the maximum")).into());
        }
        open.push(OpenFlow { title, reader });
        Ok(format!("f{}", open.len()))
    }

    fn get(&self, id: &str) -> Result<OpenFlow, ApiError> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let number = id.strip_prefix('f').and_then(|number| number.parse::<usize>().ok());
        let found = number.and_then(|number| open.get(number.checked_sub(1)?)).cloned();
        found.ok_or_else(|| ApiError::missing(format!("there is no flow '{id}'")))
    }
}

/// The steps of a history, for walls.
#[derive(Debug, Clone)]
pub(crate) struct FlowSteps {
    /// Name of the file.
    pub title: String,
    /// Number of steps.
    pub count: usize,
    /// Position of the first point of the grid.
    pub origin: DVec3,
    /// Lengths of the box.
    pub extent: DVec3,
    /// Least and largest circulation of all steps.
    pub range: [f64; 2],
    reader: Reader,
}

impl FlowSteps {
    /// Reads a step as the page gets it.
    pub fn read(&self, step: usize) -> Result<Vec<u8>, HistoryError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let extent = reader.extent();
        Ok(reader.read_step(step)?.plain_bytes(extent))
    }
}

impl Flows {
    /// The steps of a history.
    pub(crate) fn steps(&self, id: &str) -> Result<FlowSteps, ApiError> {
        let OpenFlow { title, reader } = self.get(id)?;
        let header = reader.lock().unwrap_or_else(PoisonError::into_inner).header().clone();
        let range = QUANTITIES.into_iter().zip(&header.ranges).find(|(quantity, _)| *quantity == Quantity::Circulation);
        Ok(FlowSteps {
            title,
            count: header.steps.len(),
            origin: header.grid.origin(),
            extent: header.grid.extent(),
            range: range.map_or([0.0, 1.0], |(_, range)| *range),
            reader,
        })
    }
}

/// A quantity along the cores of tubes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowQuantity {
    /// Name: `circulation`, `pressure`, `speed` or `vorticity`.
    name: &'static str,
    /// Least value in all steps.
    least: f64,
    /// Largest value in all steps.
    most: f64,
}

/// A step of a history.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowStep {
    /// Time of the step.
    time: f64,
    /// Number of tubes.
    tubes: u32,
    /// Number of core points.
    points: u32,
}

/// The life of a tube.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowTrack {
    /// First step.
    first: u32,
    /// Last step.
    last: u32,
}

/// What happens to tubes between two steps.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowEvent {
    /// The step after the event.
    step: u32,
    /// Kind: `born`, `split`, `merge` or `dies`.
    kind: &'static str,
    /// Tracks before the event.
    from: Vec<u32>,
    /// Tracks after the event.
    to: Vec<u32>,
}

/// A history of vortex tubes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowDetail {
    /// Name of the file.
    title: String,
    /// Name of the flow.
    flow: String,
    /// Number of points of the grid per axis.
    size: [usize; 3],
    /// Position of the first point of the grid.
    origin: [f64; 3],
    /// Lengths of the box.
    extent: [f64; 3],
    /// Whether each axis is periodic.
    periodic: [bool; 3],
    /// Smallest distance of points of the grid.
    cell: f64,
    /// Whether the plane of the lowest z is a wall.
    wall: bool,
    /// Velocity of the outer flow.
    wind: [f64; 3],
    /// The quantities, in the order of the values of a point.
    quantities: Vec<FlowQuantity>,
    /// The steps.
    steps: Vec<FlowStep>,
    /// The tracks, by number.
    tracks: Vec<FlowTrack>,
    /// The events, by step.
    events: Vec<FlowEvent>,
    /// Size of the file, in bytes.
    bytes: u64,
    /// Bytes of the velocity of all fields, in single precision.
    velocity_bytes: u64,
    /// Largest distance of a core from the curve through its stored points, in cells.
    core_error: f64,
}

async fn detail(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Json<FlowDetail>, ApiError> {
    let OpenFlow { title, reader } = hub.flows.get(&id)?;
    hub.heavy(move || Json(describe(title, &reader.lock().unwrap_or_else(PoisonError::into_inner)))).await
}

fn describe(title: String, reader: &HistoryReader<File>) -> FlowDetail {
    let header = reader.header();
    let quantity = |(quantity, range): (Quantity, &[f64; 2])| FlowQuantity {
        name: quantity.name(),
        least: range[0],
        most: range[1],
    };
    FlowDetail {
        title,
        flow: header.flow.clone(),
        size: header.grid.size(),
        origin: header.grid.origin().to_array(),
        extent: header.grid.extent().to_array(),
        periodic: header.grid.periodicity(),
        cell: header.grid.cell(),
        wall: header.wall,
        wind: header.wind,
        quantities: QUANTITIES.into_iter().zip(&header.ranges).map(quantity).collect(),
        steps: header
            .steps
            .iter()
            .map(|step| FlowStep { time: step.time, tubes: step.tubes, points: step.points })
            .collect(),
        tracks: header.tracks.iter().map(|track| FlowTrack { first: track.first, last: track.last }).collect(),
        events: header
            .events
            .iter()
            .map(|event| FlowEvent {
                step: event.step,
                kind: event.kind.name(),
                from: event.from.clone(),
                to: event.to.clone(),
            })
            .collect(),
        bytes: reader.bytes(),
        velocity_bytes: header.velocity_bytes,
        core_error: header.core_error,
    }
}

async fn step(
    State(hub): State<Arc<Hub>>,
    PathName((id, step)): PathName<(String, usize)>,
) -> Result<impl IntoResponse, ApiError> {
    let flow = hub.flows.steps(&id)?;
    let bytes = hub
        .heavy(move || {
            flow.read(step).map_err(|error| match error {
                HistoryError::NoStep { .. } => ApiError::missing(error.to_string()),
                error => ApiError::failed(format!("{}: {error}", flow.title)),
            })
        })
        .await??;
    Ok(([(CONTENT_TYPE, "application/octet-stream"), (CACHE_CONTROL, "no-cache")], bytes))
}
