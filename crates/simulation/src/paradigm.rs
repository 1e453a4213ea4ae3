//! Named choices of modules (004 section 3).

use burgess_dynamics::State;

use crate::builder::WorldError;
use crate::constraint_solver::{
    Analytical, AnalyticalSettings, Penalty, PenaltySettings, TimeStepping, TimeSteppingSettings,
};
use crate::modules::Modules;
use crate::motion_solver::{ContinuousMotion, SteppedMotion, UpdateStrategy};
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
    /// Forces that keep lasting contacts, impulses for collisions.
    Analytical,
    /// Fixed steps with springs where bodies overlap.
    Penalty,
}

impl Paradigm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::TimeStepping, Self::Analytical, Self::Penalty];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeStepping => "time-stepping",
            Self::Analytical => "analytical",
            Self::Penalty => "penalty",
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
            Self::Analytical => {
                analytical(world, state, step, AnalyticalSettings::default(), UpdateStrategy::default())
            }
            Self::Penalty => penalty(world, state, step, PenaltySettings::default()),
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

/// Fixed steps; springs and dampers where bodies overlap (004 section 3.2). Forces are implicit over the step, so they are
/// found once for each.
pub fn penalty(world: World, state: State, step: f64, settings: PenaltySettings) -> Result<Simulation, WorldError> {
    let stage = Stage::new(world, state)?;
    let constraints = Box::new(Penalty::new(&stage, settings)?);
    let motion = Box::new(ContinuousMotion::new(&stage, constraints, UpdateStrategy::Lazy));
    let modules = Modules { motion, collisions: None };
    Ok(Simulation::with_modules(stage, Box::new(FixedStep::default()), modules, step))
}

/// Forces for contacts that last, impulses for collisions (004 section 3.1).
pub fn analytical(
    world: World,
    state: State,
    step: f64,
    settings: AnalyticalSettings,
    strategy: UpdateStrategy,
) -> Result<Simulation, WorldError> {
    let stage = Stage::new(world, state)?;
    let constraints = Box::new(Analytical::new(&stage, settings));
    let motion = Box::new(ContinuousMotion::new(&stage, constraints, strategy));
    let collisions = Box::new(TimeStepping::new(&stage, TimeSteppingSettings::default()));
    let modules = Modules { motion, collisions: Some(collisions) };
    let time_control = Box::new(FixedStep { margin: settings.contact_tolerance });
    Ok(Simulation::with_modules(stage, time_control, modules, step))
}
