//! Chains of links that swing from a fixed point or float, without contacts and without dissipation.

use anyhow::Result;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::WorldBuilder;
use glam::{DMat3, DVec3};

use crate::case::{Case, GRAVITY, Reference};
use crate::random::Random;

/// How the links are connected.
#[derive(Clone, Copy, PartialEq)]
enum Joints {
    /// Hinges with parallel axes.
    Planar,
    /// Hinges whose axes alternate.
    Alternating,
    /// Ball joints.
    Spherical,
}

/// Draws a chain.
pub fn draw(random: &mut Random) -> Result<Case> {
    let links = 1 + random.below(10);
    let joints = [Joints::Planar, Joints::Alternating, Joints::Spherical][random.below(3)];
    let length = random.magnitude(0.1, 0.7);
    let mut parts = Vec::new();
    for _ in 0..links {
        parts.push((length * random.between(0.5, 1.5), random.magnitude(0.3, 3.0)));
    }
    if random.chance(0.3) { floating(random, &parts, joints) } else { hanging(random, &parts, joints) }
}

fn hanging(random: &mut Random, parts: &[(f64, f64)], joints: Joints) -> Result<Case> {
    let mut angles = vec![random.between(0.3, 3.0)];
    angles.extend((1..parts.len()).map(|_| random.between(-0.8, 0.8)));
    // The energy of turning is about that of height.
    let speed = if random.chance(0.5) { 0.0 } else { (GRAVITY / parts[0].0).sqrt().min(10.0) };
    let rates: Vec<f64> = parts.iter().map(|_| speed * random.between(-1.0, 1.0) / parts.len() as f64).collect();
    swinging(parts, joints, &angles, &rates)
}

/// Builds a chain that hangs from the origin. At position zero of all joints it hangs straight down.
fn swinging(parts: &[(f64, f64)], joints: Joints, angles: &[f64], rates: &[f64]) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    let mut last: Option<LinkId> = None;
    for (index, &(length, mass)) in parts.iter().enumerate() {
        let at = last.map_or(DVec3::ZERO, |_| DVec3::NEG_Z * parts[index - 1].0);
        let joint = joint(joints, index).in_parent(Pose::from_translation(at));
        let link = builder.link("link", last, joint, Some(rod(length, mass)?), [])?;
        set_start(&mut builder, link, joints, (angles[index], rates[index]));
        last = Some(link);
    }
    let what = format!("chain of {} links, {}", parts.len(), name(joints));
    let size = parts.iter().fold(f64::INFINITY, |least: f64, part| least.min(part.0));
    let case = Case::conservative(what, builder, 0.0, size)?;
    let rest = rest_energy(parts);
    let scale = case.initial_energy()? - rest;
    Ok(Case { energy_scale: scale, ..case }.compared_with(Reference::RungeKutta))
}

/// A chain without gravity and without support: its momenta are constant, too.
fn floating(random: &mut Random, parts: &[(f64, f64)], joints: Joints) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let root_mass = rod(parts[0].0, parts[0].1)?;
    let root = builder.link("root", None, JointSpec::free(), Some(root_mass), [])?;
    let spin = random.between(0.5, 10.0) * random.direction();
    builder.set_velocity(root, burgess_dynamics::spatial::Motion::new(spin, random.direction()));
    let mut last = root;
    for (index, &(length, mass)) in parts.iter().enumerate().skip(1) {
        let joint = joint(joints, index).in_parent(Pose::from_translation(DVec3::NEG_Z * parts[index - 1].0));
        let link = builder.link("link", Some(last), joint, Some(rod(length, mass)?), [])?;
        let rate = random.between(-3.0, 3.0);
        set_start(&mut builder, link, joints, (random.between(-1.5, 1.5), rate));
        last = link;
    }
    let what = format!("floating chain of {} links, {}", parts.len(), name(joints));
    let case = Case::conservative(what, builder, 0.0, parts[0].0)?;
    let energy_scale = case.initial_energy()?;
    Ok(Case { energy_scale, floats: true, ..case }.compared_with(Reference::RungeKutta))
}

fn joint(joints: Joints, index: usize) -> JointSpec {
    match joints {
        Joints::Planar => JointSpec::revolute(DVec3::Y),
        Joints::Alternating => JointSpec::revolute(if index.is_multiple_of(2) { DVec3::Y } else { DVec3::X }),
        Joints::Spherical => JointSpec::spherical(),
    }
}

fn name(joints: Joints) -> &'static str {
    match joints {
        Joints::Planar => "parallel hinges",
        Joints::Alternating => "alternating hinges",
        Joints::Spherical => "ball joints",
    }
}

fn set_start(builder: &mut WorldBuilder, link: LinkId, joints: Joints, (angle, rate): (f64, f64)) {
    if joints == Joints::Spherical {
        let (sin, cos) = libm::sincos(0.5 * angle);
        builder.set_positions(link, &[0.0, sin, 0.0, cos]);
        builder.set_joint_velocities(link, &[0.3 * rate, rate, 0.5 * rate]);
    } else {
        builder.set_positions(link, &[angle]);
        builder.set_joint_velocities(link, &[rate]);
    }
}

/// A rod along -z from its joint.
fn rod(length: f64, mass: f64) -> Result<MassProperties> {
    let thin = 0.1 * length;
    let (axial, lateral) = (0.5 * mass * thin * thin, mass * (length * length / 12.0 + 0.25 * thin * thin));
    let inertia = DMat3::from_diagonal(DVec3::new(lateral, lateral, axial));
    Ok(MassProperties::new(mass, DVec3::NEG_Z * 0.5 * length, inertia)?)
}

/// Returns the energy of a chain that hangs straight down, in J.
fn rest_energy(parts: &[(f64, f64)]) -> f64 {
    let mut top = 0.0;
    let mut energy = 0.0;
    for &(length, mass) in parts {
        energy += mass * GRAVITY * (top - 0.5 * length);
        top -= length;
    }
    energy
}

/// Ten equal links that swing from a horizontal start.
pub fn chain_of_ten() -> Result<Case> {
    let parts = [(0.1, 0.1); 10];
    let mut angles = [0.0; 10];
    angles[0] = core::f64::consts::FRAC_PI_2;
    let case = swinging(&parts, Joints::Planar, &angles, &[0.0; 10])?;
    Ok(Case { seconds: Some(80.0), ..case })
}
