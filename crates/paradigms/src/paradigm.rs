//! Named choices of modules (Erleben 2002, section 3).

use std::sync::Arc;

use burgess_collision::contact_determination::{ClosestPair, FullManifold, TrackedFeatures};
use burgess_dynamics::State;
use burgess_simulation::constraint_solver::VelocitySolverSettings;
use burgess_simulation::modules::{CollisionSolver, Modules};
use burgess_simulation::time_control::FixedStep;
use burgess_simulation::{Simulation, SimulationData, TimeSteppingSettings, World, WorldError, time_stepping};

use crate::collision_solver::{
    ChatterjeeRuina, CollisionLaw, Envelope, SequentialImpulses, SimultaneousImpulses, SingleArrivals,
    TransientImpulses,
};
use crate::constraint_solver::{Analytical, AnalyticalSettings, Penalty, PenaltySettings};
use crate::motion_solver::{ContinuousMotion, FreeMotion, UpdateStrategy};
use crate::time_control::{Backtracking, ConservativeAdvancement, Watched};

/// Maximum number of motions in one step, valid or not.
const MAX_MOTIONS: usize = 10_000;

/// How a world is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Paradigm {
    /// Fixed steps with hard contacts at the velocity level: the default.
    #[default]
    TimeStepping,
    /// Forces for lasting contacts, impulses for collisions.
    Analytical,
    /// Fixed steps with springs where bodies overlap.
    Penalty,
    /// Impulses for transient contacts, forces for lasting ones.
    Hybrid,
    /// All contacts are collisions, found by conservative advancement (Mirtich and Canny 1995; Fontijne 2000, chapter
    /// 3).
    Impulse,
}

impl Paradigm {
    /// All paradigms.
    pub const ALL: [Self; 5] = [Self::TimeStepping, Self::Impulse, Self::Analytical, Self::Penalty, Self::Hybrid];

    /// Returns the name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeStepping => "time-stepping",
            Self::Analytical => "analytical",
            Self::Penalty => "penalty",
            Self::Hybrid => "hybrid",
            Self::Impulse => "impulse",
        }
    }

    /// Returns the paradigm with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|paradigm| paradigm.name() == name)
    }

    /// Creates a simulation by this paradigm with its default settings, in steps of `step` s.
    pub fn simulate(self, world: impl Into<Arc<World>>, state: State, step: f64) -> Result<Simulation, WorldError> {
        match self {
            Self::TimeStepping => time_stepping(world, state, step, TimeSteppingSettings::default()),
            Self::Analytical => {
                analytical(world, state, step, AnalyticalSettings::default(), UpdateStrategy::default())
            }
            Self::Penalty => penalty(world, state, step, PenaltySettings::default()),
            Self::Hybrid => hybrid(world, state, step, HybridSettings::default()),
            Self::Impulse => impulse(world, state, step, ImpulseSettings::default()),
        }
    }
}

/// Creates a simulation with fixed steps, and springs and dampers where bodies overlap (Erleben 2002, section 3.2).
/// Forces are implicit over the step, so they are computed once per step.
pub fn penalty(
    world: impl Into<Arc<World>>,
    state: State,
    step: f64,
    settings: PenaltySettings,
) -> Result<Simulation, WorldError> {
    let mut data = force_data(world, state)?;
    let constraints = Box::new(Penalty::new(&data, settings)?);
    let motion = Box::new(ContinuousMotion::new(&data, constraints, UpdateStrategy::Lazy));
    let modules = Modules { motion, constraints: None, collisions: None };
    let time_control = Watched::with_short_steps(&mut data, Box::new(FixedStep::default()));
    Simulation::with_modules(data, Box::new(time_control), modules, step)
}

/// Creates a simulation with forces for lasting contacts and impulses for collisions, whose times are found by
/// backtracking (Erleben 2002, section 3.1).
pub fn analytical(
    world: impl Into<Arc<World>>,
    state: State,
    step: f64,
    settings: AnalyticalSettings,
    strategy: UpdateStrategy,
) -> Result<Simulation, WorldError> {
    let mut data = force_data(world, state)?;
    let constraints = Box::new(Analytical::new(&data, settings, step)?);
    let motion = Box::new(ContinuousMotion::new(&data, constraints, strategy));
    let collisions = Box::new(SingleArrivals::new(TimeSteppingSettings::default()));
    let modules = Modules { motion, constraints: None, collisions: Some(collisions) };
    let (touching, tolerance) = (settings.contact_tolerance, settings.penetration_tolerance);
    let time_control = Box::new(Backtracking::new(&data, touching, tolerance, MAX_MOTIONS));
    let time_control = Box::new(Watched::new(&mut data, time_control));
    Simulation::with_modules(data, time_control, modules, step)
}

/// Settings of the hybrid of impulses and forces.
#[derive(Debug, Clone)]
pub struct HybridSettings {
    /// Settings of the forces, including the definition of a contact.
    pub forces: AnalyticalSettings,
    /// Collision law.
    pub law: Arc<dyn CollisionLaw>,
    /// Number of steps after which the contact of touching bodies lasts.
    pub lasting_after: u32,
    /// What is updated at each stage of an integration step.
    pub strategy: UpdateStrategy,
}

impl Default for HybridSettings {
    fn default() -> Self {
        let (forces, strategy) = (AnalyticalSettings::default(), UpdateStrategy::Eager);
        Self { forces, law: Arc::new(ChatterjeeRuina), lasting_after: 5, strategy }
    }
}

/// Creates a simulation with impulses for transient contacts, one after the other by any law, and forces for lasting
/// contacts (Erleben 2002, section 3.4). [`TransientImpulses`] defines which contacts are transient.
pub fn hybrid(
    world: impl Into<Arc<World>>,
    state: State,
    step: f64,
    settings: HybridSettings,
) -> Result<Simulation, WorldError> {
    let world = world.into();
    if !world.constraints().is_empty() {
        let why =
            "impulses one after the other cannot hold constraints between bodies; use analytical or time stepping";
        return Err(WorldError::Impossible { why: why.to_string() });
    }
    let mut data = force_data(world, state)?;
    let forces = AnalyticalSettings { lasting_only: true, ..settings.forces };
    let constraints = Box::new(Analytical::new(&data, forces, step)?);
    let motion = Box::new(ContinuousMotion::new(&data, constraints, settings.strategy));
    let (touching, tolerance) = (forces.contact_tolerance, forces.penetration_tolerance);
    let lasting_after = f64::from(settings.lasting_after) * step;
    let collisions = Box::new(TransientImpulses::new(&data, settings.law, touching, lasting_after));
    let modules = Modules { motion, constraints: None, collisions: Some(collisions) };
    let time_control = Box::new(Backtracking::new(&data, touching, tolerance, MAX_MOTIONS));
    let time_control = Box::new(Watched::new(&mut data, time_control));
    Simulation::with_modules(data, time_control, modules, step)
}

/// Creates data whose contacts are recomputed at every check: carrying a contact along instead would change the forces.
pub fn force_data(world: impl Into<Arc<World>>, state: State) -> Result<SimulationData, WorldError> {
    let mut data = SimulationData::new(world, state)?;
    data.detection = data.detection.with_determination(Box::new(FullManifold::new(0.0)));
    Ok(data)
}

/// Which points of two bodies in contact get impulses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactPoints {
    /// Only the closest points (Mirtich and Canny 1995). Bodies at rest may begin to spin.
    Closest,
    /// All points that recently were the closest and are still near (Fontijne 2000, section 3.10).
    #[default]
    Tracked,
    /// The whole region in which the bodies are near each other (Erleben 2002, section 2.2.3).
    Region,
}

/// The order in which the collisions of a contact group get their impulses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpulseOrder {
    /// One after the other, by any law ([`SequentialImpulses`]).
    #[default]
    Sequential,
    /// All at once, with Newton's restitution: [`ImpulseSettings::law`] is not used ([`SimultaneousImpulses`]).
    Simultaneous,
}

/// Settings of impulse-based simulation.
#[derive(Debug, Clone)]
pub struct ImpulseSettings {
    /// Thickness of the collision envelope relative to the size of the smallest moving body (see
    /// [`Envelope::of_world`]).
    pub epsilon_share: f64,
    /// Restitution of slow touching contacts, usually between 2 and 5.
    pub max_restitution: f64,
    /// One collision after the other, or all at once.
    pub order: ImpulseOrder,
    /// Collision law.
    pub law: Arc<dyn CollisionLaw>,
    /// Which points collide.
    pub points: ContactPoints,
    /// Maximum number of sub-steps of one step.
    pub budget: usize,
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        Self {
            epsilon_share: 0.01,
            max_restitution: 2.0,
            order: ImpulseOrder::default(),
            law: Arc::new(ChatterjeeRuina),
            points: ContactPoints::default(),
            budget: 100_000,
        }
    }
}

/// Creates a simulation with conservative advancement: all contacts are collisions, with free motion in between.
pub fn impulse(
    world: impl Into<Arc<World>>,
    state: State,
    step: f64,
    settings: ImpulseSettings,
) -> Result<Simulation, WorldError> {
    WorldError::unless(settings.budget > 0, "the budget of sub-steps", "at least 1", 0.0)?;
    let (mut data, envelope) = impulse_data(world, state, &settings)?;
    let collisions: Box<dyn CollisionSolver> = match settings.order {
        ImpulseOrder::Sequential => Box::new(SequentialImpulses::new(settings.law, envelope)),
        ImpulseOrder::Simultaneous => Box::new(SimultaneousImpulses::new(envelope, VelocitySolverSettings::default())),
    };
    let time_control = Box::new(ConservativeAdvancement::new(&data, envelope, settings.budget));
    let modules = Modules { motion: Box::new(FreeMotion::new(&data)), constraints: None, collisions: Some(collisions) };
    let time_control = Box::new(Watched::new(&mut data, time_control));
    Simulation::with_modules(data, time_control, modules, step)
}

/// Simulation data whose contacts are those in the collision envelope, and that envelope; for choices of modules of one's own.
pub fn impulse_data(
    world: impl Into<Arc<World>>,
    state: State,
    settings: &ImpulseSettings,
) -> Result<(SimulationData, Envelope), WorldError> {
    WorldError::unless_positive("the share of the collision envelope", settings.epsilon_share)?;
    WorldError::unless_not_negative("the largest restitution", settings.max_restitution)?;
    let world = world.into();
    let mut envelope = Envelope::of_world(&world, settings.epsilon_share);
    envelope.max_restitution = settings.max_restitution;
    let mut data = SimulationData::new(world, state)?;
    let epsilon = envelope.epsilon;
    data.detection = data.detection.with_determination(match settings.points {
        ContactPoints::Closest => Box::new(ClosestPair { margin: epsilon }),
        ContactPoints::Tracked => Box::new(TrackedFeatures::new(epsilon)),
        ContactPoints::Region => Box::new(FullManifold::new(epsilon)),
    });
    Ok((data, envelope))
}
