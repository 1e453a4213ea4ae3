//! Tops: on a fixed point, or balls with their mass off centre on the axis of spin, which roll or slip.

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ColliderSpec, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, GRAVITY, Jellett, Reference, ground, kinetic_energy};
use crate::random::Random;

/// Friction of tops that roll.
const ROUGH: f64 = 5.0;

/// Draws a top.
pub fn draw(random: &mut Random) -> Result<Case> {
    match random.below(3) {
        0 => on_a_point(random),
        1 => ball(random, ROUGH),
        _ => {
            let friction = random.magnitude(0.02, 0.5);
            ball(random, friction)
        }
    }
}

/// A heavy symmetric top that turns about a fixed point.
fn on_a_point(random: &mut Random) -> Result<Case> {
    let (mass, height) = (random.magnitude(0.1, 50.0), random.magnitude(0.05, 0.5));
    let (radius, spin) = (height * random.between(0.3, 1.5), random.between(-20.0, 20.0));
    let (axial, lateral) = (0.5 * mass * radius * radius, 0.3 * mass * radius * radius);
    let properties =
        MassProperties::new(mass, DVec3::Z * height, DMat3::from_diagonal(DVec3::new(lateral, lateral, axial)))?;
    let orientation = DQuat::from_rotation_x(random.between(0.1, 2.5));
    let mut builder = WorldBuilder::new();
    let joint = JointSpec::spherical().in_parent(Pose::new(orientation, DVec3::ZERO));
    let link = builder.link("top", None, joint, Some(properties), [])?;
    // Velocities of a spherical joint are along the axes of the link.
    let slow = random.between(-3.0, 3.0);
    builder.set_joint_velocities(link, &[slow, 0.0, spin]);
    let about = properties.inertia_about(DVec3::ZERO);
    let turning = DVec3::new(slow, 0.0, spin);
    let kinetic = 0.5 * turning.dot(about * turning);
    let scale = kinetic + mass * GRAVITY * height * ((orientation * DVec3::Z).z + 1.0);
    let what = format!("top on a point, {spin:.1} rad/s");
    Ok(Case::conservative(what, builder, scale, height)?.compared_with(Reference::RungeKutta))
}

fn ball(random: &mut Random, friction: f64) -> Result<Case> {
    let radius = random.magnitude(0.05, 0.5);
    let density = random.density();
    let whole = Shape::Sphere(Sphere::new(radius)?).mass_properties(density)?;
    let share = random.between(0.2, 0.5);
    let inner = Shape::Sphere(Sphere::new(share * radius)?).mass_properties(density * random.magnitude(2.0, 20.0))?;
    let place = DVec3::Z * random.between(0.1, 1.0 - share) * radius;
    let inner = inner.transformed(&Pose::from_translation(place));
    let mass = MassProperties::combined([whole, inner].into_iter()).expect("two bodies have mass");
    let tilt = DQuat::from_axis_angle(random.heading(), random.between(0.05, 3.0));
    // Faster tops that roll could leave the ground.
    let fastest = if friction == ROUGH { (0.3 * GRAVITY / mass.center_of_mass.z).sqrt().min(20.0) } else { 20.0 };
    top(radius, mass, tilt, random.between(-fastest, fastest), friction)
}

/// Places a ball with its mass on its z axis, which spins about that axis.
fn top(radius: f64, mass: MassProperties, tilt: DQuat, spin: f64, friction: f64) -> Result<Case> {
    let spin_vector = tilt * DVec3::Z * spin;
    let arm = DVec3::Z * radius + tilt * mass.center_of_mass;
    let rolls = friction == ROUGH;
    let velocity = if rolls { spin_vector.cross(arm) } else { DVec3::ZERO };
    let mut builder = ground(friction);
    let collider = ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?));
    let link = builder.link("top", None, JointSpec::free(), Some(mass), [collider])?;
    builder.set_pose(link, Pose::new(tilt, DVec3::Z * radius));
    builder.set_velocity(link, Motion::new(spin_vector, velocity));
    let height = arm.z - (radius - mass.center_of_mass.length());
    let scale = kinetic_energy(&mass, tilt, spin_vector, velocity) + mass.mass * GRAVITY * height;
    let what = format!("ball as a top, {spin:.1} rad/s, {}", if rolls { "rolls" } else { "slips" });
    let case = if rolls {
        Case::conservative(what, builder, scale, radius)?
    } else {
        Case::dissipative(what, builder, scale, radius)?
    };
    let jellett = Some(Jellett { link: 0, radius, center: DVec3::ZERO });
    Ok(Case { jellett, ..case }.on_ground().compared_with(Reference::Analytical))
}

/// A ball with its mass below its centre and a low spin. It rolls and never inverts.
pub fn slow_top() -> Result<Case> {
    let radius = 0.05;
    let inertia = DMat3::from_diagonal(DVec3::new(0.38, 0.38, 0.4) * radius * radius);
    let mass = MassProperties::new(1.0, DVec3::Z * -0.2 * radius, inertia)?;
    top(radius, mass, DQuat::from_rotation_x(0.3), 5.0, ROUGH)
}
