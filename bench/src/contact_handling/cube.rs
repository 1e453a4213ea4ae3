//! Figures 3.11 and 3.12 of 000: a cube falls a little and settles; then, for a minute, how far does it turn about the
//! vertical, and how far does it move? It falls askew: what falls flat meets the ground with all corners at once, and
//! nothing ever tells them apart.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3, EulerRot};

use super::{Handling, RATE, SETTLING, pose, simulate};

/// Half a side, in m.
const HALF: f64 = 0.25;
/// The middle of the cube at the start, in m.
const HEIGHT: f64 = 0.32;
/// About z, y and x, in rad.
const ASKEW: [f64; 3] = [0.3, 0.1, 0.07];

/// What a measurement found.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Since the cube had settled, in s.
    pub time: f64,
    /// About the vertical since then, in rad.
    pub rotation: f64,
    /// From where it was then, in m.
    pub offset: f64,
}

/// The minute of a cube.
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
        // From one measurement to the next, so that whole turns count.
        let turn = (now.rotation * last.rotation.inverse()).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        rotation += 2.0 * libm::atan2(turn.z, turn.w);
        moments.push(Moment { time, rotation, offset: (now.translation - settled.translation).length() });
        last = now;
    }
    Ok(moments)
}
