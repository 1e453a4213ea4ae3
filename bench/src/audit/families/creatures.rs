//! Creatures at rest: a trunk with legs on damped joints with limits and springs, which stands or collapses and then
//! lies still.

use anyhow::Result;
use burgess_dynamics::{AxisProperties, JointSpec, LinkId};
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, WorldBuilder};
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY, ground};
use crate::random::Random;

/// Time after which a creature lies still, in s.
const SETTLED: f64 = 10.0;

/// Draws a creature whose parts do not overlap at the start.
pub fn draw(random: &mut Random) -> Result<Case> {
    loop {
        let case = creature(random)?;
        if case.initial_depth()? == 0.0 {
            return Ok(case);
        }
    }
}

fn creature(random: &mut Random) -> Result<Case> {
    let mut builder = ground(random.between(0.3, 1.0));
    let size = random.magnitude(0.1, 0.6);
    let half = 0.5 * size * DVec3::new(1.0, random.between(0.4, 0.8), random.between(0.2, 0.4));
    let trunk = Shape::Cuboid(Cuboid::new(half)?);
    let weight_of_trunk = trunk.mass_properties(1000.0)?.mass * GRAVITY;
    let length = size * random.between(0.4, 0.8);
    let height = 1.6 * length + half.z;
    let body = builder.body("trunk", Pose::from_translation(DVec3::Z * height), [ColliderSpec::new(trunk)])?;
    let legs = 2 + random.below(5);
    for leg in 0..legs {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * leg as f64 / legs as f64);
        let hip = half * DVec3::new(cos, sin, -1.0);
        let upper = add_leg(random, &mut builder, (body, hip), length, weight_of_trunk)?;
        if random.chance(0.7) {
            add_leg(random, &mut builder, (upper, DVec3::NEG_Z * length), 0.5 * length, weight_of_trunk)?;
        }
    }
    let case = Case::dissipative(format!("creature with {legs} legs"), builder, 1.0, 0.15 * length)?;
    let energy_scale = case.world.model().mass() * GRAVITY * height;
    Ok(Case { energy_scale, rests_after: SETTLED, ..case }.on_ground())
}

/// Adds a leg that hangs down from a point of its parent.
fn add_leg(
    random: &mut Random,
    builder: &mut WorldBuilder,
    (parent, at): (LinkId, DVec3),
    length: f64,
    weight: f64,
) -> Result<LinkId> {
    let half = length * DVec3::new(random.between(0.08, 0.15), random.between(0.08, 0.15), 0.5);
    let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(half)?));
    let collider = collider.at(Pose::from_translation(DVec3::NEG_Z * half.z));
    let stiffness = if random.chance(0.5) { 0.0 } else { weight * length * random.magnitude(0.3, 3.0) };
    let limit = random.chance(0.7).then(|| (-random.between(0.2, 1.0), random.between(0.2, 1.0)));
    // Damped enough to lie still after some seconds.
    let damping = 0.1 * weight * length;
    let properties = AxisProperties { limit, stiffness, damping, ..AxisProperties::default() };
    let turned = DQuat::from_axis_angle(random.direction(), random.between(-0.3, 0.3));
    let joint = JointSpec::revolute(random.heading()).with(properties).in_parent(Pose::new(turned, at));
    Ok(builder.link("leg", Some(parent), joint, None, [collider])?)
}
