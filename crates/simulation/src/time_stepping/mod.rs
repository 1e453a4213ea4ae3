//! Time stepping with hard contacts: the default paradigm.
//!
//! A step of h seconds is drift, kick and drift: bodies move to the middle of the step with the velocities v of its start;
//! there contacts are detected once, and forces and contacts change v to v'; bodies move on with v'. **Lasting contacts**
//! ([`LastingContacts`], the constraint solver) are solved for v'. **Impacts** ([`Impacts`], the collision solver) change
//! velocities at the times at which bodies meet: the time control divides the step there. **Recovery** (`recovery`)
//! reduces penetration without adding speed.

mod bounce;
mod contact_motion;
mod energy_balance;
mod group_members;
mod impacts;
mod lasting_contacts;
mod recovery;
mod settings;

pub use contact_motion::ContactMotion;
pub(crate) use contact_motion::DAMPED_SHARE;
pub use impacts::Impacts;
pub use lasting_contacts::LastingContacts;
pub use settings::TimeSteppingSettings;

use std::sync::Arc;

use burgess_dynamics::State;

use crate::modules::Modules;
use crate::motion_solver::SteppedMotion;
use crate::simulation::Simulation;
use crate::simulation_data::SimulationData;
use crate::time_control::DividedStep;
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
    Simulation::with_modules(data, Box::new(DividedStep), modules, step)
}

impl Modules {
    /// Creates the modules of time stepping.
    pub fn time_stepping(data: &SimulationData, settings: TimeSteppingSettings) -> Self {
        Self {
            motion: Box::new(SteppedMotion::new(data)),
            constraints: Some(Box::new(LastingContacts::new(settings))),
            collisions: Some(Box::new(Impacts::new(settings))),
        }
    }
}
