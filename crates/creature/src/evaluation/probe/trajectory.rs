//! Trajectory and heights of a creature.

use glam::DVec3;

use super::MeasureSheet;
use crate::evaluation::anatomy::Observation;
use crate::task::{Ground, Measure, Task};

/// The last phase begins after this fraction of the trial.
const LATE_PHASE_START: f64 = 0.75;
/// Tolerance for rounding of times, in s.
const TIME_TOLERANCE: f64 = 5e-7;

/// Trajectory and heights of a creature.
#[derive(Debug)]
pub(in crate::evaluation) struct Trajectory {
    is_flat: bool,
    duration: f64,
    transient: f64,
    start: Mark,
    steady: Option<Mark>,
    late: Option<Mark>,
    last_coarse: Mark,
    /// Centre of mass at the last two samples.
    last: [DVec3; 2],
    path: f64,
    spatial_path: f64,
    trunk_path: f64,
    lowest_sum: f64,
    trunk_height_sum: f64,
    height_sum: f64,
    max_lowest: f64,
    max_highest: f64,
    max_height: f64,
}

/// Position of a creature at one time.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    center_of_mass: DVec3,
    trunk: DVec3,
    lowest: f64,
}

impl From<&Observation> for Mark {
    fn from(observation: &Observation) -> Self {
        Self { center_of_mass: observation.center_of_mass, trunk: observation.trunk, lowest: observation.lowest }
    }
}

fn horizontal_length(displacement: DVec3) -> f64 {
    libm::hypot(displacement.x, displacement.y)
}

impl Trajectory {
    pub fn new(task: &Task) -> Self {
        Self {
            is_flat: task.arena.ground != Ground::None,
            duration: task.duration,
            transient: task.transient,
            start: Mark::default(),
            steady: None,
            late: None,
            last_coarse: Mark::default(),
            last: [DVec3::ZERO; 2],
            path: 0.0,
            spatial_path: 0.0,
            trunk_path: 0.0,
            lowest_sum: 0.0,
            trunk_height_sum: 0.0,
            height_sum: 0.0,
            max_lowest: f64::NEG_INFINITY,
            max_highest: f64::NEG_INFINITY,
            max_height: f64::NEG_INFINITY,
        }
    }

    pub(super) fn begin(&mut self, observation: &Observation) {
        self.start = observation.into();
        self.last_coarse = self.start;
        self.last = [observation.center_of_mass; 2];
    }

    pub(super) fn sample(&mut self, observation: &Observation, time: f64) {
        self.last = [self.last[1], observation.center_of_mass];
        if self.steady.is_none() && time >= self.transient - TIME_TOLERANCE {
            self.steady = Some(observation.into());
        }
        if self.late.is_none() && time >= LATE_PHASE_START * self.duration - TIME_TOLERANCE {
            self.late = Some(observation.into());
        }
        self.max_lowest = self.max_lowest.max(observation.lowest);
        self.max_highest = self.max_highest.max(observation.highest);
        self.max_height = self.max_height.max(observation.center_of_mass.z);
    }

    /// Adds a straight segment to the path.
    pub(super) fn add_segment(&mut self, observation: &Observation) {
        let displacement = observation.center_of_mass - self.last_coarse.center_of_mass;
        self.path += horizontal_length(displacement);
        self.spatial_path += displacement.length();
        self.trunk_path += horizontal_length(observation.trunk - self.last_coarse.trunk);
        self.last_coarse = observation.into();
    }

    pub(super) fn accumulate(&mut self, observation: &Observation) {
        self.lowest_sum += observation.lowest;
        self.trunk_height_sum += observation.trunk.z;
        self.height_sum += observation.center_of_mass.z;
    }

    /// Returns the centre of mass at the start, in m.
    pub fn start(&self) -> DVec3 {
        self.start.center_of_mass
    }

    /// Returns the distance of the centre of mass between the last two samples, in m.
    pub fn last_sample_distance(&self) -> f64 {
        (self.last[1] - self.last[0]).length()
    }

    /// Returns the straight distance divided by the length of the path, 0 to 1.
    pub(super) fn straightness(&self, observation: &Observation) -> f64 {
        let displacement = observation.center_of_mass - self.start.center_of_mass;
        let (distance, path) = if self.is_flat {
            (horizontal_length(displacement), self.path)
        } else {
            (displacement.length(), self.spatial_path)
        };
        if path > 1e-6 { (distance / path).min(1.0) } else { 0.0 }
    }

    pub(super) fn write_measures(&self, observation: &Observation, samples: f64, sheet: &mut MeasureSheet) {
        let end = Mark::from(observation);
        let displacement = end.center_of_mass - self.start.center_of_mass;
        let trunk_displacement = end.trunk - self.start.trunk;
        sheet.set(Measure::LowestRise, end.lowest - self.start.lowest);
        sheet.set(Measure::Forward, displacement.x);
        sheet.set(Measure::Sideways, displacement.y.abs());
        sheet.set(Measure::Distance, horizontal_length(displacement));
        sheet.set(Measure::SpatialDistance, displacement.length());
        sheet.set(Measure::Path, self.path);
        sheet.set(Measure::SpatialPath, self.spatial_path);
        sheet.set(Measure::TrunkForward, trunk_displacement.x);
        sheet.set(Measure::TrunkSideways, trunk_displacement.y.abs());
        sheet.set(Measure::TrunkDistance, horizontal_length(trunk_displacement));
        sheet.set(Measure::TrunkPath, self.trunk_path);
        let steady = self.steady.unwrap_or(end);
        let steady_displacement = end.center_of_mass - steady.center_of_mass;
        sheet.set(Measure::SteadyForward, steady_displacement.x);
        sheet.set(Measure::SteadyDistance, horizontal_length(steady_displacement));
        sheet.set(Measure::SteadySpatialDistance, steady_displacement.length());
        sheet.set(Measure::SteadyTrunkDistance, horizontal_length(end.trunk - steady.trunk));
        let late_displacement = end.center_of_mass - self.late.unwrap_or(end).center_of_mass;
        let late_time = (1.0 - LATE_PHASE_START) * self.duration;
        sheet.set(Measure::LateSpeed, horizontal_length(late_displacement) / late_time);
        sheet.set(Measure::LateSpatialSpeed, late_displacement.length() / late_time);
        sheet.set(Measure::Straightness, self.straightness(observation));
        sheet.set(Measure::MaxLowest, self.max_lowest);
        sheet.set(Measure::MeanLowest, self.lowest_sum / samples);
        sheet.set(Measure::MaxHighest, self.max_highest);
        sheet.set(Measure::MeanTrunkHeight, self.trunk_height_sum / samples);
        sheet.set(Measure::MaxHeight, self.max_height);
        sheet.set(Measure::MeanHeight, self.height_sum / samples);
        sheet.set(Measure::Rise, displacement.z);
        sheet.set(Measure::Duration, self.duration);
    }
}
