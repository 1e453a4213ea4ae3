//! Physics checks: scenes with a closed-form result, and the error of a simulation.
//!
//! Each check takes a [`Paradigm`] and a time step, and returns the largest error in its own unit. The checks depend
//! only on the simulator, so its tests use them, too.

mod bounce;
mod cradle;
mod creep;
mod isotropy;
mod rolling;
mod scenes;
mod sliding;
mod sticking;
mod turntable;

use anyhow::Result;
use burgess_paradigms::Paradigm;

pub use cradle::{BALLS, end_velocities, end_velocities_of_simultaneous_impulses};

/// Largest time step for which errors must be at most 0.1 %, in s.
const SHORT_STEP: f64 = 1e-3;

/// A check.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// Name in tables.
    pub name: &'static str,
    /// Description of the closed form.
    pub expected: &'static str,
    /// Unit of the error.
    pub unit: &'static str,
    /// Returns the largest error that passes for a time step in s.
    pub bound: fn(f64) -> f64,
    /// Runs the check and returns the error.
    pub run: fn(Paradigm, f64) -> Result<f64>,
}

/// Bound of errors of motion in percent: 0.1 for steps up to 1 ms, 0.5 for longer ones.
fn bound_of_motion(step: f64) -> f64 {
    if step <= SHORT_STEP { 0.1 } else { 0.5 }
}

/// All checks, in table order.
pub const CHECKS: [Check; 10] = [
    Check {
        name: "stick or slide on a slope",
        expected: "sticks below atan(mu) and slides above",
        unit: "degrees",
        bound: |_| 0.05,
        run: sticking::bracket,
    },
    Check {
        name: "sliding, distance",
        expected: "v^2 / (2 mu g)",
        unit: "%",
        bound: bound_of_motion,
        run: |paradigm, step| Ok(sliding::errors(paradigm, step)?.distance),
    },
    Check {
        name: "sliding, time",
        expected: "v / (mu g)",
        unit: "%",
        bound: bound_of_motion,
        run: |paradigm, step| Ok(sliding::errors(paradigm, step)?.time),
    },
    Check {
        name: "sliding in 24 directions",
        expected: "the same in all, and straight",
        unit: "%",
        bound: |_| 0.1,
        run: isotropy::spread,
    },
    Check {
        name: "bounce heights",
        expected: "e^2 h for e from 0.2 to 1",
        unit: "%",
        bound: |_| 0.5,
        run: bounce::heights,
    },
    Check {
        name: "rolling sphere",
        expected: "g sin / (1 + 2/5)",
        unit: "%",
        bound: bound_of_motion,
        run: rolling::sphere,
    },
    Check {
        name: "rolling cylinder",
        expected: "g sin / (1 + 1/2)",
        unit: "%",
        bound: bound_of_motion,
        run: rolling::cylinder,
    },
    Check {
        name: "sphere on a turntable",
        expected: "circles with 2/7 of its rate",
        unit: "%",
        bound: bound_of_motion,
        run: turntable::circle,
    },
    Check {
        name: "Newton's cradle",
        expected: "the last ball alone leaves",
        unit: "% of the blow",
        bound: |_| 0.1,
        run: cradle::error,
    },
    Check {
        name: "no creep in 60 s at 90 % of the cone",
        expected: "nothing moves",
        unit: "um",
        bound: |_| 1.0,
        run: creep::displacement,
    },
];
