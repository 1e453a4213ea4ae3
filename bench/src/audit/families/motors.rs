//! Motors that press an arm against its joint limit or against a wall. The forearm is free: nothing pulls it, so it
//! stays at rest or keeps its energy.

use anyhow::Result;
use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::{Capsule, HalfSpace};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, Energy, GRAVITY, Reference};
use crate::random::Random;

/// What stops the arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// A hard limit of its joint.
    Limit,
    /// A fixed plane that it lies on.
    Wall,
}

/// An arm of two links, and the motor of its first joint.
struct Arm {
    stop: Stop,
    motor: Motor,
    max_effort: f64,
    length: f64,
    mass: f64,
    /// Angle of the arm from its stop, in rad.
    gap: f64,
    forearm: f64,
    forearm_axis: DVec3,
    forearm_angle: f64,
    forearm_rate: f64,
    friction: f64,
    gravity: f64,
}

/// Draws an arm.
pub fn draw(random: &mut Random) -> Result<Case> {
    let stop = if random.chance(0.5) { Stop::Limit } else { Stop::Wall };
    let (length, mass) = (random.magnitude(0.1, 1.0), random.magnitude(0.1, 10.0));
    let gravity = if random.chance(0.5) { 0.0 } else { GRAVITY };
    // Largest torque that the forearm can have on the arm, at its start.
    let forearm = length * random.between(0.3, 1.2);
    let is_moving = random.chance(0.5);
    let forearm_rate = if is_moving { random.between(-8.0, 8.0) } else { 0.0 };
    let pull = 3.0 * mass * (length + forearm) * (gravity + forearm_rate * forearm_rate * forearm);
    let torque = pull.max(mass * length) * random.magnitude(2.0, 20.0);
    let motor = match random.below(3) {
        0 => Motor::Effort(torque),
        1 => Motor::Velocity { target: 5.0, gain: torque / 5.0 },
        _ => Motor::Position { target: 1.0, stiffness: torque, damping: 0.1 * torque },
    };
    let gap = if random.chance(0.3) { random.between(0.05, 0.5) } else { 0.0 };
    let axes = [DVec3::Y, DVec3::Z, DVec3::X];
    let arm = Arm {
        stop,
        motor,
        max_effort: 3.0 * torque,
        length,
        mass,
        gap,
        forearm,
        forearm_axis: axes[random.below(2)],
        forearm_angle: random.between(-3.0, 3.0),
        forearm_rate,
        friction: random.between(0.0, 1.0),
        gravity,
    };
    build(&arm, torque)
}

fn build(arm: &Arm, torque: f64) -> Result<Case> {
    let radius = 0.1 * arm.length;
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::NEG_Z * arm.gravity);
    builder.default_material(Material { friction: arm.friction, ..Material::default() });
    let mut shoulder = AxisProperties { motor: arm.motor, max_effort: arm.max_effort, ..AxisProperties::default() };
    if arm.stop == Stop::Limit {
        shoulder.limit = Some((-2.0, 0.0));
    } else {
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(Pose::from_translation(DVec3::NEG_Z * radius)));
    }
    // Turning about y moves the arm, which lies along x, downwards.
    let capsule = Capsule::new(radius, 0.5 * arm.length - radius)?;
    let lying = Pose::new(DQuat::from_rotation_arc(DVec3::Z, DVec3::X), DVec3::X * 0.5 * arm.length);
    let collider = ColliderSpec::new(Shape::Capsule(capsule)).at(lying);
    let upper = rod(arm.length, arm.mass)?;
    let joint = JointSpec::revolute(DVec3::Y).with(shoulder);
    let link = builder.link("arm", None, joint, Some(upper), [collider])?;
    builder.set_positions(link, &[-arm.gap]);
    let elbow = JointSpec::revolute(arm.forearm_axis).in_parent(Pose::from_translation(DVec3::X * arm.length));
    let lower = rod(arm.forearm, 0.5 * arm.mass)?;
    let forearm = builder.link("forearm", Some(link), elbow, Some(lower), [])?;
    builder.set_positions(forearm, &[arm.forearm_angle]);
    builder.set_joint_velocities(forearm, &[arm.forearm_rate]);
    let motor = match arm.motor {
        Motor::None => "no motor",
        Motor::Effort(_) => "constant torque",
        Motor::Velocity { .. } => "velocity servo",
        Motor::Position { .. } => "position servo",
    };
    let is_still = arm.forearm_rate == 0.0 && arm.gravity == 0.0 && arm.gap == 0.0;
    let state = if is_still { "at rest" } else { "moves" };
    let gravity = if arm.gravity == 0.0 { "no gravity" } else { "gravity" };
    let what = format!("{motor} against a {:?}, gap {:.2}, {gravity}, forearm {state}", arm.stop, arm.gap);
    let weight = arm.mass * arm.gravity * (arm.length + arm.forearm);
    let turning = 0.5 * lower.inertia_about(DVec3::ZERO).y_axis.y * arm.forearm_rate * arm.forearm_rate;
    // What is at rest is compared with the work that the motor could do within a hundredth of a radian.
    let scale = (weight + turning + torque * arm.gap).max(0.01 * torque);
    let case = Case::dissipative(what, builder, scale, arm.length.min(arm.forearm))?;
    let energy = if arm.gap == 0.0 { Energy::Conserved } else { Energy::Dissipated };
    let rests_after = if is_still { 0.0 } else { f64::INFINITY };
    // After the impact the forearm swings on, with the errors that swinging worlds may have.
    Ok(Case { energy, rests_after, growth: 1e-2, ..case }.compared_with(Reference::Analytical))
}

/// A rod along x from its joint.
fn rod(length: f64, mass: f64) -> Result<MassProperties> {
    let thin = 0.1 * length;
    let (axial, lateral) = (0.5 * mass * thin * thin, mass * (length * length / 12.0 + 0.25 * thin * thin));
    let inertia = DMat3::from_diagonal(DVec3::new(axial, lateral, lateral));
    Ok(MassProperties::new(mass, DVec3::X * 0.5 * length, inertia)?)
}

/// A motor of 50 N m presses an arm of 0.5 m against its stop; the forearm hangs at an angle, without gravity.
pub fn pressing(stop: Stop) -> Result<Case> {
    let arm = Arm {
        stop,
        motor: Motor::Effort(50.0),
        max_effort: 50.0,
        length: 0.5,
        mass: 1.0,
        gap: 0.0,
        forearm: 0.5,
        forearm_axis: DVec3::Y,
        forearm_angle: -1.0,
        forearm_rate: 0.0,
        friction: 0.5,
        gravity: 0.0,
    };
    build(&arm, 50.0)
}
