//! A block that slides until friction has stopped it: `v^2 / (2 mu g)` far, for `v / (mu g)` seconds.

use anyhow::{Result, ensure};
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::stage::{BLOCK_HEIGHT, GRAVITY, block, percent_off, position, simulate, slope, velocity};

const FRICTION: f64 = 0.2;
const SPEED: f64 = 6.0;
/// Slower than this share of the first speed counts as stopped, so that bodies that always tremble can stop, too.
const STOPPED: f64 = 0.01;

/// In percent.
#[derive(Debug, Clone, Copy)]
pub struct Errors {
    pub distance: f64,
    pub time: f64,
}

/// Askew to the block and to the world.
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
        ensure!(simulation.state().time < 3.0 * time, "the block still slides after thrice the time");
    }
    let stopped_after = simulation.state().time / (1.0 - STOPPED);
    simulation.run(1.2 * time)?;
    let way = position(&simulation, 0) - start;
    let slid = DVec3::new(way.x, way.y, 0.0).length();
    Ok(Errors { distance: percent_off(slid, distance), time: percent_off(stopped_after, time) })
}
