//! A block that is pushed in different directions slides equally far and straight in each. A friction pyramid fails
//! this.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::scenes::{BLOCK_HEIGHT, block, position, simulate, slope};

const DIRECTIONS: u32 = 24;
const FRICTION: f64 = 0.4;
const SPEED: f64 = 3.0;
/// Simulated time, in s; the block stops after 0.76 s.
const SECONDS: f64 = 1.0;

/// Returns the largest distance of an end point from the ideal point on the circle, in percent of the mean distance.
pub fn spread(paradigm: Paradigm, step: f64) -> Result<f64> {
    let mut ends = Vec::new();
    for index in 0..DIRECTIONS {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(index) / f64::from(DIRECTIONS));
        let direction = DVec3::new(cos, sin, 0.0);
        ends.push((direction, slide(paradigm, step, direction)?));
    }
    let mean = ends.iter().map(|(_, end)| end.length()).sum::<f64>() / f64::from(DIRECTIONS);
    let off = ends.iter().map(|(direction, end)| (*end - mean * *direction).length());
    Ok(100.0 * off.fold(0.0, f64::max) / mean)
}

/// Returns the displacement of the block, in m.
fn slide(paradigm: Paradigm, step: f64, direction: DVec3) -> Result<DVec3> {
    let mut builder = slope(0.0, FRICTION);
    let start = DVec3::new(0.0, 0.0, BLOCK_HEIGHT);
    let body = builder.body("block", Pose::from_translation(start), [block()?])?;
    builder.set_velocity(body, Motion::new(DVec3::ZERO, SPEED * direction));
    let mut simulation = simulate(builder, paradigm, step)?;
    simulation.run(SECONDS)?;
    let displacement = position(&simulation, 0) - start;
    Ok(DVec3::new(displacement.x, displacement.y, 0.0))
}
