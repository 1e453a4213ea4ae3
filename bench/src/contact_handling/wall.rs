//! Fontijne (2000) table 3.4: the sum over all bricks of a wall, ten times per second, of their rotations and
//! displacements since the last measurement; and the same wall simulated by time stepping.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};

use super::{Handling, RATE, SETTLING, angle_between, pose, simulate};
use crate::duel::processor_seconds;
use crate::standing::{Burgess, DENSITY, FRICTION, STEP, Scene, Standing};

/// Measured stability of a wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stability {
    /// Sum of all rotations, in rad.
    pub rotation: f64,
    /// Sum of all displacements, in m.
    pub offset: f64,
    /// Number of impulses.
    pub impulses: usize,
    /// Processor time, in s.
    pub time: f64,
}

/// Measures the wall of `wall-34` for some seconds after settling.
pub fn wall(handling: Handling, seconds: f64) -> Result<Stability> {
    let scene = Scene::wall();
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: FRICTION, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    for block in &scene.blocks {
        let shape = ColliderSpec::new(Shape::Cuboid(Cuboid::new(block.half_extents)?)).with_density(DENSITY);
        builder.body("brick", Pose::from_translation(block.center), [shape])?;
    }
    let (world, state) = builder.build()?;
    let mut simulation = simulate(world, state, handling)?;
    simulation.run(SETTLING)?;
    let poses = |simulation: &_| -> Vec<Pose> { (0..scene.blocks.len()).map(|link| pose(simulation, link)).collect() };
    let mut last = poses(&simulation);
    let mut stability = Stability::default();
    let start = processor_seconds();
    for sample in 1..=(seconds * RATE) as u32 {
        let end = SETTLING + f64::from(sample) / RATE;
        while simulation.state().time < end - 0.5 * simulation.step_length() {
            simulation.step()?;
            stability.impulses += simulation.statistics().impulses;
        }
        let now = poses(&simulation);
        for (now, last) in now.iter().zip(&last) {
            stability.rotation += angle_between(now.rotation, last.rotation);
            stability.offset += (now.translation - last.translation).length();
        }
        last = now;
    }
    stability.time = processor_seconds() - start;
    Ok(stability)
}

/// Simulates the wall by time stepping without sleeping for some seconds; returns the largest displacement of a brick,
/// in lengths of a brick.
pub fn held_wall(seconds: f64) -> Result<f64> {
    let scene = Scene::wall();
    let length = 2.0 * scene.blocks.iter().map(|block| block.half_extents.max_element()).fold(0.0, f64::max);
    let mut wall = Burgess::new(&scene)?;
    let mut farthest = 0.0_f64;
    for _ in 0..(seconds / STEP) as u32 {
        wall.step()?;
    }
    for (block, pose) in scene.blocks.iter().zip(wall.poses()) {
        farthest = farthest.max((pose.translation - block.center).length());
    }
    Ok(farthest / length)
}
