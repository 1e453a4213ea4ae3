//! A four-legged robot of 30 kg: a torso and four legs of three hinges each.

use anyhow::Result;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::{Capsule, Cuboid, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ColliderSpec, WorldBuilder};
use glam::DVec3;

const TORSO_MASS: f64 = 16.0;
const HIP_MASS: f64 = 1.4;
const THIGH_MASS: f64 = 1.5;
const SHANK_MASS: f64 = 0.6;
/// Length of thighs and shanks, in m.
const LENGTH: f64 = 0.25;

/// A robot in a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quadruped {
    /// Torso, a free body.
    pub torso: LinkId,
}

impl Quadruped {
    /// Total mass, in kg.
    pub const MASS: f64 = TORSO_MASS + 4.0 * (HIP_MASS + THIGH_MASS + SHANK_MASS);

    /// Adds a robot with slightly bent legs and its torso at a height in m. Its links do not collide with each other.
    pub fn add(builder: &mut WorldBuilder, height: f64) -> Result<Self> {
        builder.self_collision(false);
        let torso = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.15, 0.1))?);
        let torso = add_link(builder, "torso", None, JointSpec::free(), TORSO_MASS, torso, Pose::IDENTITY)?;
        builder.set_pose(torso, Pose::from_translation(DVec3::Z * height));
        for (front, side) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let at_torso = DVec3::new(0.28 * front, 0.12 * side, 0.0);
            let hip = hinge(DVec3::X, at_torso);
            let ball = Shape::Sphere(Sphere::new(0.05)?);
            let hip = add_link(builder, "hip", Some(torso), hip, HIP_MASS, ball, Pose::IDENTITY)?;
            let bone = Shape::Capsule(Capsule::new(0.03, 0.5 * LENGTH)?);
            let down = Pose::from_translation(DVec3::Z * (-0.5 * LENGTH));
            let thigh = hinge(DVec3::Y, DVec3::Y * (0.1 * side));
            let thigh = add_link(builder, "thigh", Some(hip), thigh, THIGH_MASS, bone.clone(), down)?;
            let shank = hinge(DVec3::Y, DVec3::Z * -LENGTH);
            let shank = add_link(builder, "shank", Some(thigh), shank, SHANK_MASS, bone, down)?;
            builder.set_positions(hip, &[0.03 * side]);
            builder.set_positions(thigh, &[0.4 * front]);
            builder.set_positions(shank, &[-0.8 * front]);
        }
        Ok(Self { torso })
    }
}

fn hinge(axis: DVec3, in_parent: DVec3) -> JointSpec {
    JointSpec::revolute(axis).in_parent(Pose::from_translation(in_parent))
}

fn add_link(
    builder: &mut WorldBuilder,
    name: &str,
    parent: Option<LinkId>,
    joint: JointSpec,
    mass: f64,
    shape: Shape,
    place: Pose,
) -> Result<LinkId> {
    let mass: MassProperties = shape.mass_properties(1.0)?.with_mass(mass)?.transformed(&place);
    Ok(builder.link(name, parent, joint, Some(mass), [ColliderSpec::new(shape).at(place)])?)
}
