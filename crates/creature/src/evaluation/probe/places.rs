//! Waypoints to reach, one after the other.

use glam::DVec3;

use super::Sheet;
use crate::evaluation::anatomy::Sight;
use crate::nerves::Target;
use crate::task::Measure;

/// Progress along the waypoints.
#[derive(Debug)]
pub(super) struct Places {
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

impl Places {
    pub fn new(target: &Target) -> Self {
        let (places, radius, is_flat) = match target {
            Target::Places { places, radius, flat } => (places.clone(), *radius, *flat),
            Target::None | Target::Body(_) => (Vec::new(), 0.0, true),
        };
        Self { places, radius, is_flat, reached: 0, from: DVec3::ZERO, nearest: f64::INFINITY }
    }

    pub fn begin(&mut self, sight: &Sight) {
        self.from = sight.trunk;
    }

    /// Advances to the next waypoint when the present one is reached, as the creature's controller does.
    pub fn look(&mut self, sight: &Sight) {
        let Some(&place) = self.places.get(self.reached) else { return };
        self.nearest = self.nearest.min(self.distance(sight.trunk, place));
        if self.nearest <= self.radius {
            self.reached += 1;
            self.from = sight.trunk;
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

    pub fn put(&self, sheet: &mut Sheet) {
        sheet.put(Measure::Targets, self.reached as f64);
        sheet.put(Measure::TargetProgress, self.progress());
    }
}
