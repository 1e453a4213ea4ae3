//! A block on a slope: it sticks below `atan(mu)` and slides above.
//!
//! At an angle delta above, it slides `g (sin - mu cos) t^2 / 2` in the time t; delta is bracketed where a block slides at
//! least half of that above, and moves at most a tenth of it below.

use anyhow::Result;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::stage::{BLOCK_HEIGHT, GRAVITY, block, position, simulate, slope, tilt};

const SECONDS: f64 = 1.0;
const FRICTIONS: [f64; 3] = [0.2, 0.5, 0.8];
/// In degrees, ascending.
const BRACKETS: [f64; 10] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// The narrowest bracket about `atan(mu)` that holds for several frictions, in degrees.
pub fn bracket(paradigm: Paradigm, step: f64) -> Result<f64> {
    let mut widest = 0.0_f64;
    for friction in FRICTIONS {
        let mut found = f64::INFINITY;
        for degrees in BRACKETS {
            if holds(paradigm, step, friction, degrees)? {
                found = degrees;
                break;
            }
        }
        widest = widest.max(found);
    }
    Ok(widest)
}

fn holds(paradigm: Paradigm, step: f64, friction: f64, degrees: f64) -> Result<bool> {
    let critical = libm::atan(friction);
    let (below, above) = (critical - degrees.to_radians(), critical + degrees.to_radians());
    let expected = 0.5 * GRAVITY * (libm::sin(above) - friction * libm::cos(above)) * SECONDS * SECONDS;
    Ok(downhill(paradigm, step, friction, below)?.abs() < 0.1 * expected
        && downhill(paradigm, step, friction, above)? > 0.5 * expected)
}

/// How far the block goes, in m.
fn downhill(paradigm: Paradigm, step: f64, friction: f64, angle: f64) -> Result<f64> {
    let mut builder = slope(angle, friction);
    let start = tilt(angle) * DVec3::new(0.0, 0.0, BLOCK_HEIGHT);
    builder.body("block", Pose::new(tilt(angle), start), [block()?])?;
    let mut simulation = simulate(builder, paradigm, step)?;
    simulation.run(SECONDS)?;
    Ok((position(&simulation, 0) - start).dot(tilt(angle) * DVec3::X))
}
