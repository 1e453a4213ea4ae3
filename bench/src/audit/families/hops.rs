//! Chains of balls on hinges or ball joints that fall on the ground and bounce: without loss, or with friction.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material};
use glam::DVec3;

use crate::case::{Case, Energy, GRAVITY, ground};
use crate::random::Random;

/// Draws a chain that falls.
pub fn draw(random: &mut Random) -> Result<Case> {
    let links = 2 + random.below(6);
    let radius = random.magnitude(0.03, 0.3);
    let is_elastic = random.chance(0.5);
    let (restitution, friction) =
        if is_elastic { (1.0, 0.0) } else { (random.between(0.0, 0.8), random.between(0.0, 1.0)) };
    let mut builder = ground(friction);
    builder.default_material(Material { friction, restitution, ..Material::default() });
    builder.self_collision(false);
    let density = random.density();
    let ball =
        || -> Result<ColliderSpec> { Ok(ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?)).with_density(density)) };
    let is_planar = random.chance(0.5);
    let height = radius * (2.5 * links as f64 + random.between(1.0, 5.0));
    let root = builder.link("ball", None, JointSpec::free(), None, [ball()?])?;
    builder.set_pose(root, Pose::new(random.rotation(), DVec3::Z * height));
    builder.set_velocity(root, Motion::new(random.between(0.0, 5.0) * random.direction(), DVec3::ZERO));
    let mut last: LinkId = root;
    for index in 1..links {
        let axis = if index % 2 == 0 { DVec3::Y } else { DVec3::X };
        let joint = if is_planar { JointSpec::revolute(axis) } else { JointSpec::spherical() };
        let joint = joint.in_parent(Pose::from_translation(DVec3::NEG_Z * 2.5 * radius));
        let collider = ball()?;
        last = builder.link("ball", Some(last), joint, None, [collider])?;
    }
    let joints = if is_planar { "hinges" } else { "ball joints" };
    let what =
        format!("chain of {links} balls on {joints} falls, restitution {restitution:.2}, friction {friction:.2}");
    let case = Case::dissipative(what, builder, 1.0, radius)?.on_ground();
    let energy_scale = case.initial_energy()? - case.world.model().mass() * GRAVITY * radius;
    let energy = if is_elastic { Energy::Conserved } else { Energy::Dissipated };
    Ok(Case { energy, energy_scale, ..case })
}
