//! The cube of balls of the 666 test with elastic collisions, dropped from 1 m. Energy is conserved.

use anyhow::Result;

use super::sixsixsix::{SECONDS, cube};
use super::{Simulate, time_mean};
use crate::duel::median;

/// Returns the time mean of the squared error of the total energy, in J^2.
pub fn elastic_666(simulate: &Simulate, jitter: u64) -> Result<f64> {
    let (world, state) = cube(1.101, 1.0, jitter)?.build()?;
    let mut simulation = simulate(world, state)?;
    let energy = simulation.energy();
    time_mean(&mut simulation, SECONDS, |simulation| {
        let error = simulation.energy() - energy;
        error * error
    })
}

/// Returns the median over several random displacements, because the motion is chaotic.
pub fn elastic_666_median(simulate: &Simulate, jitters: &[u64]) -> Result<f64> {
    let errors: Result<Vec<f64>> = jitters.iter().map(|&jitter| elastic_666(simulate, jitter)).collect();
    Ok(median(errors?.into_iter()))
}
