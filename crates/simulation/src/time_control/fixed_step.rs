//! Fixed steps: detect, collide, move.

use super::turning::parts_for_turn;
use crate::detection::Lookahead;
use crate::modules::{Modules, Moved, TimeControl};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Steps of fixed length, divided only if links rotate fast. All modules act at the start of each part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FixedStep {
    /// Gaps up to this are contacts regardless of speed, in m; zero means twice the distance that gravity covers in a
    /// step.
    pub margin: f64,
}

impl FixedStep {
    /// Creates a time control that detects contacts up to a margin, in m.
    pub fn with_margin(margin: f64) -> Self {
        Self { margin }
    }

    fn detect(&self, data: &mut SimulationData, step: f64) {
        data.update_kinematics();
        let margin = if self.margin > 0.0 { self.margin } else { default_margin(data, step) };
        data.detect_contacts(Lookahead { interval: step, margin });
    }
}

impl TimeControl for FixedStep {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        data.whole_step = step;
        self.detect(data, step);
        let parts = parts_for_turn(data, step);
        for part in 0..parts {
            if part > 0 {
                self.detect(data, step / parts as f64);
            }
            modules.resolve_collisions(data, step / parts as f64);
            fully(modules.move_bodies(data, step / parts as f64)?)?;
        }
        if parts > 1 {
            data.statistics.sub_steps = parts.max(data.statistics.sub_steps);
        }
        Ok(())
    }
}

/// Minimum contact margin, in m, so that impacts pass through touching bodies also without gravity.
const MIN_MARGIN: f64 = 1e-9;

/// Returns twice the distance that gravity covers in a step, in m.
pub(super) fn default_margin(data: &SimulationData, step: f64) -> f64 {
    (2.0 * data.world.model().gravity.length() * step * step).max(MIN_MARGIN)
}

/// Fails if a motion was not made fully, because steps of fixed length cannot be made shorter.
pub(super) fn fully(moved: Moved) -> Result<(), Failure> {
    match moved {
        Moved::Fully => Ok(()),
        Moved::PenetrationAt { time } => Err(Failure::CannotGoBack { time }),
    }
}
