//! Bodies that stick to a slope or slide on it, stacks on a slope, and balls that slide until they roll.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cuboid, Cylinder, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY, Reference};
use crate::random::Random;

/// Draws bodies on a slope.
pub fn draw(random: &mut Random) -> Result<Case> {
    let friction = random.between(0.05, 1.0);
    match random.below(4) {
        0 => {
            let share = random.between(0.0, 0.95);
            stack(random, friction, share)
        }
        1 => {
            let share = random.between(1.05, 1.5);
            slide(random, friction, share, 0.0)
        }
        2 => {
            let (share, speed) = (random.between(0.0, 0.8), random.between(0.5, 5.0));
            slide(random, friction, share, speed)
        }
        _ => ball(random, friction),
    }
}

/// Creates a slope whose inclination has `share` of the tangent at which bodies begin to slide. Returns its rotation.
fn slope(friction: f64, share: f64) -> (WorldBuilder, DQuat) {
    let tilt = DQuat::from_rotation_y(libm::atan(share * friction));
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(Pose::new(tilt, DVec3::ZERO)));
    (builder, tilt)
}

/// Flat boxes on top of each other, at rest. Each is too flat and too far inside the one below it to tip over.
fn stack(random: &mut Random, friction: f64, share: f64) -> Result<Case> {
    let (mut builder, tilt) = slope(friction, share);
    let boxes = 1 + random.below(6);
    let width = random.magnitude(0.1, 0.5);
    let density = random.density();
    let (mut height, mut mass, mut thinnest) = (0.0, 0.0, f64::INFINITY);
    let most = 0.15 / boxes as f64;
    for _ in 0..boxes {
        let half = width * DVec3::new(1.0, 1.0, random.between(0.5, 1.0) * most);
        let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(half)?));
        let collider = collider.with_density(density * random.magnitude(0.1, 10.0));
        mass += collider.shape.mass_properties(collider.density)?.mass;
        let aside = 0.1 * width * random.heading();
        builder.body("box", Pose::new(tilt, tilt * (aside + DVec3::Z * (height + half.z))), [collider])?;
        height += 2.0 * half.z;
        thinnest = thinnest.min(2.0 * half.z);
    }
    let what = format!("{boxes} boxes at rest at {:.0} % of friction {friction:.2}", 100.0 * share);
    let case = Case::dissipative(what, builder, mass * GRAVITY * width, thinnest)?;
    Ok(Case { rests_after: 0.0, walls: vec![(DVec3::ZERO, tilt * DVec3::Z)], ..case })
}

/// A flat box or disc that slides with an initial speed, perhaps spinning.
fn slide(random: &mut Random, friction: f64, share: f64, speed: f64) -> Result<Case> {
    let (mut builder, tilt) = slope(friction, share);
    let width = random.magnitude(0.05, 0.5);
    let thickness = 0.2 * width;
    let shape = if random.chance(0.5) {
        Shape::Cuboid(Cuboid::new(DVec3::new(width, width, thickness))?)
    } else {
        Shape::Cylinder(Cylinder::new(width, thickness)?)
    };
    let collider = ColliderSpec::new(shape).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    let body = builder.body("body", Pose::new(tilt, tilt * DVec3::Z * thickness), [collider])?;
    let spin = if random.chance(0.5) { random.between(-10.0, 10.0) } else { 0.0 };
    builder.set_velocity(body, Motion::new(tilt * DVec3::Z * spin, tilt * (speed * random.heading())));
    let what = format!("slides at {:.0} % of friction {friction:.2}, spin {spin:.1} rad/s", 100.0 * share);
    let scale = mass * (GRAVITY * width + 0.5 * speed * speed + 0.25 * (width * spin) * (width * spin));
    // How friction is distributed over a flat contact is not unique, so there is no reference for spinning.
    let case = Case::dissipative(what, builder, scale, 2.0 * thickness)?;
    Ok(Case { walls: vec![(DVec3::ZERO, tilt * DVec3::Z)], ..case })
}

/// A ball with spin that slides until it rolls.
fn ball(random: &mut Random, friction: f64) -> Result<Case> {
    let (mut builder, tilt) = slope(friction, if random.chance(0.5) { 0.0 } else { random.between(0.0, 2.0) });
    let radius = random.magnitude(0.05, 0.5);
    let collider = ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?)).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    let body = builder.body("ball", Pose::new(tilt, tilt * DVec3::Z * radius), [collider])?;
    let (spin, speed) = (random.between(0.0, 20.0) * random.direction(), random.between(0.0, 5.0));
    builder.set_velocity(body, Motion::new(spin, tilt * (speed * random.heading())));
    let scale = mass * (GRAVITY * radius + 0.5 * speed * speed + 0.2 * (radius * spin).length_squared());
    let what = format!("ball slides, then rolls, friction {friction:.2}");
    let case = Case::dissipative(what, builder, scale, radius)?.compared_with(Reference::Analytical);
    Ok(Case { walls: vec![(DVec3::ZERO, tilt * DVec3::Z)], ..case })
}

/// A box at rest on a slope of 80 % of the friction angle's tangent, simulated by the impulse paradigm.
pub fn box_on_slope() -> Result<Case> {
    let (mut builder, tilt) = slope(0.5, 0.8);
    let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.2, 0.2, 0.1))?));
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    builder.body("box", Pose::new(tilt, tilt * DVec3::Z * 0.1), [collider])?;
    let case = Case::dissipative("box below the friction angle".to_string(), builder, mass * GRAVITY * 0.2, 0.2)?;
    Ok(Case { rests_after: 1.0, paradigm: Paradigm::Impulse, seconds: Some(10.0), ..case })
}
