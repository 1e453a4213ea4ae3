//! A chain that hangs from a point of the world, with a heavy ball at its end.

use glam::DVec3;

use super::{density, looks, turned};
use crate::spec::{BodySpec, JointKind, JointSpec, PoseSpec, ShapeSpec, SphericalJoint};

/// Links on ball joints, pulled taut to one side, and a steel ball.
pub struct Chain<'a> {
    /// Prefix of the names of the links, and the name of the ball.
    pub name: &'a str,
    /// Position of the upper end, in m.
    pub hook: DVec3,
    pub links: usize,
    /// Length of a link from joint to joint, in m.
    pub length: f64,
    /// Radius of a link, in m.
    pub radius: f64,
    /// Radius of the ball, in m.
    pub ball: f64,
    /// Initial angle from the vertical about the y axis, in degrees.
    pub swing: f64,
    /// Damping of a joint, in N m s/rad.
    pub damping: f64,
    /// Name of the material.
    pub material: &'a str,
}

impl Chain<'_> {
    /// Returns the links, from the top down, and the ball.
    pub fn bodies(&self) -> Vec<BodySpec> {
        let mut bodies = Vec::new();
        let link_name = |index: usize| format!("{} link {}", self.name, index + 1);
        for index in 0..=self.links {
            let joint = SphericalJoint { damping: self.damping, ..SphericalJoint::default() };
            let joint = if index == 0 {
                let joint = SphericalJoint { orientation: turned(DVec3::Y, self.swing), ..joint };
                JointSpec {
                    in_parent: PoseSpec::at(self.hook),
                    ..JointSpec::new(JointKind::Spherical(Box::new(joint)))
                }
            } else {
                let end = PoseSpec::at(DVec3::Z * -self.length);
                JointSpec::new(JointKind::Spherical(Box::new(joint))).on(&link_name(index - 1), end)
            };
            let (name, shape) = if index < self.links {
                let rod = ShapeSpec::capsule(self.radius, self.length - 2.0 * self.radius);
                (link_name(index), rod.at(DVec3::Z * (-0.5 * self.length)))
            } else {
                (self.name.to_string(), ShapeSpec::sphere(self.ball).at(DVec3::Z * -self.ball))
            };
            let shape = shape.of(self.material).with_density(density::STEEL);
            bodies.push(BodySpec { color: Some(looks::STEEL), ..BodySpec::jointed(name, joint, [shape]) });
        }
        bodies
    }
}
