//! A double pendulum: a minimal chaotic system that conserves energy.

use glam::DVec3;

use crate::spec::{AxisSpec, BodySpec, JointSpec, PoseSpec, SceneSpec, ShapeSpec};

/// Length of a rod from hinge to hinge, in m.
const LENGTH: f64 = 0.5;

/// Height of the upper hinge, in m.
const HEIGHT: f64 = 1.2;

/// Initial angle of the upper rod from straight down, in rad.
const START: f64 = 2.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    let rod = || [ShapeSpec::capsule(0.03, LENGTH).at(DVec3::new(0.0, 0.0, -0.5 * LENGTH))];
    let swinging = AxisSpec { position: START, ..AxisSpec::new(DVec3::Y) };
    let mut hanging = JointSpec::revolute(swinging);
    hanging.in_parent = PoseSpec::at(DVec3::Z * HEIGHT);
    scene.bodies.push(BodySpec::jointed("upper rod", hanging, rod()));
    let elbow =
        JointSpec::revolute(AxisSpec::new(DVec3::Y)).on("upper rod", PoseSpec::at(DVec3::new(0.0, 0.0, -LENGTH)));
    scene.bodies.push(BodySpec::jointed("lower rod", elbow, rod()));
    scene
}
