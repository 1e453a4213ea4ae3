//! Fontijne (2000) figures 3.11 and 3.12: a cube falls a short distance and settles; then its rotation about the
//! vertical and its displacement are measured for a minute. The cube is tilted at the start, because a cube that falls
//! flat hits the ground with all corners simultaneously and stays symmetric.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3, EulerRot};

use super::{Handling, RATE, SETTLING, pose, simulate};

/// Half the side of the cube, in m.
const HALF: f64 = 0.25;
/// Centre of the cube at the start, in m.
const HEIGHT: f64 = 0.32;
/// Initial rotations about z, y and x, in rad.
const ASKEW: [f64; 3] = [0.3, 0.1, 0.07];

/// A measurement.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Time since settling, in s.
    pub time: f64,
    /// Rotation about the vertical since settling, in rad.
    pub rotation: f64,
    /// Displacement since settling, in m.
    pub offset: f64,
}

/// Simulates the cube and returns all measurements.
pub fn cube(handling: Handling, seconds: f64) -> Result<Vec<Moment>> {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.5, restitution: 0.2, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let [z, y, x] = ASKEW;
    let start = Pose::new(DQuat::from_euler(EulerRot::ZYX, z, y, x), DVec3::Z * HEIGHT);
    builder.body("cube", start, [ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(HALF))?))])?;
    let (world, state) = builder.build()?;
    let mut simulation = simulate(world, state, handling)?;
    simulation.run(SETTLING)?;
    let settled = pose(&simulation, 0);
    let (mut last, mut rotation) = (settled, 0.0);
    let mut moments = vec![Moment { time: 0.0, rotation, offset: 0.0 }];
    for sample in 1..=(seconds * RATE) as u32 {
        let time = f64::from(sample) / RATE;
        simulation.run(SETTLING + time)?;
        let now = pose(&simulation, 0);
        // Sum of the rotations between measurements, so that full turns count.
        let turn = (now.rotation * last.rotation.inverse()).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        rotation += 2.0 * libm::atan2(turn.z, turn.w);
        moments.push(Moment { time, rotation, offset: (now.translation - settled.translation).length() });
        last = now;
    }
    Ok(moments)
}
