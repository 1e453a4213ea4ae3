//! The default choice of modules: velocity-level time stepping.

use burgess_dynamics::State;

use crate::constraint_solver::{TimeStepping, TimeSteppingSettings};
use crate::modules::Modules;
use crate::motion_solver::SteppedMotion;
use crate::simulation::Simulation;
use crate::stage::Stage;
use crate::time_control::FixedStep;
use crate::world::World;
use crate::world_error::WorldError;

impl Simulation {
    /// Creates a simulation by time stepping with default settings, in steps of `step` s.
    pub fn new(world: World, state: State, step: f64) -> Result<Self, WorldError> {
        time_stepping(world, state, step, TimeSteppingSettings::default())
    }
}

/// Fixed steps; collisions and lasting contacts at the velocity level.
pub fn time_stepping(
    world: World,
    state: State,
    step: f64,
    settings: TimeSteppingSettings,
) -> Result<Simulation, WorldError> {
    WorldError::unless(settings.solver.sweeps > 0, "the number of sweeps", "at least 1", 0.0)?;
    WorldError::unless_not_negative("the tolerance of the contact solver", settings.solver.tolerance)?;
    WorldError::unless_not_negative(
        "the relative tolerance of the contact solver",
        settings.solver.relative_tolerance,
    )?;
    WorldError::unless_not_negative("the recovery speed", settings.recovery_speed)?;
    let share = settings.recovery_share;
    WorldError::unless((0.0..=1.0).contains(&share), "the recovery share", "from 0 to 1", share)?;
    WorldError::unless_not_negative("the bounce threshold", settings.bounce_threshold)?;
    let stage = Stage::new(world, state)?;
    let constraints = TimeStepping::new(settings);
    let motion = Box::new(SteppedMotion::new(&stage, constraints));
    let modules = Modules { motion, collisions: None };
    Simulation::with_modules(stage, Box::new(FixedStep::default()), modules, step)
}
