//! Random joints with random mechanics.

use burgess_scene::spec::{
    AxisSpec, BallMotorSpec, EffortMotor, FreeJoint, JointKind, JointSpec, MotorSpec, PositionMotor, SphericalJoint,
    StackAxisSpec, StackJoint, UniversalJoint, VelocityMotor, WeldJoint,
};
use glam::DVec3;

use super::random::Random;

/// A joint for a body of some mass (kg) and radius (m), within reach of its limits.
pub(super) fn random(random: &mut Random, mass: f64, radius: f64, is_driven: bool) -> JointSpec {
    // What holds the body up on a lever of its own size.
    let torque = 9.81 * mass * radius;
    let hinge = |random: &mut Random| axis(random, torque, 1.0, is_driven);
    let slide = |random: &mut Random| axis(random, torque / radius, radius, is_driven);
    let kind = match random.below(9) {
        0 => JointKind::Weld(WeldJoint {}),
        1 | 2 => JointKind::Revolute(hinge(random)),
        3 => JointKind::Prismatic(slide(random)),
        4 | 5 => {
            let first = hinge(random);
            let mut second = hinge(random);
            second.axis = first.axis.any_orthonormal_vector();
            JointKind::Universal(UniversalJoint { first, second })
        }
        6 | 7 => JointKind::Spherical(Box::new(ball(random, torque, is_driven))),
        _ => {
            let turn = random.rotation();
            let axes = DVec3::AXES.map(|axis| turn * axis);
            let count = 2 + random.below(2);
            let mut stack = Vec::new();
            for &direction in &axes[..count] {
                let slides = random.chance(0.5);
                let mut axis = if slides { slide(random) } else { hinge(random) };
                axis.axis = direction;
                stack.push(if slides { StackAxisSpec::Slide(axis) } else { StackAxisSpec::Hinge(axis) });
            }
            JointKind::Stack(StackJoint { axes: stack })
        }
    };
    JointSpec::new(kind)
}

/// A joint of a body that floats in something thick.
pub(super) fn floating(random: &mut Random, mass: f64, radius: f64) -> JointSpec {
    let rate = random.between(0.0, 1.0);
    JointSpec::new(JointKind::Free(FreeJoint {
        linear_damping: rate * mass,
        angular_damping: 0.4 * rate * mass * radius * radius,
    }))
}

/// `effort`: what the axis has to bear, in N m or N; `range`: a typical motion, in rad or m.
fn axis(random: &mut Random, effort: f64, range: f64, is_driven: bool) -> AxisSpec {
    let mut axis = AxisSpec::new(random.direction());
    let slides = range != 1.0;
    if slides || random.chance(0.6) {
        let (low, high) = (random.between(-1.2, 0.0) * range, random.between(0.1, 1.2) * range);
        axis.limit = Some([low, high]);
        axis.position = random.between(low, high);
    }
    if random.chance(0.3) {
        axis.stiffness = random.magnitude(0.3, 30.0) * effort / range;
        axis.rest = random.between(-0.5, 0.5) * range;
    }
    if random.chance(0.4) {
        axis.damping = random.magnitude(0.01, 1.0) * effort / range;
    }
    if random.chance(0.3) {
        axis.friction = random.magnitude(0.01, 1.0) * effort;
    }
    if is_driven && random.chance(0.5) {
        axis.motor = Some(match random.below(3) {
            0 => MotorSpec::Effort(EffortMotor { effort: random.between(-1.0, 1.0) * effort }),
            1 => MotorSpec::Velocity(VelocityMotor {
                target: random.between(-3.0, 3.0) * range,
                gain: random.magnitude(0.1, 10.0) * effort / range,
            }),
            _ => MotorSpec::Position(PositionMotor {
                target: random.between(-1.0, 1.0) * range,
                stiffness: random.magnitude(1.0, 30.0) * effort / range,
                damping: random.magnitude(0.1, 3.0) * effort / range,
            }),
        });
        axis.max_effort = Some(2.0 * effort);
    }
    axis
}

fn ball(random: &mut Random, torque: f64, is_driven: bool) -> SphericalJoint {
    let mut ball = SphericalJoint::default();
    if random.chance(0.6) {
        ball.limit = Some(random.between(0.3, 1.5));
    }
    if random.chance(0.3) {
        ball.stiffness = random.magnitude(0.3, 30.0) * torque;
        ball.rest = random.vector(0.2);
    }
    if random.chance(0.4) {
        ball.damping = random.magnitude(0.01, 1.0) * torque;
    }
    if random.chance(0.3) {
        ball.friction = random.magnitude(0.01, 1.0) * torque;
    }
    if is_driven && random.chance(0.5) {
        ball.motor = Some(match random.below(3) {
            0 => BallMotorSpec::Effort(EffortMotor { effort: random.vector(0.5) * torque }),
            1 => BallMotorSpec::Velocity(VelocityMotor { target: random.vector(2.0), gain: torque }),
            _ => BallMotorSpec::Position(PositionMotor {
                target: random.vector(0.5),
                stiffness: random.magnitude(1.0, 30.0) * torque,
                damping: torque,
            }),
        });
        ball.max_effort = Some(2.0 * torque);
    }
    ball
}
