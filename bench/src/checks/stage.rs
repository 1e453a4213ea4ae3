//! What the scenes of the checks are made of.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

/// Of the simulator, in m/s^2.
pub const GRAVITY: f64 = 9.81;
/// Half the height of the block, in m.
pub const BLOCK_HEIGHT: f64 = 0.1;

/// The ground, which falls along x by an angle in rad, of a friction that everything has.
pub fn slope(angle: f64, friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    let pose = Pose::new(tilt(angle), DVec3::ZERO);
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(pose));
    builder
}

/// The turn of a slope: x is downhill then, and z off the slope.
pub fn tilt(angle: f64) -> DQuat {
    DQuat::from_rotation_y(angle)
}

/// A flat block, which does not tip over.
pub fn block() -> Result<ColliderSpec> {
    Ok(ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.2, 0.2, BLOCK_HEIGHT))?)))
}

/// A simulation of what was built.
pub fn simulate(builder: WorldBuilder, paradigm: Paradigm, step: f64) -> Result<Simulation> {
    let (world, state) = builder.build()?;
    Ok(paradigm.simulate(world, state, step)?)
}

/// Where a free body is, in m. Bodies count from 0.
pub fn position(simulation: &Simulation, body: usize) -> DVec3 {
    DVec3::from_slice(&simulation.state().q[simulation.world().model().links()[body].q..])
}

/// The velocity of a free body's middle, in m/s.
pub fn velocity(simulation: &Simulation, body: usize) -> DVec3 {
    DVec3::from_slice(&simulation.state().v[simulation.world().model().links()[body].v + 3..])
}

/// How far a number is off, in percent.
pub fn percent_off(found: f64, expected: f64) -> f64 {
    100.0 * (found / expected - 1.0).abs()
}
