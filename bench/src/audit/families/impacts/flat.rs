//! Boxes and cylinders that fall flat on the ground, and bars that fall flat on two posts. They do not turn, and bounce
//! like a point.

use anyhow::Result;
use burgess_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3};

use super::{energy, restitution};
use crate::case::{Case, GRAVITY};
use crate::law::Law;
use crate::random::Random;

/// Height of a bounce at which a body is at rest, as a share of the first.
const RESTS: f64 = 1e-9;

/// Draws a body that falls flat.
pub fn draw(random: &mut Random) -> Result<Case> {
    let restitution = restitution(random);
    let friction = random.between(0.0, 1.0);
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, restitution, ..Material::default() });
    let size = random.magnitude(0.05, 0.5);
    let turn = DQuat::from_rotation_z(random.between(-3.0, 3.0));
    // The shape, its rotation in the body, half its height and half its length along x.
    let lies = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    let (shape, rotation, half, length) = match random.below(5) {
        0 => (Shape::Cuboid(Cuboid::new(DVec3::splat(size))?), DQuat::IDENTITY, size, size),
        1 => {
            let half = size * DVec3::new(1.0, random.between(0.3, 1.0), random.between(0.2, 1.0));
            (Shape::Cuboid(Cuboid::new(half)?), DQuat::IDENTITY, half.z, size)
        }
        2 => (Shape::Cylinder(Cylinder::new(size, 0.5 * size)?), DQuat::IDENTITY, 0.5 * size, size),
        3 => (Shape::Cuboid(Cuboid::new(size * DVec3::new(1.0, 0.1, 0.1))?), DQuat::IDENTITY, 0.1 * size, size),
        _ => (Shape::Capsule(Capsule::new(0.1 * size, 0.9 * size)?), lies, 0.1 * size, 0.9 * size),
    };
    let is_bar = half < 0.15 * size;
    if is_bar {
        // Two posts below points at the same distance from the middle.
        let aside = length * random.between(0.3, 0.9);
        for side in [-1.0, 1.0] {
            let post = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.05 * size, 0.3 * size, size))?));
            builder.fixed(post.at(Pose::new(turn, turn * DVec3::X * (side * aside) - DVec3::Z * size)));
        }
    } else {
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    }
    let collider = ColliderSpec::new(shape).at(Pose::new(rotation, DVec3::ZERO)).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    let height = size * random.between(0.5, 4.0);
    let kind = collider.shape.kind();
    let body = builder.body("body", Pose::new(turn, DVec3::Z * (half + height)), [collider])?;
    let supports = if is_bar { "two posts" } else { "the ground" };
    let what = format!("{kind} falls flat on {supports}, restitution {restitution:.2}, friction {friction:.2}");
    let case = Case::dissipative(what, builder, mass * GRAVITY * height, 2.0 * half)?;
    let case = Case { energy: energy(restitution), ..case };
    let offsets = [DVec3::ZERO, DVec3::X * size, DVec3::Y * size];
    let points = offsets.iter().map(|offset| (case.index(body), *offset)).collect();
    let course = move |time: f64| {
        let middle = DVec3::Z * (half + bounced(height, restitution, time));
        Some(offsets.iter().map(|offset| middle + turn * *offset).collect())
    };
    Ok(case.with_law(Law::course(points, 2.0 * half, course)).until(10.0))
}

/// Returns the height (m) of a point at a time (s) that falls from a height and bounces.
fn bounced(height: f64, restitution: f64, time: f64) -> f64 {
    let fall = (2.0 * height / GRAVITY).sqrt();
    if time < fall {
        return height - 0.5 * GRAVITY * time * time;
    }
    let (mut left, mut speed) = (time - fall, restitution * GRAVITY * fall);
    while speed * speed > RESTS * 2.0 * GRAVITY * height {
        let flight = 2.0 * speed / GRAVITY;
        if left < flight {
            return left * (speed - 0.5 * GRAVITY * left);
        }
        left -= flight;
        speed *= restitution;
    }
    0.0
}
