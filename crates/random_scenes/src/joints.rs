//! Random joints with random mechanics.

use burgess_scene::spec::{
    AxisSpec, BallMotorSpec, EffortMotor, FreeJoint, JointKind, JointSpec, MotorSpec, PositionMotor, SphericalJoint,
    StackAxisSpec, StackJoint, UniversalJoint, VelocityMotor, WeldJoint,
};
use glam::DVec3;

use super::dice::Dice;

/// A joint for a body of some mass (kg) and radius (m), within reach of its limits.
pub(super) fn random(dice: &mut Dice, mass: f64, radius: f64, is_driven: bool) -> JointSpec {
    // What holds the body up on a lever of its own size.
    let torque = 9.81 * mass * radius;
    let hinge = |dice: &mut Dice| axis(dice, torque, 1.0, is_driven);
    let slide = |dice: &mut Dice| axis(dice, torque / radius, radius, is_driven);
    let kind = match dice.below(9) {
        0 => JointKind::Weld(WeldJoint {}),
        1 | 2 => JointKind::Revolute(hinge(dice)),
        3 => JointKind::Prismatic(slide(dice)),
        4 | 5 => {
            let first = hinge(dice);
            let mut second = hinge(dice);
            second.axis = first.axis.any_orthonormal_vector();
            JointKind::Universal(UniversalJoint { first, second })
        }
        6 | 7 => JointKind::Spherical(Box::new(ball(dice, torque, is_driven))),
        _ => {
            let turn = dice.rotation();
            let axes = DVec3::AXES.map(|axis| turn * axis);
            let count = 2 + dice.below(2);
            let mut stack = Vec::new();
            for &direction in &axes[..count] {
                let slides = dice.chance(0.5);
                let mut axis = if slides { slide(dice) } else { hinge(dice) };
                axis.axis = direction;
                stack.push(if slides { StackAxisSpec::Slide(axis) } else { StackAxisSpec::Hinge(axis) });
            }
            JointKind::Stack(StackJoint { axes: stack })
        }
    };
    JointSpec::new(kind)
}

/// A joint of a body that floats in something thick.
pub(super) fn floating(dice: &mut Dice, mass: f64, radius: f64) -> JointSpec {
    let rate = dice.between(0.0, 1.0);
    JointSpec::new(JointKind::Free(FreeJoint {
        linear_damping: rate * mass,
        angular_damping: 0.4 * rate * mass * radius * radius,
    }))
}

/// `effort`: what the axis has to bear, in N m or N; `range`: a typical motion, in rad or m.
fn axis(dice: &mut Dice, effort: f64, range: f64, is_driven: bool) -> AxisSpec {
    let mut axis = AxisSpec::new(dice.direction());
    let slides = range != 1.0;
    if slides || dice.chance(0.6) {
        let (low, high) = (dice.between(-1.2, 0.0) * range, dice.between(0.1, 1.2) * range);
        axis.limit = Some([low, high]);
        axis.position = dice.between(low, high);
    }
    if dice.chance(0.3) {
        axis.stiffness = dice.magnitude(0.3, 30.0) * effort / range;
        axis.rest = dice.between(-0.5, 0.5) * range;
    }
    if dice.chance(0.4) {
        axis.damping = dice.magnitude(0.01, 1.0) * effort / range;
    }
    if dice.chance(0.3) {
        axis.friction = dice.magnitude(0.01, 1.0) * effort;
    }
    if is_driven && dice.chance(0.5) {
        axis.motor = Some(match dice.below(3) {
            0 => MotorSpec::Effort(EffortMotor { effort: dice.between(-1.0, 1.0) * effort }),
            1 => MotorSpec::Velocity(VelocityMotor {
                target: dice.between(-3.0, 3.0) * range,
                gain: dice.magnitude(0.1, 10.0) * effort / range,
            }),
            _ => MotorSpec::Position(PositionMotor {
                target: dice.between(-1.0, 1.0) * range,
                stiffness: dice.magnitude(1.0, 30.0) * effort / range,
                damping: dice.magnitude(0.1, 3.0) * effort / range,
            }),
        });
        axis.max_effort = Some(2.0 * effort);
    }
    axis
}

fn ball(dice: &mut Dice, torque: f64, is_driven: bool) -> SphericalJoint {
    let mut ball = SphericalJoint::default();
    if dice.chance(0.6) {
        ball.limit = Some(dice.between(0.3, 1.5));
    }
    if dice.chance(0.3) {
        ball.stiffness = dice.magnitude(0.3, 30.0) * torque;
        ball.rest = dice.vector(0.2);
    }
    if dice.chance(0.4) {
        ball.damping = dice.magnitude(0.01, 1.0) * torque;
    }
    if dice.chance(0.3) {
        ball.friction = dice.magnitude(0.01, 1.0) * torque;
    }
    if is_driven && dice.chance(0.5) {
        ball.motor = Some(match dice.below(3) {
            0 => BallMotorSpec::Effort(EffortMotor { effort: dice.vector(0.5) * torque }),
            1 => BallMotorSpec::Velocity(VelocityMotor { target: dice.vector(2.0), gain: torque }),
            _ => BallMotorSpec::Position(PositionMotor {
                target: dice.vector(0.5),
                stiffness: dice.magnitude(1.0, 30.0) * torque,
                damping: torque,
            }),
        });
        ball.max_effort = Some(2.0 * torque);
    }
    ball
}
