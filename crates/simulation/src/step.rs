//! One step, stage by stage.

use crate::detection::Lookahead;
use crate::modules::{Modules, Moved};
use crate::outcome::Failure;
use crate::simulation::Simulation;
use crate::stage::Stage;

impl Simulation {
    /// Advances the simulation by one step.
    pub fn step(&mut self) -> Result<(), Failure> {
        self.reset_statistics();
        self.run_controllers();
        self.advance_time()?;
        self.update_clock();
        self.update_statistics();
        self.check_bounds()?;
        self.run_events();
        Ok(())
    }
}

impl Modules {
    /// Advances the state by `step` s, as [`FixedStep`](crate::time_control::FixedStep) does. The workspace must be at the
    /// present state.
    pub fn advance(&mut self, stage: &mut Stage, lookahead: Lookahead, step: f64) -> Result<Moved, Failure> {
        stage.detect_contacts(lookahead);
        self.resolve_collisions(stage, step);
        self.move_bodies(stage, step)
    }

    /// Moves all bodies for `step` s. Contacts have been detected at the present state.
    pub fn move_bodies(&mut self, stage: &mut Stage, step: f64) -> Result<Moved, Failure> {
        self.predict_velocities(stage, step)?;
        self.hold_lasting_contacts(stage, step);
        self.recover_penetration(stage, step);
        self.integrate_positions(stage, step)
    }
}
