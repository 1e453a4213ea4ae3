//! A wedge between the ground and a weight on a vertical slide. With the angle `a` of the wedge, friction `mu` on both
//! sides, the weight `M g` and the wedge's own weight `m g`, and the pressure `N` on the upper face:
//!
//! ```text
//!   M (g - x'' tan a) = N (cos a + mu sin a)
//!   m x'' = N (sin a - mu cos a) - mu (N (cos a + mu sin a) + m g)
//! ```
//!
//! The needed friction is that for which `x''` is zero.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{MassProperties, Polyhedron, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use super::{HELD, outcome, with_outcome};
use crate::case::{Case, GRAVITY};
use crate::random::Random;

/// Part of its length that a wedge slips while its motion is known.
const SLIP: f64 = 0.15;

/// Returns the acceleration of a wedge that slips, in m/s^2.
fn acceleration(angle: f64, friction: f64, weight: f64, own: f64) -> f64 {
    let (sin, cos) = libm::sincos(angle);
    let share = (sin - friction * cos) / (cos + friction * sin) - friction;
    GRAVITY * (weight * share - friction * own) / (own + weight * share * (sin / cos))
}

/// Returns the smallest friction with which a wedge holds, by bisection.
fn needed_friction(angle: f64, weight: f64, own: f64) -> f64 {
    let (mut low, mut high) = (0.0, libm::tan(angle));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if acceleration(angle, middle, weight, own) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Draws a wedge.
pub fn draw(random: &mut Random, share: f64) -> Result<Case> {
    let angle = random.between(10.0, 35.0_f64).to_radians();
    let length = random.magnitude(0.1, 0.6);
    let (thin, rise) = (0.05 * length, length * libm::tan(angle));
    let half = 0.25 * length;
    let corner = |x: f64, z: f64| [DVec3::new(x, -half, z), DVec3::new(x, half, z)];
    let corners = [corner(-0.5, 0.0), corner(0.5, 0.0), corner(-0.5, thin), corner(0.5, thin + rise)];
    let corners: Vec<DVec3> =
        corners.concat().into_iter().map(|point| DVec3::new(point.x * length, point.y, point.z)).collect();
    let shape = Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners)?));
    let density = random.density();
    let own = shape.mass_properties(density)?;
    let weight = own.mass * random.magnitude(0.5, 20.0);
    let friction = share * needed_friction(angle, weight, own.mass);
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let body =
        builder.link("wedge", None, JointSpec::free(), None, [ColliderSpec::new(shape).with_density(density)])?;
    // The lower face of the weight lies on the middle of the upper face of the wedge.
    let turn = DQuat::from_rotation_y(-angle);
    let block = DVec3::new(0.3 * length, random.between(0.1, 0.4) * length, 0.1 * length);
    let middle = DVec3::Z * (thin + 0.5 * rise) + turn * DVec3::Z * block.z;
    let joint = JointSpec::prismatic(DVec3::Z).in_parent(Pose::from_translation(middle));
    let mass = MassProperties::new(weight, DVec3::ZERO, DMat3::IDENTITY)?;
    let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(block)?)).at(Pose::new(turn, DVec3::ZERO));
    let slider = builder.link("weight", None, joint, Some(mass), [collider])?;
    let what = format!("wedge of {:.0} degrees, {}", angle.to_degrees(), outcome(share));
    let case = Case::dissipative(what, builder, weight * GRAVITY * length, 0.1 * length)?;
    let slip = acceleration(angle, friction, weight, own.mass).max(0.0);
    let seconds = if share > 1.0 { HELD } else { (2.0 * SLIP * length / slip).sqrt() };
    let case =
        with_outcome(case, &[(body, DVec3::ZERO)], (share, false), move |time| DVec3::X * (0.5 * slip * time * time));
    let sinking = move |time: f64| DVec3::NEG_Z * (0.5 * slip * libm::tan(angle) * time * time);
    Ok(with_outcome(case, &[(slider, middle)], (share, false), sinking).until(seconds))
}
