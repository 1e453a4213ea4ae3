//! Settings of time stepping.

use crate::constraint_solver::VelocitySolverSettings;
use crate::simulation_data::SimulationData;
use crate::world_error::WorldError;

/// Settings of time stepping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSteppingSettings {
    /// Accuracy and effort of the contact solver.
    pub solver: VelocitySolverSettings,
    /// Maximum speed at which penetration is reduced, in m/s.
    pub recovery_speed: f64,
    /// Share of a penetration that one step removes.
    pub recovery_share: f64,
    /// Contacts slower than gravity times the step times this factor do not bounce.
    pub bounce_threshold: f64,
}

impl Default for TimeSteppingSettings {
    fn default() -> Self {
        let solver = VelocitySolverSettings::default();
        Self { solver, recovery_speed: 1.0, recovery_share: 0.2, bounce_threshold: 2.0 }
    }
}

impl TimeSteppingSettings {
    /// Refuses settings that are out of range.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        WorldError::unless(self.solver.sweeps > 0, "the number of sweeps", "at least 1", 0.0)?;
        WorldError::unless_not_negative("the tolerance of the contact solver", self.solver.tolerance)?;
        WorldError::unless_not_negative(
            "the relative tolerance of the contact solver",
            self.solver.relative_tolerance,
        )?;
        WorldError::unless_not_negative("the recovery speed", self.recovery_speed)?;
        let share = self.recovery_share;
        WorldError::unless((0.0..=1.0).contains(&share), "the recovery share", "from 0 to 1", share)?;
        WorldError::unless_not_negative("the bounce threshold", self.bounce_threshold)
    }

    /// Speed below which contacts do not bounce, in m/s.
    pub(super) fn bounce_speed(&self, data: &SimulationData) -> f64 {
        self.bounce_threshold * data.world.model().gravity.length() * data.whole_step
    }
}
