//! Tumbling polyhedra and other solids: without contacts, bouncing without loss, or coming to rest on the ground.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Capsule, Cuboid, Cylinder, Sphere};
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::DVec3;

use crate::case::{Case, Energy, GRAVITY, Reference, ground, kinetic_energy};
use crate::random::Random;

/// Draws a tumbling solid.
pub fn draw(random: &mut Random) -> Result<Case> {
    let size = random.magnitude(0.05, 1.0);
    let collider = if random.chance(0.6) { hull(random, size)? } else { solid(random, size)? };
    let collider = collider.with_density(random.density());
    match random.below(4) {
        0 => floating(random, collider, size),
        1 => bouncing(random, collider, size, 1.0, 0.0),
        _ => {
            let (restitution, friction) = (random.between(0.0, 0.8), random.between(0.0, 1.0));
            bouncing(random, collider, size, restitution, friction)
        }
    }
}

/// A body that nothing touches, without gravity.
fn floating(random: &mut Random, collider: ColliderSpec, size: f64) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let kind = collider.shape.kind();
    let body = builder.body("body", Pose::new(random.rotation(), DVec3::ZERO), [collider])?;
    let spin = random.between(1.0, 20.0);
    builder.set_velocity(body, Motion::new(spin * random.direction(), random.direction()));
    let case = Case::conservative(format!("{kind} floats, {spin:.1} rad/s"), builder, 1.0, size)?;
    // Its energy of translation cannot change into rotation.
    let moving = 0.5 * case.world.model().mass();
    let energy_scale = case.initial_energy()? - moving;
    Ok(Case { energy_scale, floats: true, ..case }.compared_with(Reference::RungeKutta))
}

/// A body that falls on the ground.
fn bouncing(random: &mut Random, collider: ColliderSpec, size: f64, restitution: f64, friction: f64) -> Result<Case> {
    let mut builder = ground(friction);
    builder.default_material(Material { friction, restitution, ..Material::default() });
    let kind = collider.shape.kind();
    let mass = collider.shape.mass_properties(collider.density)?;
    let height = size * random.between(1.5, 4.0);
    let orientation = random.rotation();
    let body = builder.body("body", Pose::new(orientation, DVec3::Z * height), [collider])?;
    let (spin, velocity) =
        (random.between(0.0, 20.0) * random.direction(), random.between(0.0, 3.0) * random.heading());
    builder.set_velocity(body, Motion::new(spin, velocity));
    let scale = kinetic_energy(&mass, orientation, spin, velocity) + mass.mass * GRAVITY * height;
    let what = format!("{kind} falls, restitution {restitution:.2}, friction {friction:.2}");
    let case = Case::dissipative(what, builder, scale, size)?.on_ground();
    let energy = if restitution == 1.0 && friction == 0.0 { Energy::Conserved } else { Energy::Dissipated };
    Ok(Case { energy, ..case })
}

/// Returns a random polyhedron within a ball of half the size.
fn hull(random: &mut Random, size: f64) -> Result<ColliderSpec> {
    let stretch = DVec3::new(1.0, random.between(0.4, 1.0), random.between(0.4, 1.0));
    let count = 6 + random.below(16);
    let points: Vec<DVec3> = (0..count).map(|_| 0.5 * size * stretch * random.direction()).collect();
    Ok(ColliderSpec::new(Shape::Polyhedron(Arc::new(Polyhedron::hull(&points)?))))
}

/// Returns a ball, box, capsule or cylinder within a ball of half the size.
pub fn solid(random: &mut Random, size: f64) -> Result<ColliderSpec> {
    let shape = match random.below(5) {
        0 => Shape::Sphere(Sphere::new(0.5 * size)?),
        1 | 2 => {
            let half = DVec3::new(1.0, random.between(0.4, 1.0), random.between(0.4, 1.0));
            Shape::Cuboid(Cuboid::new(half * 0.28 * size)?)
        }
        3 => Shape::Capsule(Capsule::new(0.2 * size, 0.3 * size)?),
        _ => Shape::Cylinder(Cylinder::new(0.3 * size, random.between(0.1, 0.35) * size)?),
    };
    Ok(ColliderSpec::new(shape))
}
