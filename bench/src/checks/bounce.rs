//! A ball that falls from height h with restitution e rebounds to `e^2 h`.

use anyhow::{Result, ensure};
use burgess_geometry::shape::{HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::DVec3;

use super::scenes::{percent_off, position, simulate, velocity};

const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.1;
const RESTITUTIONS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// Returns the largest error of a height, in percent.
pub fn heights(paradigm: Paradigm, step: f64) -> Result<f64> {
    let mut largest = 0.0_f64;
    for restitution in RESTITUTIONS {
        let expected = restitution * restitution * HEIGHT;
        largest = largest.max(percent_off(height(paradigm, step, restitution)?, expected));
    }
    Ok(largest)
}

/// Returns the maximum height after the first bounce at the ends of steps, in m.
fn height(paradigm: Paradigm, step: f64, restitution: f64) -> Result<f64> {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.4, restitution, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(RADIUS)?));
    builder.body("ball", Pose::from_translation(DVec3::Z * (HEIGHT + RADIUS)), [ball])?;
    let mut simulation = simulate(builder, paradigm, step)?;
    let (mut highest, mut rises) = (0.0_f64, false);
    while !rises || velocity(&simulation, 0).z > 0.0 {
        simulation.step()?;
        rises |= velocity(&simulation, 0).z > 0.0;
        if rises {
            highest = highest.max(position(&simulation, 0).z - RADIUS);
        }
        ensure!(simulation.state().time < 3.0, "the ball does not rebound");
    }
    Ok(highest)
}
