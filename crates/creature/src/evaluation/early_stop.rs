//! Early stops of trials that are not worth continuing.

use burgess_dynamics::State;
use glam::DVec3;

use super::Stopped;
use super::probe::Probe;
use crate::task::Task;

/// Nothing moves if no position changes by more than this, in m or rad.
const STILL_DISTANCE: f64 = 1e-3;
/// Tolerance for rounding of times, in s.
const TIME_TOLERANCE: f64 = 5e-7;

/// Reference positions, and the times at which they were taken.
#[derive(Debug)]
pub(super) struct EarlyStop {
    positions: Vec<f64>,
    still_since: f64,
    places: Vec<DVec3>,
    next_mark: f64,
}

impl EarlyStop {
    pub fn new(task: &Task, state: &State, probes: &[Probe]) -> Self {
        let places = probes.iter().map(|probe| probe.observation().center_of_mass).collect();
        Self { positions: state.q.clone(), still_since: 0.0, places, next_mark: task.stop.progress }
    }

    /// Returns whether the trial should be stopped at a time since the muscles started (s).
    pub fn stops(&mut self, time: f64, task: &Task, state: &State, probes: &[Probe]) -> Option<Stopped> {
        if self.positions.iter().zip(&state.q).any(|(then, now)| (then - now).abs() > STILL_DISTANCE) {
            self.positions.clone_from(&state.q);
            self.still_since = time;
        }
        if task.stop.still > 0.0 && time - self.still_since >= task.stop.still {
            return Some(Stopped::Still);
        }
        if task.stop.progress <= 0.0 || time < self.next_mark - TIME_TOLERANCE {
            return None;
        }
        self.next_mark += task.stop.progress;
        let mut is_stuck = true;
        for (place, probe) in self.places.iter_mut().zip(probes) {
            let here = probe.observation().center_of_mass;
            is_stuck &= (*place - here).length() < task.stop.progress_distance;
            *place = here;
        }
        is_stuck.then_some(Stopped::NoProgress)
    }
}
