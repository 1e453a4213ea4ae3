//! One step, stage by stage.

use crate::modules::{Modules, Moved};
use crate::outcome::Failure;
use crate::simulation::Simulation;
use crate::simulation_data::SimulationData;

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
    /// Moves all bodies for `step` s. Contacts have been detected at the present state.
    pub fn move_bodies(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        self.predict_velocities(data, step)?;
        self.hold_lasting_contacts(data, step)?;
        self.recover_penetration(data, step);
        self.integrate_positions(data, step)
    }
}
