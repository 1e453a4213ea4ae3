//! Steps of fixed length, divided where bodies collide and where links turn fast.

use super::fixed_step::{default_margin, fully};
use super::impact_time::{first_impact, mark_flying, moves_far, next_impact};
use super::turning::{MAX_PARTS, parts_for_turn};
use crate::detection::Lookahead;
use crate::modules::{Modules, TimeControl};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Number of contacts, times the number of impacts, up to which a step is divided at impacts: in a pile so many bodies
/// collide in a step that all collisions of the rest of the step happen at once.
const MAX_CONTACTS_AT_IMPACTS: usize = 256;
/// Number of contacts below which there may be more impacts, in proportion to it: two blocks before a wall, 10,000 times
/// as heavy as each other, collide 314 times.
const FEW_CONTACTS: usize = 16;
/// Error of the energy of loops and of trees that whirl, relative to their kinetic energy, above which a part is divided.
const MAX_ENERGY_ERROR: f64 = 2e-4;
/// Parts shorter than this share of the step are not made.
const NEGLIGIBLE_PART: f64 = 1e-6;

/// The time control of time stepping.
///
/// ```text
///   until the step is over:
///     drift to the middle of the next part, detect contacts there
///     an impact on the way?  no:  kick, hold, recover, drift on
///                            yes: drift back, do the same until then, collide
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DividedStep;

impl TimeControl for DividedStep {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        data.whole_step = step;
        let mut course = Course { step, left: step, parts: 1, moved: 0, impacts: 0, are_resolved: false, is_new: true };
        while course.left > course.negligible() {
            let (part, impact) = course.enter(data, modules);
            match impact {
                None => course.go(data, modules, part)?,
                Some(time) => course.go_and_collide(data, modules, (part, time))?,
            }
        }
        if course.moved > 1 {
            data.statistics.sub_steps = course.moved.max(data.statistics.sub_steps);
        }
        Ok(())
    }
}

/// What is left of a step.
#[derive(Debug, Clone, Copy)]
struct Course {
    step: f64,
    /// Time left, in s.
    left: f64,
    /// Number of parts into which that is divided.
    parts: usize,
    /// Number of parts that have been made.
    moved: usize,
    /// Number of impacts at which the step was divided.
    impacts: usize,
    /// Whether all collisions of the rest of the step have been resolved.
    are_resolved: bool,
    /// Whether the velocities are new, so that the number of parts has to be chosen.
    is_new: bool,
}

impl Course {
    fn negligible(&self) -> f64 {
        NEGLIGIBLE_PART * self.step
    }

    /// Drifts to the middle of the next part. Returns its length and the time of the first impact in it, in s.
    fn enter(&mut self, data: &mut SimulationData, modules: &mut Modules) -> (f64, Option<f64>) {
        let mut part = self.left / self.parts as f64;
        let mut seen = None;
        enter(data, modules, part);
        if std::mem::take(&mut self.is_new) {
            self.parts = parts_for_turn(data, self.left);
            let is_far = moves_far(data, part);
            if is_far || self.parts > 1 {
                modules.motion.drift_back(data, part);
                if is_far {
                    look_ahead(data, self.left);
                    self.parts = self.parts.max(parts_for_turn(data, self.left));
                    seen = first_impact(data, self.left / self.parts as f64);
                }
                part = self.left / self.parts as f64;
                enter(data, modules, part);
            }
        }
        let impacts = seen.into_iter().chain(next_impact(data, part));
        (part, impacts.min_by(f64::total_cmp).filter(|_| !self.are_resolved))
    }

    /// Moves bodies from the middle of a part that has been entered: the stages of `step.rs`. Parts are halved where the
    /// energy of loops and of trees that whirl has a large error.
    fn go(&mut self, data: &mut SimulationData, modules: &mut Modules, part: f64) -> Result<(), Failure> {
        mark_flying(data, part, self.are_resolved);
        modules.predict_velocities(data, part)?;
        modules.hold_lasting_contacts(data, part)?;
        let error = modules.assess_energy(data, part);
        if error > MAX_ENERGY_ERROR && part > 1.01 * self.step / MAX_PARTS as f64 {
            modules.motion.drift_back(data, part);
            self.parts = (2 * self.parts).min((self.left * MAX_PARTS as f64 / self.step) as usize + 1);
            return Ok(());
        }
        modules.recover_penetration(data, part);
        fully(modules.integrate_positions(data, part)?)?;
        modules.correct_energy(data, part);
        data.statistics.energy_error = data.statistics.energy_error.max(error);
        (self.left, self.moved, self.parts) = (self.left - part, self.moved + 1, (self.parts - 1).max(1));
        Ok(())
    }

    /// Goes to the time of an impact instead of the middle of a part, and collides there. If there have been many, all
    /// collisions of the rest of the step are resolved at once.
    fn go_and_collide(
        &mut self,
        data: &mut SimulationData,
        modules: &mut Modules,
        (part, time): (f64, f64),
    ) -> Result<(), Failure> {
        modules.motion.drift_back(data, part);
        self.are_resolved = self.impacts >= most_impacts(data);
        if time > self.negligible() && !self.are_resolved {
            let left = self.left;
            enter(data, modules, time);
            self.go(data, modules, time)?;
            if self.left == left {
                // The part was too long for a loop: the impact will be found again.
                return Ok(());
            }
        }
        self.impacts += 1;
        collide(data, modules, if self.are_resolved { self.left } else { 0.0 });
        (self.parts, self.is_new) = (1, true);
        Ok(())
    }
}

/// Detects contacts at the start of the rest of a step.
fn look_ahead(data: &mut SimulationData, left: f64) {
    data.update_kinematics();
    data.detect_contacts(Lookahead { interval: left, margin: default_margin(data, left) });
}

/// Moves to the middle of a part and detects contacts there.
fn enter(data: &mut SimulationData, modules: &mut Modules, part: f64) {
    modules.motion.drift(data, part);
    data.update_kinematics();
    data.detect_contacts(Lookahead { interval: part, margin: default_margin(data, part) });
    data.find_contact_motions(part);
    data.decide_rest();
}

/// Detects contacts at the state and resolves collisions that happen within `ahead` s.
fn collide(data: &mut SimulationData, modules: &mut Modules, ahead: f64) {
    data.update_kinematics();
    data.detect_contacts(Lookahead { interval: ahead, margin: default_margin(data, data.whole_step) });
    modules.resolve_collisions(data, ahead);
}

/// Returns the maximum number of impacts at which the step is divided.
fn most_impacts(data: &SimulationData) -> usize {
    let contacts = data.detection.contacts().len().max(1);
    MAX_CONTACTS_AT_IMPACTS / contacts * (FEW_CONTACTS / contacts).max(1)
}
