//! The experiments of 000 section 3.11.1: does a body at rest stay where it is when all contact is a train of impulses?
//! With impulses at the closest points alone ([`ContactPoints::Closest`], the standard of 003) and at tracked ones
//! ([`ContactPoints::Tracked`], the improvement of 000 section 3.10), for three thicknesses of the collision envelope.

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

/// Length of a step, in s; impulses act within it, whenever they have to.
pub const STEP: f64 = 1.0 / 240.0;
/// Measurements a second.
pub const RATE: f64 = 10.0;
/// Before anything is measured, in s.
pub const SETTLING: f64 = 5.0;

/// How contacts are handled.
#[derive(Debug, Clone, Copy)]
pub struct Handling {
    /// Thickness of the envelope as a share of the size of the smallest body.
    pub epsilon: f64,
    /// Where impulses act.
    pub points: ContactPoints,
}

/// The six of the experiments: standard ones, then improved ones, the thickest envelope first.
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

/// Where a free body is.
fn pose(simulation: &Simulation, link: usize) -> Pose {
    let (q, at) = (&simulation.state().q, simulation.world().model().links()[link].q);
    Pose::new(DQuat::from_slice(&q[at + 3..]), DVec3::from_slice(&q[at..]))
}

/// The angle of the turn from one orientation to another, in rad; accurate for small ones, too.
fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let turn = a * b.inverse();
    2.0 * libm::atan2(turn.xyz().length(), turn.w.abs())
}
