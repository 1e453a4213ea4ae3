//! Velocity-level time stepping with hard contacts: the default paradigm.
//!
//! A step of h seconds from positions q and velocities v, with contacts detected at q, has two solves on the
//! contact-space operator.
//!
//! **Arrivals** ([`Arrivals`], the collision solver) are contacts that would close within the step. They change v
//! before any force has acted. **Lasting contacts** ([`LastingContacts`], the constraint solver) are solved for the
//! velocities with which the step ends. The step moves bodies along the mean of v (after arrivals) and the end
//! velocities, so that smooth motion and sliding friction are exact to second order, and no contact closes by more than
//! its gap. **Recovery** (`recovery`) reduces penetration without adding speed.

mod arrivals;
mod bounce;
mod group_members;
mod lasting_contacts;
mod mid_step;
mod recovery;
mod settings;
mod workless;

pub use arrivals::Arrivals;
pub use lasting_contacts::LastingContacts;
pub use settings::TimeSteppingSettings;

use std::sync::Arc;

use burgess_dynamics::State;

use crate::modules::Modules;
use crate::motion_solver::SteppedMotion;
use crate::simulation::Simulation;
use crate::simulation_data::SimulationData;
use crate::time_control::FixedStep;
use crate::world::World;
use crate::world_error::WorldError;

impl Simulation {
    /// Creates a simulation by time stepping with default settings, in steps of `step` s.
    pub fn new(world: impl Into<Arc<World>>, state: State, step: f64) -> Result<Self, WorldError> {
        time_stepping(world, state, step, TimeSteppingSettings::default())
    }
}

/// Creates a simulation by time stepping, in steps of `step` s.
pub fn time_stepping(
    world: impl Into<Arc<World>>,
    state: State,
    step: f64,
    settings: TimeSteppingSettings,
) -> Result<Simulation, WorldError> {
    settings.check()?;
    let data = SimulationData::new(world, state)?;
    let modules = Modules::time_stepping(&data, settings);
    Simulation::with_modules(data, Box::new(FixedStep::default()), modules, step)
}

impl Modules {
    /// Creates the modules of time stepping.
    pub fn time_stepping(data: &SimulationData, settings: TimeSteppingSettings) -> Self {
        Self {
            motion: Box::new(SteppedMotion::new(data)),
            constraints: Some(Box::new(LastingContacts::new(settings))),
            collisions: Some(Box::new(Arrivals::new(settings))),
        }
    }
}
