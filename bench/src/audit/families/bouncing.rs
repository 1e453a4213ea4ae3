//! Bouncing polyhedra: cubes, boxes and hulls thrown on the ground, with and without friction. Their motion is compared
//! with that in short steps until half a second after the first rebound.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material};
use glam::DVec3;

use crate::case::{Case, Energy, GRAVITY, Reference, ground, kinetic_energy};
use crate::random::Random;

/// Time after the first rebound for which motion is compared, in s.
const AFTER: f64 = 0.5;

/// Draws a polyhedron that falls on the ground.
pub fn draw(random: &mut Random) -> Result<Case> {
    let size = random.magnitude(0.05, 1.0);
    let shape = match random.below(3) {
        0 => Shape::Cuboid(Cuboid::new(DVec3::splat(0.3 * size))?),
        1 => {
            let half = DVec3::new(1.0, random.between(0.3, 1.0), random.between(0.3, 1.0));
            Shape::Cuboid(Cuboid::new(0.3 * size * half)?)
        }
        _ => {
            let stretch = DVec3::new(1.0, random.between(0.4, 1.0), random.between(0.4, 1.0));
            let count = 8 + random.below(35);
            let points: Vec<DVec3> = (0..count).map(|_| 0.5 * size * stretch * random.direction()).collect();
            Shape::Polyhedron(Arc::new(Polyhedron::hull(&points)?))
        }
    };
    let restitution = if random.chance(0.25) { 1.0 } else { random.between(0.2, 1.0) };
    let friction = if random.chance(0.5) { 0.0 } else { random.between(0.1, 1.0) };
    let mut builder = ground(friction);
    builder.default_material(Material { friction, restitution, ..Material::default() });
    let kind = shape.kind();
    let collider = ColliderSpec::new(shape).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?;
    let (height, orientation) = (size * random.between(1.0, 3.0), random.rotation());
    let body = builder.body("body", Pose::new(orientation, DVec3::Z * height), [collider])?;
    let spin = random.between(0.0, 15.0) * random.direction();
    let velocity = random.between(0.0, 3.0) * random.heading() + DVec3::Z * random.between(-2.0, 1.0);
    builder.set_velocity(body, Motion::new(spin, velocity));
    // The centre of mass of a hull is not at its origin.
    let height = height + (orientation * mass.center_of_mass).z;
    let scale = kinetic_energy(&mass, orientation, spin, velocity) + mass.mass * GRAVITY * height;
    let what = format!("{kind} is thrown, restitution {restitution:.2}, friction {friction:.2}");
    let case = Case::dissipative(what, builder, scale, 0.4 * size)?.on_ground();
    let energy = if restitution == 1.0 && friction == 0.0 { Energy::Conserved } else { Energy::Dissipated };
    // The first rebound is before the centre would reach the ground.
    let fall = (velocity.z + (velocity.z * velocity.z + 2.0 * GRAVITY * height).sqrt()) / GRAVITY;
    Ok(Case { energy, ..case }.compared_with(Reference::Fine(fall + AFTER)))
}
