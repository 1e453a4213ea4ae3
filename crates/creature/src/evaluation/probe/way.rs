//! Trajectory and heights of a creature.

use glam::DVec3;

use super::Sheet;
use crate::evaluation::anatomy::Sight;
use crate::task::{Ground, Measure, Task};

/// The last phase begins after this fraction of the trial.
const LATE: f64 = 0.75;
/// Tolerance for rounding of times, in s.
const GRACE: f64 = 5e-7;

/// Trajectory and heights of a creature.
#[derive(Debug)]
pub(in crate::evaluation) struct Way {
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

impl From<&Sight> for Mark {
    fn from(sight: &Sight) -> Self {
        Self { center_of_mass: sight.center_of_mass, trunk: sight.trunk, lowest: sight.lowest }
    }
}

fn along_ground(way: DVec3) -> f64 {
    libm::hypot(way.x, way.y)
}

impl Way {
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

    pub(super) fn begin(&mut self, sight: &Sight) {
        self.start = sight.into();
        self.last_coarse = self.start;
        self.last = [sight.center_of_mass; 2];
    }

    pub(super) fn look(&mut self, sight: &Sight, time: f64) {
        self.last = [self.last[1], sight.center_of_mass];
        if self.steady.is_none() && time >= self.transient - GRACE {
            self.steady = Some(sight.into());
        }
        if self.late.is_none() && time >= LATE * self.duration - GRACE {
            self.late = Some(sight.into());
        }
        self.max_lowest = self.max_lowest.max(sight.lowest);
        self.max_highest = self.max_highest.max(sight.highest);
        self.max_height = self.max_height.max(sight.center_of_mass.z);
    }

    /// Adds a straight segment to the path.
    pub(super) fn go_on(&mut self, sight: &Sight) {
        let way = sight.center_of_mass - self.last_coarse.center_of_mass;
        self.path += along_ground(way);
        self.spatial_path += way.length();
        self.trunk_path += along_ground(sight.trunk - self.last_coarse.trunk);
        self.last_coarse = sight.into();
    }

    pub(super) fn count(&mut self, sight: &Sight) {
        self.lowest_sum += sight.lowest;
        self.trunk_height_sum += sight.trunk.z;
        self.height_sum += sight.center_of_mass.z;
    }

    /// Returns the centre of mass at the start, in m.
    pub fn start(&self) -> DVec3 {
        self.start.center_of_mass
    }

    /// Returns the distance of the centre of mass between the last two samples, in m.
    pub fn jump(&self) -> f64 {
        (self.last[1] - self.last[0]).length()
    }

    /// Returns the straight distance divided by the length of the path, 0 to 1.
    pub(super) fn straightness(&self, sight: &Sight) -> f64 {
        let way = sight.center_of_mass - self.start.center_of_mass;
        let (distance, path) =
            if self.is_flat { (along_ground(way), self.path) } else { (way.length(), self.spatial_path) };
        if path > 1e-6 { (distance / path).min(1.0) } else { 0.0 }
    }

    pub(super) fn put(&self, sight: &Sight, looks: f64, sheet: &mut Sheet) {
        let end = Mark::from(sight);
        let way = end.center_of_mass - self.start.center_of_mass;
        let trunk_way = end.trunk - self.start.trunk;
        sheet.put(Measure::LowestRise, end.lowest - self.start.lowest);
        sheet.put(Measure::Forward, way.x);
        sheet.put(Measure::Sideways, way.y.abs());
        sheet.put(Measure::Distance, along_ground(way));
        sheet.put(Measure::SpatialDistance, way.length());
        sheet.put(Measure::Path, self.path);
        sheet.put(Measure::SpatialPath, self.spatial_path);
        sheet.put(Measure::TrunkForward, trunk_way.x);
        sheet.put(Measure::TrunkSideways, trunk_way.y.abs());
        sheet.put(Measure::TrunkDistance, along_ground(trunk_way));
        sheet.put(Measure::TrunkPath, self.trunk_path);
        let steady = self.steady.unwrap_or(end);
        let steady_way = end.center_of_mass - steady.center_of_mass;
        sheet.put(Measure::SteadyForward, steady_way.x);
        sheet.put(Measure::SteadyDistance, along_ground(steady_way));
        sheet.put(Measure::SteadySpatialDistance, steady_way.length());
        sheet.put(Measure::SteadyTrunkDistance, along_ground(end.trunk - steady.trunk));
        let late_way = end.center_of_mass - self.late.unwrap_or(end).center_of_mass;
        let late_time = (1.0 - LATE) * self.duration;
        sheet.put(Measure::LateSpeed, along_ground(late_way) / late_time);
        sheet.put(Measure::LateSpatialSpeed, late_way.length() / late_time);
        sheet.put(Measure::Straightness, self.straightness(sight));
        sheet.put(Measure::MaxLowest, self.max_lowest);
        sheet.put(Measure::MeanLowest, self.lowest_sum / looks);
        sheet.put(Measure::MaxHighest, self.max_highest);
        sheet.put(Measure::MeanTrunkHeight, self.trunk_height_sum / looks);
        sheet.put(Measure::MaxHeight, self.max_height);
        sheet.put(Measure::MeanHeight, self.height_sum / looks);
        sheet.put(Measure::Rise, way.z);
        sheet.put(Measure::Duration, self.duration);
    }
}
