//! A world with the laws that its motion must obey.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::{LinkId, State};
use burgess_geometry::shape::HalfSpace;
use burgess_geometry::{MassProperties, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Lookahead, Material, World, WorldBuilder};
use glam::DVec3;

use crate::law::Law;
use crate::measure::depth;

/// Gravitational acceleration, in m/s^2.
pub const GRAVITY: f64 = 9.81;

/// Growth of a dissipated energy that is allowed per collision and once, as a share of its scale.
pub const GROWTH: f64 = 1e-3;

/// What may happen to the energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Energy {
    /// It is constant.
    Conserved,
    /// It never grows, except by the work of motors.
    Dissipated,
    /// Prescribed motion does work, so that nothing is known about it.
    Driven,
}

/// How the exact motion is approximated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// No reference is precise enough.
    None,
    /// The fourth-order Runge-Kutta method: for trees without contacts, limits and constraints.
    RungeKutta,
    /// The analytical paradigm with short steps.
    Analytical,
    /// Time stepping with steps of 1/8000 s, for a time in s.
    Fine(f64),
}

/// An axisymmetric ball on the ground, whose Jellett invariant is constant with and without friction.
#[derive(Debug, Clone, Copy)]
pub struct Jellett {
    /// Index of the link.
    pub link: usize,
    /// Radius, in m.
    pub radius: f64,
    /// Centre of the ball in the link's coordinates, in m.
    pub center: DVec3,
}

/// A world with its start and the laws that hold in it.
#[derive(Debug, Clone)]
pub struct Case {
    /// What was drawn, in a few words.
    pub what: String,
    /// The world.
    pub world: Arc<World>,
    /// Its start.
    pub state: State,
    /// What may happen to the energy.
    pub energy: Energy,
    /// Growth of a dissipated energy that is allowed once, as a share of its scale.
    pub growth: f64,
    /// Energy that can be exchanged: that of the start above the minimum at rest, in J.
    pub energy_scale: f64,
    /// Whether no outer force but gravity acts.
    pub floats: bool,
    /// Whether a body can leave the ground by itself, and loses energy when it lands.
    pub can_lift: bool,
    /// Time after which nothing moves, in s; infinite for worlds that move.
    pub rests_after: f64,
    /// Whether bodies overlap at the start, so that depths are not checked.
    pub overlaps: bool,
    /// Smallest size of a moving body, in m: the scale of depths and displacements.
    pub size: f64,
    /// Half-spaces that no centre of mass enters: a point and the outward normal.
    pub walls: Vec<(DVec3, DVec3)>,
    /// A ball whose Jellett invariant is constant.
    pub jellett: Option<Jellett>,
    /// How the exact motion is found.
    pub reference: Reference,
    /// Laws of this world alone.
    pub laws: Vec<Law>,
    /// The paradigm to be examined.
    pub paradigm: Paradigm,
    /// Simulated time, in s: it replaces that of the command line for a world with a name, and limits it for a random
    /// one.
    pub seconds: Option<f64>,
}

impl Case {
    /// Builds a world in which energy is conserved.
    pub fn conservative(what: String, builder: WorldBuilder, energy_scale: f64, size: f64) -> Result<Self> {
        let (world, state) = builder.build()?;
        Ok(Self {
            what,
            world: Arc::new(world),
            state,
            energy: Energy::Conserved,
            growth: GROWTH,
            energy_scale,
            floats: false,
            can_lift: false,
            rests_after: f64::INFINITY,
            overlaps: false,
            size,
            walls: Vec::new(),
            jellett: None,
            reference: Reference::None,
            laws: Vec::new(),
            paradigm: Paradigm::TimeStepping,
            seconds: None,
        })
    }

    /// Builds a world in which energy is dissipated.
    pub fn dissipative(what: String, builder: WorldBuilder, energy_scale: f64, size: f64) -> Result<Self> {
        Ok(Self { energy: Energy::Dissipated, ..Self::conservative(what, builder, energy_scale, size)? })
    }

    /// Builds a world on which prescribed motion does work.
    pub fn driven(what: String, builder: WorldBuilder, size: f64) -> Result<Self> {
        Ok(Self { energy: Energy::Driven, ..Self::conservative(what, builder, 1.0, size)? })
    }

    /// Returns the index of a link in the model of the world.
    pub fn index(&self, link: LinkId) -> usize {
        self.world.index(link).expect("the link was added to this world")
    }

    /// Adds a law.
    pub fn with_law(mut self, law: Law) -> Self {
        self.laws.push(law);
        self
    }

    /// Limits the simulated time, in s.
    pub fn until(mut self, seconds: f64) -> Self {
        self.seconds = Some(seconds);
        self
    }

    /// Adds the ground z = 0 to the walls.
    pub fn on_ground(mut self) -> Self {
        self.walls.push((DVec3::ZERO, DVec3::Z));
        self
    }

    /// Returns the energy at the start, in J.
    pub fn initial_energy(&self) -> Result<f64> {
        let mut simulation = self.paradigm.simulate(self.world.clone(), self.state.clone(), 1e-3)?;
        Ok(simulation.energy())
    }

    /// Returns the depth of the deepest contact at the start, in m.
    pub fn initial_depth(&self) -> Result<f64> {
        let mut simulation = self.paradigm.simulate(self.world.clone(), self.state.clone(), 1e-3)?;
        let data = simulation.data_mut();
        data.update_kinematics();
        data.detect_contacts(Lookahead { interval: 0.0, margin: 0.0 });
        Ok(depth(&simulation))
    }

    /// Sets the reference.
    pub fn compared_with(mut self, reference: Reference) -> Self {
        self.reference = reference;
        self
    }
}

/// Creates a world with the ground z = 0; all surfaces have the given friction and do not bounce.
pub fn ground(friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    builder
}

/// Returns the kinetic energy of a body that turns with `spin` and whose centre of mass has a velocity, in J. The
/// orientation is that of the body's axes in the world.
pub fn kinetic_energy(mass: &MassProperties, orientation: glam::DQuat, spin: DVec3, velocity: DVec3) -> f64 {
    let own = orientation.inverse() * spin;
    0.5 * (mass.mass * velocity.length_squared() + own.dot(mass.inertia * own))
}
