//! A block slides until friction stops it: the distance is `v^2 / (2 mu g)`, the time is `v / (mu g)`.

use anyhow::{Result, ensure};
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::scenes::{BLOCK_HEIGHT, GRAVITY, block, percent_off, position, simulate, slope, velocity};

const FRICTION: f64 = 0.2;
const SPEED: f64 = 6.0;
/// Fraction of the initial speed below which the block counts as stopped, so that jitter does not matter.
const STOPPED: f64 = 0.01;

/// Returns the largest error of distance and time, in percent.
#[derive(Debug, Clone, Copy)]
pub struct Errors {
    pub distance: f64,
    pub time: f64,
}

/// Direction that is oblique to the block and to the world axes.
pub fn errors(paradigm: Paradigm, step: f64) -> Result<Errors> {
    let direction = DVec3::new(0.8, 0.6, 0.0);
    let mut builder = slope(0.0, FRICTION);
    let start = DVec3::new(0.0, 0.0, BLOCK_HEIGHT);
    let body = builder.body("block", Pose::from_translation(start), [block()?])?;
    builder.set_velocity(body, Motion::new(DVec3::ZERO, SPEED * direction));
    let mut simulation = simulate(builder, paradigm, step)?;
    let (distance, time) = (SPEED * SPEED / (2.0 * FRICTION * GRAVITY), SPEED / (FRICTION * GRAVITY));
    let speed = |simulation: &_| {
        let v = velocity(simulation, 0);
        DVec3::new(v.x, v.y, 0.0).length()
    };
    while speed(&simulation) > STOPPED * SPEED {
        simulation.step()?;
        ensure!(simulation.state().time < 3.0 * time, "the block still slides after three times the expected time");
    }
    let stopped_after = simulation.state().time / (1.0 - STOPPED);
    simulation.run(1.2 * time)?;
    let displacement = position(&simulation, 0) - start;
    let slid = DVec3::new(displacement.x, displacement.y, 0.0).length();
    Ok(Errors { distance: percent_off(slid, distance), time: percent_off(stopped_after, time) })
}
