//! Bouncing balls: 7 x 7 elastic balls of radius 0.1 m and 10 kg without friction, dropped from a height of 5 m, for 20
//! s.

use anyhow::Result;
use burgess_geometry::shape::{HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::DVec3;

use super::sixsixsix::{DENSITY, RADIUS};
use super::{Simulate, time_mean};

const SECONDS: f64 = 20.0;

/// Returns the time mean of the squared error of the total energy, in J^2.
pub fn bouncing(simulate: &Simulate) -> Result<f64> {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.0, restitution: 1.0, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let place = DVec3::new(2.0 * f64::from(i), 2.0 * f64::from(j), 5.0);
        let shape = ColliderSpec::new(Shape::Sphere(Sphere::new(RADIUS)?)).with_density(DENSITY);
        builder.body("ball", Pose::from_translation(place), [shape])?;
    }
    let (world, state) = builder.build()?;
    let mut simulation = simulate(world, state)?;
    let energy = simulation.energy();
    time_mean(&mut simulation, SECONDS, |simulation| {
        let error = simulation.energy() - energy;
        error * error
    })
}
