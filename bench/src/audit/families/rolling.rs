//! Balls with their mass off centre and ellipsoids that roll or slide without friction on a plane. Nothing dissipates:
//! friction is either zero or large enough for rolling, and the bodies are too slow to leave the ground.

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Convex, Ellipsoid, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::ColliderSpec;
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, GRAVITY, Reference, ground, kinetic_energy};
use crate::random::Random;

/// Friction of bodies that roll, large enough that none of them slips.
const ROUGH: f64 = 5.0;
/// Smallest energy above rest, as a share of weight times size. Less would measure tolerances of contact detection.
const LEAST_ENERGY: f64 = 0.02;

/// Draws a ball or an ellipsoid.
pub fn draw(random: &mut Random) -> Result<Case> {
    if random.chance(0.5) { ball(random) } else { ellipsoid(random) }
}

fn ball(random: &mut Random) -> Result<Case> {
    let radius = random.magnitude(0.05, 1.0);
    let mass = off_centre_mass(random, radius)?;
    let offset = mass.center_of_mass.length();
    let friction = if random.chance(0.7) { ROUGH } else { 0.0 };
    let shape = Shape::Sphere(Sphere::new(radius)?);
    // The centrifugal acceleration of the centre of mass stays below gravity.
    let fastest = (0.3 * GRAVITY / offset).sqrt();
    start(random, Body { shape, mass, least_height: radius - offset, size: radius }, friction, fastest, "ball")
}

fn ellipsoid(random: &mut Random) -> Result<Case> {
    let a = random.magnitude(0.05, 0.5);
    let semi_axes = a * DVec3::new(1.0, random.between(0.6, 1.7), random.between(0.6, 1.7));
    let shape = Ellipsoid::new(semi_axes)?;
    let mut mass = Shape::Ellipsoid(shape).mass_properties(random.density())?;
    let kind = if random.chance(0.4) {
        // The principal axes of inertia are not those of the ellipsoid.
        let tilt = DMat3::from_quat(DQuat::from_rotation_z(random.between(-0.5, 0.5)));
        mass = MassProperties::new(mass.mass, DVec3::ZERO, symmetric(tilt * mass.inertia * tilt.transpose()))?;
        "ellipsoid with skewed inertia"
    } else {
        "ellipsoid"
    };
    let friction = if random.chance(0.7) { ROUGH } else { 0.0 };
    let difference = semi_axes.max_element() - semi_axes.min_element();
    let least_height = semi_axes.min_element();
    let fastest = (0.15 * GRAVITY / (difference + 0.1 * a)).sqrt();
    let body = Body { shape: Shape::Ellipsoid(shape), mass, least_height, size: least_height };
    start(random, body, friction, fastest, kind)
}

/// A body before it is placed.
struct Body {
    shape: Shape,
    mass: MassProperties,
    /// Smallest height of the centre of mass on the ground, in m.
    least_height: f64,
    size: f64,
}

/// Places a body on the ground, rolling or sliding with a random spin.
fn start(random: &mut Random, body: Body, friction: f64, fastest: f64, kind: &str) -> Result<Case> {
    loop {
        let orientation = random.rotation();
        let spin = random.between(0.0, 1.0) * fastest * random.direction();
        let case = place(&body, orientation, spin, friction, kind)?;
        if case.energy_scale > LEAST_ENERGY * body.mass.mass * GRAVITY * body.size {
            return Ok(case.compared_with(Reference::Analytical));
        }
    }
}

/// Places a body on the ground with a spin. It rolls if there is friction; its centre of mass moves vertically if not.
fn place(body: &Body, orientation: DQuat, spin: DVec3, friction: f64, kind: &str) -> Result<Case> {
    let lowest = orientation * support(&body.shape, orientation.inverse() * DVec3::NEG_Z);
    let arm = orientation * body.mass.center_of_mass - lowest;
    let mut velocity = spin.cross(arm);
    if friction == 0.0 {
        velocity = DVec3::new(0.0, 0.0, velocity.z);
    }
    let mut builder = ground(friction);
    let collider = ColliderSpec::new(body.shape.clone());
    let link = builder.link("body", None, JointSpec::free(), Some(body.mass), [collider])?;
    builder.set_pose(link, Pose::new(orientation, DVec3::new(0.0, 0.0, -lowest.z)));
    builder.set_velocity(link, Motion::new(spin, velocity));
    let height = arm.z - body.least_height;
    let scale = kinetic_energy(&body.mass, orientation, spin, velocity) + body.mass.mass * GRAVITY * height;
    let what = format!("{kind}, {}", if friction > 0.0 { "rolls" } else { "no friction" });
    let case = Case::conservative(what, builder, scale, body.size)?.on_ground();
    Ok(Case { can_lift: true, ..case })
}

fn support(shape: &Shape, direction: DVec3) -> DVec3 {
    match shape {
        Shape::Ellipsoid(ellipsoid) => ellipsoid.support(direction),
        Shape::Sphere(sphere) => sphere.support(direction),
        _ => DVec3::ZERO,
    }
}

/// Returns the mass of a ball with a denser ball inside.
fn off_centre_mass(random: &mut Random, radius: f64) -> Result<MassProperties> {
    let density = random.density();
    let whole = Shape::Sphere(Sphere::new(radius)?).mass_properties(density)?;
    let share = random.between(0.2, 0.5);
    let inner = Shape::Sphere(Sphere::new(share * radius)?).mass_properties(density * random.magnitude(2.0, 20.0))?;
    let place = random.between(0.2, 1.0 - share) * radius * random.direction();
    let inner = inner.transformed(&Pose::from_translation(place));
    Ok(MassProperties::combined([whole, inner].into_iter()).expect("two bodies have mass"))
}

fn symmetric(matrix: DMat3) -> DMat3 {
    0.5 * (matrix + matrix.transpose())
}

/// A ball of 10 cm with its centre of mass 3 cm off centre, released at right angles to its rest position.
pub fn rocking_ball(friction: f64) -> Result<Case> {
    let (radius, offset) = (0.1, 0.03);
    let mass = MassProperties::new(1.0, DVec3::X * offset, DMat3::from_diagonal(DVec3::splat(0.4 * 0.01)))?;
    let shape = Shape::Sphere(Sphere::new(radius)?);
    let body = Body { shape, mass, least_height: radius - offset, size: radius };
    let case = place(&body, DQuat::IDENTITY, DVec3::ZERO, friction, "off-centre ball")?;
    Ok(Case { seconds: Some(20.0), ..case }.compared_with(Reference::Analytical))
}

/// An ellipsoid with skewed inertia that spins in the unstable direction (Kane and Levinson 1982). The spin reverses.
pub fn rattleback() -> Result<Case> {
    let semi_axes = DVec3::new(0.2, 0.03, 0.02);
    let inertia = DMat3::from_cols(
        DVec3::new(0.0002, -0.00002, 0.0),
        DVec3::new(-0.00002, 0.0016, 0.0),
        DVec3::new(0.0, 0.0, 0.0017),
    );
    let mass = MassProperties::new(1.0, DVec3::new(0.0, 0.0, -0.01), inertia)?;
    let shape = Shape::Ellipsoid(Ellipsoid::new(semi_axes)?);
    let body = Body { shape, mass, least_height: 0.01, size: 0.02 };
    let tilt = DQuat::from_rotation_x(0.5_f64.to_radians());
    let case = place(&body, tilt, DVec3::new(0.0, 0.0, -5.0), ROUGH, "rattleback")?;
    Ok(case.compared_with(Reference::Analytical))
}
