//! A robot is lifted by its torso with twice its weight for 1 s, then falls for 2 s. Energy is conserved while it
//! falls.

use std::sync::Arc;

use anyhow::{Context, Result};
use burgess_simulation::WorldBuilder;
use glam::DVec3;

use super::{Quadruped, Simulate, SteadyForce, time_mean};

const LIFTING: f64 = 1.0;
const FALLING: f64 = 2.0;

/// Returns the time mean of the squared error of the energy during the fall, in J^2.
pub fn quadruped_energy(simulate: &Simulate) -> Result<f64> {
    let mut builder = WorldBuilder::new();
    let robot = Quadruped::add(&mut builder, 2.0)?;
    let (world, state) = builder.build()?;
    let link = world.index(robot.torso).context("the torso is not a link")?;
    let mut simulation = simulate(world, state)?;
    let force = DVec3::Z * (2.0 * Quadruped::MASS * 9.81);
    // Round to whole steps.
    let until = (LIFTING / simulation.step_length()).round() * simulation.step_length();
    simulation.data_mut().controllers.add_low_level(Arc::new(SteadyForce { link, force, until }));
    simulation.run(until)?;
    let energy = simulation.energy();
    time_mean(&mut simulation, FALLING, |simulation| {
        let error = simulation.energy() - energy;
        error * error
    })
}
