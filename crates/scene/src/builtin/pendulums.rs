//! Three pendulums (Timchenko (2007) figure 23): one with a large amplitude, one of two rods, and a conical one.
//!
//! The first has the period `2 pi sqrt(I / (m g d)) / agm(1, cos(a / 2))`. The third keeps its angle to the vertical if
//! its angular velocity W satisfies `W^2 = m g d / ((I - I_axis) cos a)`; d is the distance of the centre of mass from
//! the pivot, I the inertia about the pivot and I_axis that about the rod.

use glam::DVec3;

use super::parts::{density, ground, looks, turned};
use crate::spec::{
    AxisSpec, BodySpec, JointKind, JointSpec, MaterialSpec, PoseSpec, SceneSpec, ShapeSpec, SphericalJoint,
};

/// Distance from pivot to bob, in m.
const LENGTH: f64 = 0.8;
/// Radius of a rod and of a bob, in m.
const ROD: f64 = 0.01;
const BOB: f64 = 0.06;
/// Height of the pivots above the ground, in m.
const HEIGHT: f64 = 2.0;
/// Initial angles from straight down, in degrees.
const SWING: f64 = 60.0;
const CONE: f64 = 35.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(0.0, -8.0, 2.4), DVec3::new(0.0, 0.0, 1.5));
    scene.materials.insert("steel".to_string(), MaterialSpec::new(0.3, 0.5));
    scene.bodies.push(ground("steel"));
    let hinge =
        |degrees: f64| JointSpec::revolute(AxisSpec { position: degrees.to_radians(), ..AxisSpec::new(DVec3::Y) });
    let pivot = |x: f64| PoseSpec::at(DVec3::new(x, 0.0, HEIGHT));
    let body = |name: &str, joint: JointSpec, color: DVec3| BodySpec {
        color: Some(color),
        ..BodySpec::jointed(name, joint, pendulum())
    };
    scene.bodies.push(body("single", JointSpec { in_parent: pivot(-2.7), ..hinge(SWING) }, looks::RED));
    scene.bodies.push(body("upper", JointSpec { in_parent: pivot(0.0), ..hinge(100.0) }, looks::GREEN));
    scene.bodies.push(body("lower", hinge(20.0).on("upper", PoseSpec::at(DVec3::Z * -LENGTH)), looks::GREEN));
    let ball = SphericalJoint {
        orientation: turned(DVec3::Y, -CONE),
        velocity: turned(DVec3::Y, CONE).rotation().unwrap_or_default() * (DVec3::Z * cone_rate()),
        ..SphericalJoint::default()
    };
    let joint = JointSpec::new(JointKind::Spherical(Box::new(ball)));
    scene.bodies.push(body("spherical", JointSpec { in_parent: pivot(2.7), ..joint }, looks::BLUE));
    scene
}

fn pendulum() -> [ShapeSpec; 2] {
    let rod = ShapeSpec::cylinder(ROD, LENGTH).at(DVec3::Z * (-0.5 * LENGTH));
    let bob = ShapeSpec::sphere(BOB).at(DVec3::Z * -LENGTH);
    [rod, bob].map(|shape| shape.of("steel").with_density(density::STEEL))
}

/// Returns mass times distance of the centre of mass, inertia about the pivot across the rod, and inertia about the
/// rod.
fn moments() -> (f64, f64, f64) {
    let pi = std::f64::consts::PI;
    let rod = density::STEEL * pi * ROD * ROD * LENGTH;
    let bob = density::STEEL * 4.0 / 3.0 * pi * BOB * BOB * BOB;
    let moment = rod * 0.5 * LENGTH + bob * LENGTH;
    let across = rod * (LENGTH * LENGTH / 3.0 + 0.25 * ROD * ROD) + bob * (LENGTH * LENGTH + 0.4 * BOB * BOB);
    (moment, across, 0.5 * rod * ROD * ROD + 0.4 * bob * BOB * BOB)
}

/// Returns the angular velocity of the conical pendulum, in rad/s.
fn cone_rate() -> f64 {
    let (moment, across, along) = moments();
    (moment * 9.81 / ((across - along) * libm::cos(CONE.to_radians()))).sqrt()
}
