//! A block on a slope at 90 % of the friction limit does not move for a minute.

use anyhow::Result;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::scenes::{BLOCK_HEIGHT, block, position, simulate, slope, tilt};

const FRICTION: f64 = 0.5;
const SHARE_OF_CONE: f64 = 0.9;
/// Settling time, in s.
const SETTLING: f64 = 1.0;
const SECONDS: f64 = 60.0;

/// Returns the displacement after settling, in um.
pub fn displacement(paradigm: Paradigm, step: f64) -> Result<f64> {
    let angle = libm::atan(SHARE_OF_CONE * FRICTION);
    let mut builder = slope(angle, FRICTION);
    builder.body("block", Pose::new(tilt(angle), tilt(angle) * DVec3::Z * BLOCK_HEIGHT), [block()?])?;
    let mut simulation = simulate(builder, paradigm, step)?;
    simulation.run(SETTLING)?;
    let settled = position(&simulation, 0);
    simulation.run(SETTLING + SECONDS)?;
    Ok(1e6 * (position(&simulation, 0) - settled).length())
}
