//! A skeleton of sixteen links tumbles down stairs (Timchenko (2007) figure 23, with limits). Sizes and masses are
//! those of a person of 75 kg; joint damping models the tissue.

use glam::DVec3;

use super::parts::stairs::Stairs;
use super::parts::{ground, looks, studio_scene, turned};
use crate::spec::{
    AngleUnit, AxisSpec, BodySpec, JointKind, JointSpec, MaterialSpec, PoseSpec, SceneSpec, ShapeSpec, SphericalJoint,
};

/// Height and depth of a step, in m.
const RISE: f64 = 0.18;
const DEPTH: f64 = 0.28;
const STEPS: usize = 10;
/// Damping of all joints, in N m s/rad.
const DAMPING: f64 = 1.5;
/// Height of the hips above the ground when standing, in m.
const HIPS: f64 = 0.93;
/// Initial speed, in m/s.
const SPEED: f64 = 1.2;

/// A bone: a capsule that starts at its joint.
struct Bone {
    name: &'static str,
    parent: &'static str,
    /// Position of its joint on the parent, in m.
    at: DVec3,
    /// Vector from its joint to its other end, in m.
    reach: DVec3,
    radius: f64,
    /// Mass, in kg.
    mass: f64,
    bend: Bend,
}

/// Range of a joint, in degrees.
enum Bend {
    /// Any direction, up to an angle.
    Ball(f64),
    /// Rotation about the body's left axis, between two angles.
    Hinge(f64, f64),
}

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 6.0, DVec3::new(3.0, -7.0, 2.5), DVec3::new(2.0, 0.0, 0.8));
    scene.materials.insert("bone".to_string(), MaterialSpec::new(0.4, 0.0));
    scene.materials.insert("stone".to_string(), MaterialSpec::new(0.4, 0.0));
    scene.bodies.push(ground("stone"));
    // The skeleton moves along x; the stairs rise towards -x, with their upper edge at x = 0.
    let stairs = Stairs {
        name: "stairs",
        foot: DVec3::X * (DEPTH * (STEPS - 1) as f64),
        heading: 180.0,
        steps: STEPS,
        rise: RISE,
        depth: DEPTH,
        width: 3.0,
        material: "stone",
    };
    scene.bodies.push(stairs.body());
    let pelvis = ShapeSpec::capsule(0.09, 0.16).of("bone").turned(turned(DVec3::X, 90.0));
    let height = RISE * STEPS as f64 + HIPS + 0.02;
    let mut root = BodySpec::new("pelvis", DVec3::new(-0.1, 0.0, height), [pelvis]);
    (root.mass, root.color) = (Some(11.0), Some(looks::IVORY));
    // Leans forward and faces slightly to one side.
    root.orientation = turned(DVec3::new(0.2, 1.0, 0.3), 12.0);
    root.velocity = DVec3::X * SPEED;
    root.angular_velocity = DVec3::new(0.0, 1.0, 0.5);
    scene.bodies.push(root);
    scene.bodies.extend(bones().into_iter().map(|bone| bone.body()));
    scene
}

fn bones() -> Vec<Bone> {
    let bone = |name, parent, at: [f64; 3], reach: [f64; 3], radius, mass, bend| Bone {
        name,
        parent,
        at: DVec3::from_array(at),
        reach: DVec3::from_array(reach),
        radius,
        mass,
        bend,
    };
    let mut bones = vec![
        bone("abdomen", "pelvis", [0.0, 0.0, 0.08], [0.0, 0.0, 0.16], 0.1, 10.0, Bend::Ball(25.0)),
        bone("chest", "abdomen", [0.0, 0.0, 0.16], [0.0, 0.0, 0.3], 0.12, 18.0, Bend::Ball(25.0)),
        bone("head", "chest", [0.0, 0.0, 0.36], [0.0, 0.0, 0.18], 0.08, 5.0, Bend::Ball(40.0)),
    ];
    let limbs = [
        ("upper arm left", "forearm left", "hand left", "thigh left", "shin left", "foot left", 1.0),
        ("upper arm right", "forearm right", "hand right", "thigh right", "shin right", "foot right", -1.0),
    ];
    for (upper_arm, forearm, hand, thigh, shin, foot, side) in limbs {
        let shoulder = [0.0, 0.23 * side, 0.28];
        bones.push(bone(upper_arm, "chest", shoulder, [0.0, 0.0, -0.29], 0.045, 2.0, Bend::Ball(100.0)));
        bones.push(bone(forearm, upper_arm, [0.0, 0.0, -0.29], [0.0, 0.0, -0.25], 0.04, 1.3, Bend::Hinge(-140.0, 0.0)));
        bones.push(bone(hand, forearm, [0.0, 0.0, -0.25], [0.0, 0.0, -0.14], 0.03, 0.5, Bend::Hinge(-60.0, 60.0)));
        let hip = [0.0, 0.1 * side, -0.04];
        bones.push(bone(thigh, "pelvis", hip, [0.0, 0.0, -0.42], 0.07, 8.0, Bend::Ball(75.0)));
        bones.push(bone(shin, thigh, [0.0, 0.0, -0.42], [0.0, 0.0, -0.4], 0.05, 3.5, Bend::Hinge(0.0, 140.0)));
        bones.push(bone(foot, shin, [0.0, 0.0, -0.4], [0.18, 0.0, -0.03], 0.035, 1.0, Bend::Hinge(-30.0, 40.0)));
    }
    bones
}

impl Bone {
    fn body(&self) -> BodySpec {
        let kind = match self.bend {
            Bend::Ball(limit) => {
                let ball = SphericalJoint { limit: Some(limit), damping: DAMPING, ..SphericalJoint::default() };
                JointKind::Spherical(Box::new(ball))
            }
            Bend::Hinge(low, high) => {
                let limit = Some([low, high]);
                JointKind::Revolute(AxisSpec { limit, damping: DAMPING, ..AxisSpec::new(DVec3::Y) })
            }
        };
        let mut joint = JointSpec::new(kind).on(self.parent, PoseSpec::at(self.at));
        joint.angle_unit = AngleUnit::Degrees;
        let length = self.reach.length();
        let turn = glam::DQuat::from_rotation_arc(DVec3::Z, self.reach / length);
        let shape = ShapeSpec::capsule(self.radius, (length - 2.0 * self.radius).max(0.02));
        let shape = shape.of("bone").at(0.5 * self.reach).turned(crate::spec::Orientation::from_quaternion(turn));
        let mut body = BodySpec::jointed(self.name, joint, [shape]);
        (body.mass, body.color) = (Some(self.mass), Some(looks::IVORY));
        body
    }
}
