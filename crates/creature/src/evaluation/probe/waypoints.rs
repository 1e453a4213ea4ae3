//! Waypoints to reach, one after the other.

use glam::DVec3;

use super::MeasureSheet;
use crate::controller::Target;
use crate::evaluation::anatomy::Observation;
use crate::task::Measure;

/// Progress along the waypoints.
#[derive(Debug)]
pub(super) struct Waypoints {
    places: Vec<DVec3>,
    radius: f64,
    is_flat: bool,
    /// Number of waypoints reached.
    reached: usize,
    /// Position of the trunk when the last one was reached.
    from: DVec3,
    /// Smallest distance of the trunk to the next one, in m.
    nearest: f64,
}

impl Waypoints {
    pub fn new(target: &Target) -> Self {
        let (places, radius, is_flat) = match target {
            Target::Places { places, radius, flat } => (places.clone(), *radius, *flat),
            Target::None | Target::Body(_) => (Vec::new(), 0.0, true),
        };
        Self { places, radius, is_flat, reached: 0, from: DVec3::ZERO, nearest: f64::INFINITY }
    }

    pub fn begin(&mut self, observation: &Observation) {
        self.from = observation.trunk;
    }

    /// Advances to the next waypoint when the present one is reached, as the creature's controller does.
    pub fn sample(&mut self, observation: &Observation) {
        let Some(&place) = self.places.get(self.reached) else { return };
        self.nearest = self.nearest.min(self.distance(observation.trunk, place));
        if self.nearest <= self.radius {
            self.reached += 1;
            self.from = observation.trunk;
            self.nearest = f64::INFINITY;
        }
    }

    fn distance(&self, a: DVec3, b: DVec3) -> f64 {
        if self.is_flat { libm::hypot(a.x - b.x, a.y - b.y) } else { (a - b).length() }
    }

    fn progress(&self) -> f64 {
        let Some(&place) = self.places.get(self.reached) else { return 0.0 };
        let whole = self.distance(self.from, place) - self.radius;
        let left = self.nearest - self.radius;
        if whole > 0.0 { (1.0 - left / whole).clamp(0.0, 1.0) } else { 0.0 }
    }

    pub fn write_measures(&self, sheet: &mut MeasureSheet) {
        sheet.set(Measure::Targets, self.reached as f64);
        sheet.set(Measure::TargetProgress, self.progress());
    }
}
