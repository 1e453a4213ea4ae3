//! Heaps: bodies of several shapes that fall into a pit with four walls.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::HalfSpace;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3};

use super::polyhedra::solid;
use crate::case::{Case, GRAVITY};
use crate::random::Random;

/// Draws a heap.
pub fn draw(random: &mut Random) -> Result<Case> {
    let bodies = 3 + random.below(13);
    let size = random.magnitude(0.05, 0.5);
    let mut builder = WorldBuilder::new();
    let restitution = if random.chance(0.5) { 0.0 } else { random.between(0.0, 0.8) };
    builder.default_material(Material { friction: random.between(0.0, 1.0), restitution, ..Material::default() });
    let half = size * random.between(1.5, 3.0);
    let mut walls = vec![(DVec3::ZERO, DVec3::Z)];
    walls.extend([DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y].map(|inward| (-half * inward, inward)));
    for (point, normal) in &walls {
        let pose = Pose::new(DQuat::from_rotation_arc(DVec3::Z, *normal), *point);
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(pose));
    }
    let density = random.density();
    let mut scale = 0.0;
    let mut smallest = f64::INFINITY;
    for body in 0..bodies {
        let own = size * random.between(0.5, 1.0);
        smallest = smallest.min(own);
        let collider = solid(random, own)?.with_density(density * random.magnitude(0.3, 3.0));
        let mass = collider.shape.mass_properties(collider.density)?.mass;
        // One above the other, so that nothing overlaps.
        let height = size * (1.0 + 2.0 * body as f64);
        let aside = 0.5 * (half - size) * random.between(-1.0, 1.0) * random.heading();
        let pose = Pose::new(random.rotation(), aside + DVec3::Z * height);
        let link = builder.body("body", pose, [collider])?;
        let velocity = random.between(0.0, 1.0) * random.direction();
        let spin = random.between(0.0, 10.0) * random.direction();
        builder.set_velocity(link, Motion::new(spin, velocity));
        scale += mass * (GRAVITY * height + 0.5 * velocity.length_squared() + 0.1 * (own * spin).length_squared());
    }
    let what = format!("{bodies} bodies, restitution {restitution:.2}");
    Ok(Case { walls, ..Case::dissipative(what, builder, scale, smallest)? })
}

/// A cube of 1000 kg on one of 1 kg, simulated by the analytical paradigm. Nothing moves.
pub fn heavy_on_light() -> Result<Case> {
    let mut builder = crate::case::ground(0.5);
    for (index, density) in [1e3, 1e6].into_iter().enumerate() {
        let cube = burgess_geometry::shape::Cuboid::new(DVec3::splat(0.05))?;
        let collider = ColliderSpec::new(Shape::Cuboid(cube)).with_density(density);
        builder.body("cube", Pose::from_translation(DVec3::Z * (0.05 + 0.1 * index as f64)), [collider])?;
    }
    let what = "cube of 1000 kg on one of 1 kg".to_string();
    let case = Case::dissipative(what, builder, 1001.0 * GRAVITY * 0.1, 0.1)?.on_ground();
    Ok(Case { rests_after: 0.0, paradigm: burgess_paradigms::Paradigm::Analytical, ..case })
}
