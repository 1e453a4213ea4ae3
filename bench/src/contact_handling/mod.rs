//! The experiments of Fontijne (2000) section 3.11.1: drift of bodies at rest if all contacts are series of impulses.
//! Impulses act only at the closest points ([`ContactPoints::Closest`], as in Mirtich and Canny (1995)) or at tracked
//! points ([`ContactPoints::Tracked`], Fontijne (2000) section 3.10), for three thicknesses of the collision envelope.

mod cube;
mod wall;

use anyhow::Result;
use burgess_dynamics::State;
use burgess_geometry::Pose;
use burgess_paradigms::{ContactPoints, ImpulseSettings, impulse};
use burgess_simulation::{Simulation, World};
use glam::{DQuat, DVec3};

pub use cube::{Moment, cube};
pub use wall::{Stability, held_wall, wall};

/// Time step, in s; impulses act at any time within it.
pub const STEP: f64 = 1.0 / 240.0;
/// Measurements per second.
pub const RATE: f64 = 10.0;
/// Settling time before the measurements, in s.
pub const SETTLING: f64 = 5.0;

/// Settings of contact handling.
#[derive(Debug, Clone, Copy)]
pub struct Handling {
    /// Thickness of the envelope, relative to the size of the smallest body.
    pub epsilon: f64,
    /// Points at which impulses act.
    pub points: ContactPoints,
}

/// The six settings of the experiments: standard, then improved, each with the thickest envelope first.
pub const HANDLINGS: [Handling; 6] = [
    Handling { epsilon: 0.1, points: ContactPoints::Closest },
    Handling { epsilon: 0.01, points: ContactPoints::Closest },
    Handling { epsilon: 0.001, points: ContactPoints::Closest },
    Handling { epsilon: 0.1, points: ContactPoints::Tracked },
    Handling { epsilon: 0.01, points: ContactPoints::Tracked },
    Handling { epsilon: 0.001, points: ContactPoints::Tracked },
];

fn simulate(world: World, state: State, handling: Handling) -> Result<Simulation> {
    let settings =
        ImpulseSettings { epsilon_share: handling.epsilon, points: handling.points, ..ImpulseSettings::default() };
    Ok(impulse(world, state, STEP, settings)?)
}

/// Returns the pose of a free body.
fn pose(simulation: &Simulation, link: usize) -> Pose {
    let (q, at) = (&simulation.state().q, simulation.world().model().links()[link].q);
    Pose::new(DQuat::from_slice(&q[at + 3..]), DVec3::from_slice(&q[at..]))
}

/// Returns the angle between two orientations in rad; accurate also for small angles.
fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let turn = a * b.inverse();
    2.0 * libm::atan2(turn.xyz().length(), turn.w.abs())
}
