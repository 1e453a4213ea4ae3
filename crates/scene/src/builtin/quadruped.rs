//! A four-legged robot of 30 kg in the three scenes of SimBenchmark: hit by a ball without gravity (momentum is
//! conserved), thrown up with slack joints (energy is conserved), and standing with position servos.

use glam::DVec3;

use super::parts::{ground, looks, turned};
use crate::spec::{
    AxisSpec, BodySpec, JointSpec, MaterialSpec, MotorSpec, PoseSpec, PositionMotor, SceneSpec, ShapeSpec,
};

/// Size of the trunk, in m.
const TRUNK: DVec3 = DVec3::new(0.55, 0.26, 0.18);
/// Lengths of thighs and shanks from joint to joint (or foot), and radius of the feet, in m.
const THIGH: f64 = 0.28;
const SHANK: f64 = 0.29;
const FOOT: f64 = 0.03;
/// Angles of hips and knees when standing, in rad.
const HIP: f64 = 0.6;
const KNEE: f64 = -1.2;
/// Stiffness, damping and maximum effort of the servos, in N m/rad, N m s/rad and N m.
const STIFFNESS: f64 = 200.0;
const DAMPING: f64 = 6.0;
const STRENGTH: f64 = 60.0;

const LEGS: [(&str, f64, f64); 4] =
    [("front left", 1.0, 1.0), ("front right", 1.0, -1.0), ("rear left", -1.0, 1.0), ("rear right", -1.0, -1.0)];

pub(super) fn standing(name: &str, description: &str) -> SceneSpec {
    let mut scene = robot(name, description, true);
    scene.duration = 20.0;
    scene.simulation.step = 0.005;
    scene.bodies.push(ground("ground"));
    scene
}

pub(super) fn momentum(name: &str, description: &str) -> SceneSpec {
    let mut scene = robot(name, description, true);
    scene.duration = 5.0;
    scene.gravity = DVec3::ZERO;
    let mut ball =
        BodySpec::new("ball", DVec3::new(-2.0, 0.05, standing_height() + 0.02), [ShapeSpec::sphere(0.1).of("ball")]);
    (ball.mass, ball.velocity, ball.color) = (Some(5.0), DVec3::X * 4.0, Some(looks::RED));
    scene.bodies.push(ball);
    scene
}

pub(super) fn energy(name: &str, description: &str) -> SceneSpec {
    let mut scene = robot(name, description, false);
    scene.duration = 2.0;
    scene.self_collision = false;
    let trunk = &mut scene.bodies[0];
    (trunk.velocity, trunk.angular_velocity) = (DVec3::Z * 9.81, DVec3::new(0.5, 2.0, 1.0));
    scene
}

/// Height of the trunk's middle with the feet on the ground, in m.
fn standing_height() -> f64 {
    THIGH * libm::cos(HIP) + SHANK * libm::cos(HIP + KNEE) + FOOT
}

fn robot(name: &str, description: &str, servos: bool) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(1.6, -1.8, 1.0), DVec3::new(0.0, 0.0, 0.4));
    for (name, friction, restitution) in [("ground", 0.8, 0.0), ("robot", 0.5, 0.0), ("ball", 0.0, 0.5)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, restitution));
    }
    let trunk = ShapeSpec::cuboid(TRUNK).of("robot");
    let mut body = BodySpec::new("trunk", DVec3::Z * standing_height(), [trunk]);
    (body.mass, body.color) = (Some(16.0), Some(looks::RED));
    scene.bodies.push(body);
    for (leg, front, left) in LEGS {
        let joint = |axis: DVec3, position: f64| {
            let servo = PositionMotor { target: position, stiffness: STIFFNESS, damping: DAMPING };
            let motor = servos.then_some(MotorSpec::Position(servo));
            JointSpec::revolute(AxisSpec { position, motor, max_effort: Some(STRENGTH), ..AxisSpec::new(axis) })
        };
        // Hind legs bend the other way, as in symmetric robots.
        let (hip_angle, knee_angle) = (HIP * front, KNEE * front);
        let part = |name: String, joint: JointSpec, shapes: Vec<ShapeSpec>, mass: f64, color: DVec3| BodySpec {
            mass: Some(mass),
            color: Some(color),
            ..BodySpec::jointed(name, joint, shapes)
        };
        let corner = DVec3::new(front * (0.5 * TRUNK.x - 0.06), left * 0.5 * TRUNK.y, 0.0);
        let hip = format!("hip {leg}");
        let drum =
            ShapeSpec::cylinder(0.05, 0.08).of("robot").turned(turned(DVec3::X, 90.0)).at(DVec3::Y * (left * 0.05));
        let abduct = joint(DVec3::X, 0.0).on("trunk", PoseSpec::at(corner));
        scene.bodies.push(part(hip.clone(), abduct, vec![drum], 1.4, looks::STEEL));
        let thigh = format!("thigh {leg}");
        let rod = ShapeSpec::capsule(0.035, THIGH - 0.09).of("robot").at(DVec3::Z * (-0.5 * THIGH - 0.01));
        let flex = joint(DVec3::Y, hip_angle).on(&hip, PoseSpec::at(DVec3::Y * (left * 0.09)));
        scene.bodies.push(part(thigh.clone(), flex, vec![rod], 1.6, looks::BLACK));
        let shank = ShapeSpec::capsule(0.018, SHANK - 0.08).of("robot").at(DVec3::Z * (-0.5 * SHANK));
        let foot = ShapeSpec::sphere(FOOT).of("robot").at(DVec3::Z * -SHANK);
        let knee = joint(DVec3::Y, knee_angle).on(&thigh, PoseSpec::at(DVec3::Z * -THIGH));
        scene.bodies.push(part(format!("shank {leg}"), knee, vec![shank, foot], 0.5, looks::STEEL));
    }
    scene
}
