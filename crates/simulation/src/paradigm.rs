//! Named choices of modules (004 section 3).

use burgess_dynamics::State;

use crate::builder::WorldError;
use crate::constraint_solver::{TimeStepping, TimeSteppingSettings};
use crate::modules::Modules;
use crate::motion_solver::SteppedMotion;
use crate::simulation::Simulation;
use crate::stage::Stage;
use crate::time_control::FixedStep;
use crate::world::World;

/// How a world is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Paradigm {
    /// Fixed steps with hard contacts at the velocity level: the fast path.
    #[default]
    TimeStepping,
}

impl Paradigm {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::TimeStepping];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeStepping => "time-stepping",
        }
    }

    /// The paradigm of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|paradigm| paradigm.name() == name)
    }

    /// A simulation by this paradigm with its usual settings, in steps of `step` s.
    pub fn simulate(self, world: World, state: State, step: f64) -> Result<Simulation, WorldError> {
        match self {
            Self::TimeStepping => time_stepping(world, state, step, TimeSteppingSettings::default()),
        }
    }
}

/// Fixed steps; collisions and lasting contacts at the velocity level.
pub fn time_stepping(
    world: World,
    state: State,
    step: f64,
    settings: TimeSteppingSettings,
) -> Result<Simulation, WorldError> {
    let stage = Stage::new(world, state)?;
    let constraints = TimeStepping::new(&stage, settings);
    let motion = Box::new(SteppedMotion::new(&stage, constraints));
    let modules = Modules { motion, collisions: None };
    Ok(Simulation::with_modules(stage, Box::new(FixedStep::default()), modules, step))
}
