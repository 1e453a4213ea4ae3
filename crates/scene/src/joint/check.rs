//! Checks of joints.

use burgess_files::At;
use glam::DVec3;

use crate::rules::{
    Checked, check_orientation, check_pose, conflict, direction, finite, finite_vector, not_negative, refuse,
};
use crate::spec::{AxisSpec, BallMotorSpec, JointKind, JointSpec, MotorSpec, SphericalJoint, StackAxisSpec};

pub(crate) fn check_joint(at: At, joint: &JointSpec) -> Checked {
    check_pose(at.field("in_parent"), &joint.in_parent)?;
    check_pose(at.field("in_child"), &joint.in_child)?;
    match &joint.kind {
        JointKind::Weld(_) => Ok(()),
        JointKind::Revolute(axis) | JointKind::Prismatic(axis) => check_axis(at, axis),
        JointKind::Universal(pair) => {
            check_axis(at.field("first"), &pair.first)?;
            check_axis(at.field("second"), &pair.second)
        }
        JointKind::Spherical(ball) => check_ball(at, ball),
        JointKind::Free(free) => {
            if joint.parent.is_some() || joint.in_parent != Default::default() || joint.in_child != Default::default() {
                return conflict(at, "a free joint has neither a parent nor frames; the body has a position");
            }
            not_negative(at.field("linear_damping"), free.linear_damping)?;
            not_negative(at.field("angular_damping"), free.angular_damping)
        }
        JointKind::Stack(stack) => {
            let list = at.field("axes");
            if !(1..=6).contains(&stack.axes.len()) {
                return refuse(list, "one to six", stack.axes.len() as f64);
            }
            for (index, axis) in stack.axes.iter().enumerate() {
                let (StackAxisSpec::Hinge(axis) | StackAxisSpec::Slide(axis)) = axis;
                check_axis(list.index(index), axis)?;
            }
            Ok(())
        }
    }
}

fn check_axis(at: At, axis: &AxisSpec) -> Checked {
    direction(at.field("axis"), axis.axis)?;
    finite_vector(at.field("anchor"), axis.anchor)?;
    if let Some([low, high]) = axis.limit
        && (low.is_nan() || high.is_nan() || low > high)
    {
        return conflict(at.field("limit"), &format!("the lower limit comes first, found [{low}, {high}]"));
    }
    if axis.limit.is_none() && axis.limit_stiffness != 0.0 {
        return conflict(at.field("limit_stiffness"), "there is no limit that could be soft");
    }
    if axis.limit_stiffness == 0.0 && axis.limit_damping != 0.0 {
        return conflict(at.field("limit_damping"), "only a limit with a limit_stiffness can be damped");
    }
    let passive = [
        ("limit_stiffness", axis.limit_stiffness),
        ("limit_damping", axis.limit_damping),
        ("stiffness", axis.stiffness),
        ("damping", axis.damping),
        ("friction", axis.friction),
        ("armature", axis.armature),
        ("max_effort", axis.max_effort.unwrap_or(0.0)),
    ];
    for (name, value) in passive {
        not_negative(at.field(name), value)?;
    }
    for (name, value) in [("rest", axis.rest), ("position", axis.position), ("velocity", axis.velocity)] {
        finite(at.field(name), value)?;
    }
    let at = at.field("motor");
    let (name, target, gains) = match &axis.motor {
        None => return Ok(()),
        Some(MotorSpec::Effort(motor)) => ("effort", motor.effort, [("effort", 0.0); 2]),
        Some(MotorSpec::Velocity(motor)) => ("target", motor.target, [("gain", motor.gain); 2]),
        Some(MotorSpec::Position(motor)) => {
            ("target", motor.target, [("stiffness", motor.stiffness), ("damping", motor.damping)])
        }
    };
    finite(at.field(name), target)?;
    gains.into_iter().try_for_each(|(name, gain)| not_negative(at.field(name), gain))
}

fn check_ball(at: At, ball: &SphericalJoint) -> Checked {
    let passive = [
        ("limit", ball.limit.unwrap_or(0.0)),
        ("stiffness", ball.stiffness),
        ("damping", ball.damping),
        ("friction", ball.friction),
        ("armature", ball.armature),
        ("max_effort", ball.max_effort.unwrap_or(0.0)),
    ];
    for (name, value) in passive {
        not_negative(at.field(name), value)?;
    }
    finite_vector(at.field("rest"), ball.rest)?;
    finite_vector(at.field("velocity"), ball.velocity)?;
    check_orientation(at.field("orientation"), &ball.orientation)?;
    let at = at.field("motor");
    let (name, target, gains): (_, DVec3, _) = match &ball.motor {
        None => return Ok(()),
        Some(BallMotorSpec::Effort(motor)) => ("effort", motor.effort, [("effort", 0.0); 2]),
        Some(BallMotorSpec::Velocity(motor)) => ("target", motor.target, [("gain", motor.gain); 2]),
        Some(BallMotorSpec::Position(motor)) => {
            ("target", motor.target, [("stiffness", motor.stiffness), ("damping", motor.damping)])
        }
    };
    finite_vector(at.field(name), target)?;
    gains.into_iter().try_for_each(|(name, gain)| not_negative(at.field(name), gain))
}
