//! From the fields of a flow to the history of its tubes. Steps are extracted in parallel and tracked in order, so that
//! the result does not depend on the number of threads.

use rayon::prelude::*;

use crate::extract::{ExtractSettings, extract};
use crate::field::FlowField;
use crate::grid::Grid;
use crate::track::Tracker;
use crate::tubes::{HistoryHeader, StepEntry, StoredStep, StoredTube, Thinned, Tube, encode_step, thin, write_history};

/// Steps that are extracted at the same time, per thread. More would need more memory.
const STEPS_PER_THREAD: usize = 2;

/// What the extraction of one step found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepSummary {
    /// Time of the step.
    pub time: f64,
    /// Number of tubes.
    pub tubes: usize,
    /// Number of stored core points.
    pub points: usize,
    /// Number of tubes that go on from the last step.
    pub going_on: usize,
    /// Number of core points that parallel vectors found.
    pub second_opinions: usize,
    /// Bytes of the stored step.
    pub bytes: usize,
}

/// A flow whose tubes are extracted.
pub struct History {
    /// The header of the file, whose index is complete.
    pub header: HistoryHeader,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// One summary per step.
    pub steps: Vec<StepSummary>,
}

impl History {
    /// A hash of all bytes, which is the same for any number of threads.
    pub fn hash(&self) -> u64 {
        // FNV-1a.
        self.bytes
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}

/// Name and surroundings of a flow.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowInfo {
    /// Name of the flow.
    pub name: String,
    /// Whether the plane of the lowest z is a wall.
    pub wall: bool,
    /// Velocity of the outer flow.
    pub wind: [f64; 3],
}

struct Extracted {
    time: f64,
    grid: Grid,
    tubes: Vec<Tube>,
    thinned: Vec<Thinned>,
    second_opinions: usize,
}

/// Extracts and tracks the tubes of all steps. `load` reads a step, and `done` is called after each one, in order.
/// Fails with the error of the first step that cannot be read, or if the grids of steps differ.
pub fn extract_history<E: Send>(
    info: FlowInfo,
    steps: usize,
    settings: &ExtractSettings,
    load: impl Fn(usize) -> Result<FlowField, E> + Sync,
    grids_differ: impl Fn(usize) -> E,
    mut done: impl FnMut(usize),
) -> Result<Option<History>, E> {
    let mut state: Option<State> = None;
    let window = STEPS_PER_THREAD * rayon::current_num_threads();
    for first in (0..steps).step_by(window.max(1)) {
        let numbers: Vec<usize> = (first..steps.min(first + window)).collect();
        let extracted: Vec<Result<Extracted, E>> =
            numbers.par_iter().map(|step| Ok(of_field(&load(*step)?, settings))).collect();
        for (step, extracted) in numbers.into_iter().zip(extracted) {
            let extracted = extracted?;
            let state = state.get_or_insert_with(|| State::new(extracted.grid));
            if extracted.grid != state.grid {
                return Err(grids_differ(step));
            }
            state.add(extracted);
            done(step);
        }
    }
    Ok(state.and_then(|state| state.finish(info)))
}

fn of_field(field: &FlowField, settings: &ExtractSettings) -> Extracted {
    let found = extract(field, settings);
    let cell = field.grid().cell();
    let thinned = found.tubes.iter().map(|tube| thin(tube, cell)).collect();
    let (time, grid) = (field.time(), *field.grid());
    Extracted { time, grid, tubes: found.tubes, thinned, second_opinions: found.second_opinions }
}

struct State {
    grid: Grid,
    tracker: Tracker,
    entries: Vec<StepEntry>,
    blocks: Vec<Vec<u8>>,
    links: Vec<Vec<[u32; 2]>>,
    summaries: Vec<StepSummary>,
    ranges: [[f64; 2]; 4],
    errors: [f64; 2],
}

impl State {
    fn new(grid: Grid) -> Self {
        Self {
            grid,
            tracker: Tracker::new(grid),
            entries: Vec::new(),
            blocks: Vec::new(),
            links: Vec::new(),
            summaries: Vec::new(),
            ranges: [[f64::INFINITY, f64::NEG_INFINITY]; 4],
            errors: [0.0; 2],
        }
    }

    fn add(&mut self, extracted: Extracted) {
        let Extracted { time, tubes, thinned, second_opinions, .. } = extracted;
        let extent = self.grid.extent();
        let mut stored: Vec<StoredTube> =
            tubes.iter().zip(&thinned).map(|(tube, thinned)| StoredTube::new(tube, thinned, 0, extent)).collect();
        let tracked = self.tracker.add(time, tubes);
        for (tube, track) in stored.iter_mut().zip(&tracked.tracks) {
            tube.track = *track;
        }
        for thinned in &thinned {
            self.errors[0] = self.errors[0].max(thinned.core_error);
            self.errors[1] = self.errors[1].max(thinned.radius_error);
        }
        for point in stored.iter().flat_map(|tube| &tube.points) {
            for (range, value) in self.ranges.iter_mut().zip(point.quantities) {
                *range = [range[0].min(value), range[1].max(value)];
            }
        }
        let points: usize = stored.iter().map(|tube| tube.points.len()).sum();
        let (tubes, bytes) = (stored.len(), encode_step(&StoredStep { tubes: stored }, extent));
        let entry = StepEntry { time, offset: 0, bytes: 0, checksum: 0, tubes: tubes as u32, points: points as u32 };
        self.entries.push(entry);
        if self.entries.len() > 1 {
            self.links.push(tracked.links);
        }
        let (going_on, bytes_written) = (tracked.going_on, bytes.len());
        self.summaries.push(StepSummary { time, tubes, points, going_on, second_opinions, bytes: bytes_written });
        self.blocks.push(bytes);
    }

    fn finish(self, info: FlowInfo) -> Option<History> {
        let (tracks, events) = self.tracker.finish();
        let ranges = self.ranges.map(|range| if range[0] <= range[1] { range } else { [0.0; 2] });
        let velocity_bytes = 12 * self.grid.points() as u64 * self.entries.len() as u64;
        let header = HistoryHeader {
            flow: info.name,
            grid: self.grid,
            wall: info.wall,
            wind: info.wind,
            velocity_bytes,
            core_error: self.errors[0],
            radius_error: self.errors[1],
            ranges,
            steps: self.entries,
            tracks,
            events,
            links: self.links,
        };
        let bytes = write_history(header.clone(), &self.blocks).ok()?;
        Some(History { header, bytes, steps: self.summaries })
    }
}
