//! A row of bodies between a fixed jaw and one on a slide that a motor presses against them. Both jaws press with the
//! force F of the motor, so friction 2 mu F carries the weight m g, or the row falls with g - 2 mu F / m.

use anyhow::Result;
use burgess_dynamics::{AxisProperties, JointSpec, LinkId, Motor};
use burgess_geometry::shape::{Cuboid, Cylinder, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use super::{HELD, outcome, with_outcome};
use crate::case::{Case, GRAVITY};
use crate::random::Random;

/// Distance that a row falls at most while its fall is known, in m, and time that it takes at most, in s.
const FALL: (f64, f64) = (0.4, 0.6);

/// Draws a row of one to four bodies.
pub fn draw(random: &mut Random, share: f64) -> Result<Case> {
    let friction = random.between(0.2, 1.0);
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    let count = if random.chance(0.5) { 1 } else { 2 + random.below(3) };
    let half = random.magnitude(0.02, 0.1);
    // The line of pressure of a row sags by mu L / 4 at most, where L is its length. It must stay within the row.
    let tall = (0.5 * friction * count as f64).max(random.between(0.6, 1.2)) * half;
    let deep = random.between(0.5, 1.0) * half;
    let (shape, turn) = match random.below(if count == 1 { 4 } else { 1 }) {
        0 | 1 => (Shape::Cuboid(Cuboid::new(DVec3::new(half, deep, tall))?), DQuat::IDENTITY),
        2 => (Shape::Cylinder(Cylinder::new(tall, half)?), DQuat::from_rotation_y(core::f64::consts::FRAC_PI_2)),
        _ => (Shape::Sphere(Sphere::new(half)?), DQuat::IDENTITY),
    };
    let kind = shape.kind();
    let density = random.density();
    let mut bodies: Vec<(LinkId, DVec3)> = Vec::new();
    let mut mass = 0.0;
    for index in 0..count {
        let collider = ColliderSpec::new(shape.clone()).at(Pose::new(turn, DVec3::ZERO)).with_density(density);
        mass += collider.shape.mass_properties(density)?.mass;
        let center = DVec3::X * half * (2.0 * index as f64 + 1.0);
        bodies.push((builder.body("body", Pose::from_translation(center), [collider])?, center));
    }
    let force = 0.5 * share * mass * GRAVITY / friction;
    jaws(random, &mut builder, 2.0 * half * count as f64, (force, half, mass))?;
    let fall = GRAVITY * (1.0 - share);
    let what = format!("vice with {count} bodies ({kind}), {}", outcome(share));
    let size = 2.0 * half.min(deep).min(tall);
    let case = Case::dissipative(what, builder, mass * GRAVITY * size, size)?;
    let seconds = if share > 1.0 { HELD } else { (2.0 * FALL.0 / fall).sqrt().min(FALL.1) };
    Ok(with_outcome(case, &bodies, (share, kind == "sphere"), move |time| DVec3::NEG_Z * (0.5 * fall * time * time))
        .until(seconds))
}

/// Adds a fixed jaw that ends at x = 0 and one on a slide that begins at `width` (m). A motor presses with a force (N),
/// which is constant, or that of a servo at rest.
fn jaws(
    random: &mut Random,
    builder: &mut WorldBuilder,
    width: f64,
    (force, half, mass): (f64, f64, f64),
) -> Result<()> {
    let jaw = || -> Result<ColliderSpec> {
        Ok(ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(half, 2.0 * half, 1.0))?)))
    };
    builder.fixed(jaw()?.at(Pose::from_translation(DVec3::NEG_X * half)));
    let motor = match random.below(3) {
        0 => Motor::Effort(-force),
        1 => Motor::Velocity { target: -0.1, gain: 10.0 * force },
        _ => {
            let target = -half * random.magnitude(0.1, 2.0);
            Motor::Position { target, stiffness: -force / target, damping: random.between(0.0, 0.2) * force }
        }
    };
    let joint = JointSpec::prismatic(DVec3::X).with(AxisProperties { motor, ..AxisProperties::default() });
    let joint = joint.in_parent(Pose::from_translation(DVec3::X * (width + half)));
    let own = MassProperties::new(mass * random.magnitude(0.1, 10.0), DVec3::ZERO, DMat3::IDENTITY)?;
    builder.link("jaw", None, joint, Some(own), [jaw()?])?;
    Ok(())
}
