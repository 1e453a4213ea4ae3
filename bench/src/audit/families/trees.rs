//! Trees whose links touch each other, falling or floating, and links that overlap their fixed parent.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, LinkId};
use burgess_geometry::shape::{Capsule, Cuboid, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY};
use crate::random::Random;

/// Draws a tree.
pub fn draw(random: &mut Random) -> Result<Case> {
    if random.chance(0.25) {
        return on_fixed_parent(random);
    }
    let spins = random.chance(0.6);
    loop {
        let case = floating(random, spins)?;
        // Bodies that overlap are pushed apart, which changes the momenta of a tree that spins.
        if !(spins && case.overlaps) {
            return Ok(case);
        }
    }
}

/// A tree without support, at rest or spinning, with or without gravity.
fn floating(random: &mut Random, spins: bool) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    let falls = random.chance(0.5);
    builder.gravity(if falls { DVec3::NEG_Z * GRAVITY } else { DVec3::ZERO });
    builder.default_material(Material { friction: random.between(0.0, 1.0), ..Material::default() });
    let size = random.magnitude(0.05, 0.4);
    let (shape, _) = part(random, size)?;
    let root = builder.body("root", Pose::IDENTITY, [shape])?;
    if spins {
        builder.set_velocity(root, Motion::new(random.between(0.0, 8.0) * random.direction(), random.direction()));
    }
    let mut links = vec![(root, size)];
    for _ in 0..2 + random.below(7) {
        let (parent, parent_size) = links[random.below(links.len())];
        let own = (parent_size * random.between(0.5, 1.1)).max(0.2 * size);
        links.push((limb(random, &mut builder, parent, parent_size, own, spins)?, own));
    }
    let what = format!(
        "tree of {} links, {}, {}",
        links.len(),
        if falls { "falls" } else { "floats" },
        if spins { "spins" } else { "at rest" }
    );
    let smallest = links.iter().fold(f64::INFINITY, |least: f64, link| least.min(link.1));
    let case = with_scale(Case::dissipative(what, builder, 1.0, smallest)?, size)?;
    Ok(Case { floats: true, ..case })
}

/// Adds a limb that a random joint connects to a point of its parent's surface.
fn limb(
    random: &mut Random,
    builder: &mut WorldBuilder,
    parent: LinkId,
    parent_size: f64,
    own: f64,
    moves: bool,
) -> Result<LinkId> {
    let outward = random.direction();
    let (shape, reach) = part(random, own)?;
    let frame = Pose::new(DQuat::from_rotation_arc(DVec3::X, outward), outward * 0.6 * parent_size);
    let limit = random.chance(0.4).then_some((-1.0, 1.0));
    let properties = AxisProperties { limit, ..AxisProperties::default() };
    let is_ball = random.chance(0.3);
    let joint = if is_ball { JointSpec::spherical() } else { JointSpec::revolute(random.direction()).with(properties) };
    let joint = joint.in_parent(frame).in_child(Pose::from_translation(DVec3::NEG_X * reach));
    let link = builder.link("limb", Some(parent), joint, None, [shape])?;
    let rates = [0; 3].map(|_| if moves { random.between(-3.0, 3.0) } else { 0.0 });
    builder.set_joint_velocities(link, if is_ball { &rates } else { &rates[..1] });
    Ok(link)
}

/// Returns a collider and half its length along x.
fn part(random: &mut Random, size: f64) -> Result<(ColliderSpec, f64)> {
    let density = random.magnitude(300.0, 3000.0);
    let (shape, pose, reach) = match random.below(3) {
        0 => (Shape::Sphere(Sphere::new(0.5 * size)?), Pose::IDENTITY, 0.5 * size),
        1 => {
            let capsule = Capsule::new(random.between(0.2, 0.35) * size, 0.5 * size)?;
            let along_x = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
            (Shape::Capsule(capsule), Pose::new(along_x, DVec3::ZERO), 0.5 * size)
        }
        _ => {
            let half = 0.5 * size * DVec3::new(1.0, random.between(0.3, 1.0), random.between(0.3, 1.0));
            (Shape::Cuboid(Cuboid::new(half)?), Pose::IDENTITY, 0.5 * size)
        }
    };
    Ok((ColliderSpec::new(shape).at(pose).with_density(density), reach))
}

/// Limbs of a body that is welded to the world and that they overlap. Without gravity they stay at rest.
fn on_fixed_parent(random: &mut Random) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let size = random.magnitude(0.05, 0.4);
    let (shape, _) = part(random, size)?;
    let root = builder.link("base", None, JointSpec::weld(), None, [shape])?;
    let limbs = 1 + random.below(4);
    for _ in 0..limbs {
        let own = size * random.between(0.5, 1.1);
        let link = limb(random, &mut builder, root, size, own, false)?;
        if random.chance(0.5) {
            limb(random, &mut builder, link, own, 0.7 * own, false)?;
        }
    }
    let what = format!("{limbs} limbs that overlap their fixed parent");
    with_scale(Case::dissipative(what, builder, 1.0, 0.3 * size)?, size)
}

/// Sets the scale of energy: that of the start, or of a fall by the size of the root. Finds out whether bodies overlap.
fn with_scale(case: Case, size: f64) -> Result<Case> {
    let mut simulation = case.paradigm.simulate(case.world.clone(), case.state.clone(), 1e-3)?;
    let totals = simulation.observables();
    let energy_scale = totals.kinetic_energy.max(totals.mass * GRAVITY * size);
    let overlaps = case.initial_depth()? > 1e-6 * size;
    let what = if overlaps { format!("{}, overlaps at the start", case.what) } else { case.what.clone() };
    Ok(Case { energy_scale, overlaps, what, ..case })
}

/// A trunk with a crown of six limbs that overlap each other, in free fall.
pub fn falling_crown() -> Result<Case> {
    let mut builder = WorldBuilder::new();
    let root = builder.body("trunk", Pose::IDENTITY, [ColliderSpec::new(Shape::Sphere(Sphere::new(0.1)?))])?;
    for index in 0..6 {
        let turn = DQuat::from_rotation_z(f64::from(index) * 0.5) * DQuat::from_rotation_y(0.3 * f64::from(index % 3));
        let frame = Pose::new(turn, turn * DVec3::X * 0.1);
        let lying = Pose::new(DQuat::from_rotation_arc(DVec3::Z, DVec3::X), DVec3::X * 0.1);
        let collider = ColliderSpec::new(Shape::Capsule(Capsule::new(0.05, 0.1)?)).at(lying);
        let properties = AxisProperties { limit: Some((-0.5, 0.5)), ..AxisProperties::default() };
        let axis = if index % 2 == 0 { DVec3::Y } else { DVec3::Z };
        let joint = JointSpec::revolute(axis).with(properties).in_parent(frame);
        builder.link("limb", Some(root), joint, None, [collider])?;
    }
    let case = with_scale(Case::dissipative("crown of six limbs falls".to_string(), builder, 1.0, 0.05)?, 0.1)?;
    Ok(Case { floats: true, ..case })
}

/// An arm on a hinge deep inside a fixed box.
pub fn overlapping_parent() -> Result<Case> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let cube = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.2))?));
    let base = builder.link("base", None, JointSpec::weld(), None, [cube])?;
    let arm = ColliderSpec::new(Shape::Capsule(Capsule::new(0.05, 0.2)?));
    let joint = JointSpec::universal(DVec3::X, DVec3::Y).in_parent(Pose::from_translation(DVec3::Z * 0.2));
    builder.link("arm", Some(base), joint, None, [arm])?;
    with_scale(Case::dissipative("arm overlaps its fixed parent".to_string(), builder, 1.0, 0.05)?, 0.2)
}
