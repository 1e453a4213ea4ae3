//! Discs, truncated cones and coins that wobble on their rim: near the steady precession in which the centre of mass
//! stays in place, rolling or without friction. Nothing dissipates.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Convex, Cylinder, Frustum};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::ColliderSpec;
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY, ground, kinetic_energy};
use crate::random::Random;

/// Friction of discs that roll, large enough that none of them slips.
const ROUGH: f64 = 5.0;

/// Draws a disc that wobbles.
pub fn draw(random: &mut Random) -> Result<Case> {
    let radius = random.magnitude(0.03, 0.3);
    let half_length = radius * random.between(0.02, 0.15);
    let shape = if random.chance(0.6) {
        Shape::Cylinder(Cylinder::new(radius, half_length)?)
    } else {
        Shape::Frustum(Frustum::new(radius, radius * random.between(0.5, 0.9), half_length)?)
    };
    let mass = shape.mass_properties(random.density())?;
    let angle = random.between(0.2, 0.7);
    // The rim at the bottom touches the ground, below the x axis of the disc.
    let tilt = DQuat::from_rotation_z(random.between(-3.0, 3.0)) * DQuat::from_rotation_y(angle);
    let lowest = tilt * support(&shape, tilt.inverse() * DVec3::NEG_Z);
    let arm = tilt * mass.center_of_mass - lowest;
    // Steady precession of a thin disc: its angular velocity is along the diameter through the contact.
    let (sin, _) = libm::sincos(angle);
    let rate = (4.0 * GRAVITY * sin / radius).sqrt() * random.between(0.9, 1.1);
    let spin = tilt * DVec3::new(rate, rate * random.between(-0.05, 0.05), rate * random.between(-0.05, 0.05));
    let friction = if random.chance(0.6) { ROUGH } else { 0.0 };
    let rolling = spin.cross(arm);
    let velocity = if friction > 0.0 { rolling } else { DVec3::Z * rolling.z };
    let mut builder = ground(friction);
    let kind = shape.kind();
    let body =
        builder.link("disc", None, burgess_dynamics::JointSpec::free(), Some(mass), [ColliderSpec::new(shape)])?;
    builder.set_pose(body, Pose::new(tilt, DVec3::Z * -lowest.z));
    builder.set_velocity(body, Motion::new(spin, velocity));
    let scale = kinetic_energy(&mass, tilt, spin, velocity) + mass.mass * GRAVITY * (arm.z - half_length);
    let what = format!("{kind} on its rim at {angle:.2} rad, {}", if friction > 0.0 { "rolls" } else { "no friction" });
    let case = Case::conservative(what, builder, scale, radius)?.on_ground();
    Ok(Case { can_lift: true, ..case })
}

fn support(shape: &Shape, direction: DVec3) -> DVec3 {
    match shape {
        Shape::Cylinder(cylinder) => cylinder.support(direction),
        Shape::Frustum(frustum) => frustum.support(direction),
        _ => DVec3::ZERO,
    }
}
