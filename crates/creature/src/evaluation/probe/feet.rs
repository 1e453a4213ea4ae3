//! How high the feet are lifted.
//!
//! A *swing* of a part is the time between two touches. Its lift is the greatest height of the part's lowest point in
//! this time above the higher of the two places of the touches, so that the slope of the ground does not count. The
//! clearance of a part is the mean lift of its swings, weighted by their durations, so that neither trembling nor a
//! single fall counts much. Parts without a swing, such as a trunk that is dragged or never touches, are no feet.

use burgess_dynamics::Workspace;

use super::MeasureSheet;
use crate::evaluation::anatomy::Anatomy;
use crate::task::{Measure, Task};

/// Observes the feet of a creature.
#[derive(Debug)]
pub(super) struct Feet {
    /// All parts; none if the task does not need the measure.
    parts: Vec<Foot>,
}

/// Swings of one part.
#[derive(Debug, Clone, Copy, Default)]
struct Foot {
    /// Height of the lowest point at the last touch, in m; `None` before the first one.
    touch_height: Option<f64>,
    /// Number of samples since the last touch.
    swing_samples: u64,
    /// Greatest height of the lowest point since the last touch, in m.
    greatest_height: f64,
    /// Number of samples of all finished swings.
    samples: u64,
    /// Sum of the lifts of all finished swings, in m, each multiplied by its number of samples.
    lift_sum: f64,
}

impl Feet {
    pub fn new(parts: usize, task: &Task) -> Self {
        let count = if task.computes(Measure::FootClearance) { parts } else { 0 };
        Self { parts: vec![Foot::default(); count] }
    }

    /// Takes a sample. `touches` says which parts touch something else than the creature.
    pub fn sample(&mut self, anatomy: &Anatomy, workspace: &Workspace, touches: &[bool]) {
        for ((foot, part), touches) in self.parts.iter_mut().zip(&anatomy.parts).zip(touches) {
            foot.sample(part.lowest(workspace), *touches);
        }
    }

    pub fn write_measures(&self, sheet: &mut MeasureSheet) {
        let mut clearances: Vec<f64> = self.parts.iter().filter_map(Foot::clearance).collect();
        clearances.sort_by(f64::total_cmp);
        let count = clearances.len();
        if count > 0 {
            sheet.set(Measure::FootClearance, 0.5 * (clearances[(count - 1) / 2] + clearances[count / 2]));
        }
    }
}

impl Foot {
    /// Adds a sample with the height of the lowest point, in m.
    fn sample(&mut self, height: f64, touches: bool) {
        if !touches {
            let is_first = self.swing_samples == 0;
            self.greatest_height = if is_first { height } else { self.greatest_height.max(height) };
            self.swing_samples += 1;
            return;
        }
        if let Some(last) = self.touch_height
            && self.swing_samples > 0
        {
            let lift = (self.greatest_height - last.max(height)).max(0.0);
            self.samples += self.swing_samples;
            self.lift_sum += lift * self.swing_samples as f64;
        }
        self.touch_height = Some(height);
        self.swing_samples = 0;
    }

    /// Returns the clearance, in m; `None` without a finished swing.
    fn clearance(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.lift_sum / self.samples as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clearance(samples: &[(f64, bool)]) -> Option<f64> {
        let mut foot = Foot::default();
        samples.iter().for_each(|&(height, touches)| foot.sample(height, touches));
        foot.clearance()
    }

    #[test]
    fn a_swing_is_between_two_touches() {
        assert_eq!(clearance(&[]), None);
        assert_eq!(clearance(&[(0.0, true); 9]), None, "a part that is dragged");
        assert_eq!(clearance(&[(0.4, false), (0.2, false), (0.0, true)]), None, "a fall");
        assert_eq!(clearance(&[(0.0, true), (0.2, false), (0.4, false)]), None, "a leg that stays up");
        assert_eq!(clearance(&[(0.0, true), (0.25, false), (0.5, false), (0.0, true)]), Some(0.5));
    }

    #[test]
    fn lifts_are_above_the_higher_touch_and_weighted_by_time() {
        assert_eq!(clearance(&[(0.0, true), (0.5, false), (0.25, true)]), Some(0.25), "up a step");
        assert_eq!(clearance(&[(0.25, true), (0.5, false), (0.0, true)]), Some(0.25), "down a step");
        let long = [(0.0, true), (0.4, false), (0.1, false), (0.1, false), (0.0, true)];
        let both = [&long[..], &[(0.0, true), (0.8, false), (0.0, true)]].concat();
        // Three samples of 0.4 m and one of 0.8 m.
        assert!((clearance(&both).unwrap() - 0.5).abs() < 1e-15);
    }
}
