//! Fixed steps: detect, collide, move.

use super::turning::{parts_for_contacts, parts_for_trees};
use crate::detection::Lookahead;
use crate::modules::{Modules, Moved, TimeControl};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Error of the energy in a sub-step, relative to the kinetic energy, above which the next steps are halved.
const MAX_ENERGY_ERROR: f64 = 5e-3;
/// Factor below the largest error at which steps become longer again. The error is of third order.
const ENERGY_ERROR_DROP: f64 = 3.0;
/// Maximum number of times that a step is halved because of its energy.
const MAX_DIVISIONS: f64 = 2.0;

/// Minimum contact margin, in m, so that impacts pass through touching bodies also without gravity.
const MIN_MARGIN: f64 = 1e-9;

/// Steps of fixed length, divided only if links rotate fast or the energy has a lasting error. Contacts are detected as
/// far ahead as the step can take bodies, so a solver that respects gaps (time stepping) lets nothing pass through
/// anything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FixedStep {
    /// Gaps up to this are contacts regardless of speed, in m; zero means twice the distance that gravity covers in a
    /// step.
    pub margin: f64,
    /// Number of times that steps are halved at present.
    divisions: f64,
    /// Error of the energy in the last step.
    last_error: f64,
}

impl FixedStep {
    /// Creates a time control that detects contacts up to a margin, in m.
    pub fn with_margin(margin: f64) -> Self {
        Self { margin, ..Self::default() }
    }
}

impl TimeControl for FixedStep {
    fn memory(&self) -> Vec<f64> {
        vec![self.divisions, self.last_error]
    }

    fn set_memory(&mut self, memory: &[f64]) {
        if let [divisions, last_error] = *memory {
            (self.divisions, self.last_error) = (divisions, last_error);
        }
    }

    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        data.whole_step = step;
        data.update_kinematics();
        let substeps = parts_for_trees(data, step).max(1 << self.divisions as usize);
        let parts = self.advance_parts(data, modules, step, substeps)?;
        let error = data.statistics.energy_error;
        self.divisions = next_divisions(self.divisions, self.last_error.min(error), error);
        self.last_error = error;
        if parts > 1 {
            data.statistics.sub_steps = parts.max(data.statistics.sub_steps);
        }
        Ok(())
    }
}

/// Returns how often the next step is halved, from the error of the energy in this one and from that of the last two.
/// The error of a single step is that of an impact, which shorter steps do not reduce.
fn next_divisions(now: f64, lasting: f64, error: f64) -> f64 {
    if lasting > MAX_ENERGY_ERROR {
        (now + 1.0).min(MAX_DIVISIONS)
    } else if error < MAX_ENERGY_ERROR / ENERGY_ERROR_DROP {
        (now - 1.0).max(0.0)
    } else {
        now
    }
}

impl FixedStep {
    fn advance_parts(
        &self,
        data: &mut SimulationData,
        modules: &mut Modules,
        step: f64,
        substeps: usize,
    ) -> Result<usize, Failure> {
        let mut parts = self.advance_part(data, modules, step / substeps as f64)?;
        for _ in 1..substeps {
            data.update_kinematics();
            parts += self.advance_part(data, modules, step / substeps as f64)?;
        }
        Ok(parts)
    }

    /// Advances by a part of the step, which is divided further if bodies that touch others rotate fast after their
    /// collisions. Returns the number of parts.
    fn advance_part(&self, data: &mut SimulationData, modules: &mut Modules, part: f64) -> Result<usize, Failure> {
        let impulses = data.statistics.impulses;
        self.collide(data, modules, part);
        if data.statistics.impulses > impulses {
            data.update_kinematics();
        }
        let parts = parts_for_contacts(data, part, modules.constraints.is_some());
        fully(modules.move_bodies(data, part / parts as f64)?)?;
        for _ in 1..parts {
            data.update_kinematics();
            self.collide(data, modules, part / parts as f64);
            fully(modules.move_bodies(data, part / parts as f64)?)?;
        }
        Ok(parts)
    }

    /// Detects contacts and resolves collisions at the start of a motion of `step` s.
    fn collide(&self, data: &mut SimulationData, modules: &mut Modules, step: f64) {
        let fall = 2.0 * data.world.model().gravity.length() * step * step;
        let margin = if self.margin > 0.0 { self.margin } else { fall.max(MIN_MARGIN) };
        data.detect_contacts(Lookahead { interval: step, margin });
        modules.resolve_collisions(data, step);
    }
}

/// Fails if a motion was not made fully, because steps of fixed length cannot be made shorter.
fn fully(moved: Moved) -> Result<(), Failure> {
    match moved {
        Moved::Fully => Ok(()),
        Moved::PenetrationAt { time } => Err(Failure::CannotGoBack { time }),
    }
}
