//! Building blocks of the scenes of the checks.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

/// Gravitational acceleration of the simulator, in m/s^2.
pub const GRAVITY: f64 = 9.81;
/// Half the height of the block, in m.
pub const BLOCK_HEIGHT: f64 = 0.1;

/// Creates a world with a ground that slopes down along x by an angle in rad; all surfaces have the given friction.
pub fn slope(angle: f64, friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    let pose = Pose::new(tilt(angle), DVec3::ZERO);
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(pose));
    builder
}

/// Returns the rotation of a slope: x is downhill, z is normal to the slope.
pub fn tilt(angle: f64) -> DQuat {
    DQuat::from_rotation_y(angle)
}

/// Returns a flat block, which does not tip over.
pub fn block() -> Result<ColliderSpec> {
    Ok(ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.2, 0.2, BLOCK_HEIGHT))?)))
}

/// Creates a simulation of the built world.
pub fn simulate(builder: WorldBuilder, paradigm: Paradigm, step: f64) -> Result<Simulation> {
    let (world, state) = builder.build()?;
    Ok(paradigm.simulate(world, state, step)?)
}

/// Returns the position of a free body by index, in m.
pub fn position(simulation: &Simulation, body: usize) -> DVec3 {
    DVec3::from_slice(&simulation.state().q[simulation.world().model().links()[body].q..])
}

/// Returns the velocity of the centre of a free body, in m/s.
pub fn velocity(simulation: &Simulation, body: usize) -> DVec3 {
    DVec3::from_slice(&simulation.state().v[simulation.world().model().links()[body].v + 3..])
}

/// Returns the relative error of a number, in percent.
pub fn percent_off(found: f64, expected: f64) -> f64 {
    100.0 * (found / expected - 1.0).abs()
}
