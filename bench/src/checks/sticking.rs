//! A block on a slope sticks below the angle `atan(mu)` and slides above.
//!
//! At an angle delta above it, the block slides `g (sin - mu cos) t^2 / 2` in the time t. A delta is valid if the block
//! slides at least half of that distance at `atan(mu) + delta`, and moves at most a tenth of it at `atan(mu) - delta`.

use anyhow::Result;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use glam::DVec3;

use super::scenes::{BLOCK_HEIGHT, GRAVITY, block, position, simulate, slope, tilt};

const SECONDS: f64 = 1.0;
const FRICTIONS: [f64; 3] = [0.2, 0.5, 0.8];
/// Tested values of delta in degrees, ascending.
const BRACKETS: [f64; 10] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// Returns the smallest delta that is valid for several friction coefficients, in degrees.
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

/// Returns the distance that the block moves, in m.
fn downhill(paradigm: Paradigm, step: f64, friction: f64, angle: f64) -> Result<f64> {
    let mut builder = slope(angle, friction);
    let start = tilt(angle) * DVec3::new(0.0, 0.0, BLOCK_HEIGHT);
    builder.body("block", Pose::new(tilt(angle), start), [block()?])?;
    let mut simulation = simulate(builder, paradigm, step)?;
    simulation.run(SECONDS)?;
    Ok((position(&simulation, 0) - start).dot(tilt(angle) * DVec3::X))
}
