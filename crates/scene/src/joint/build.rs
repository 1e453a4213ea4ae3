//! Builds joints and their positions and velocities at the start.

use burgess_dynamics as dynamics;
use burgess_dynamics::{Axis, AxisKind, AxisProperties, LimitSpring, Motor};
use glam::DVec3;

use crate::spec::{AngleUnit, AxisSpec, BallMotorSpec, JointKind, JointSpec, MotorSpec, SphericalJoint, StackAxisSpec};

/// A joint with its positions and velocities at the start. Free joints start at the pose of the body instead.
#[derive(Debug, Clone)]
pub struct BuiltJoint {
    /// The joint for the simulator.
    pub joint: dynamics::JointSpec,
    /// Positions of its axes at the start, in rad or m.
    pub positions: Vec<f64>,
    /// Velocities of its axes at the start, in rad/s or m/s.
    pub velocities: Vec<f64>,
}

/// Makes the simulator's joint from that of a scene.
pub fn build_joint(spec: &JointSpec) -> BuiltJoint {
    let unit = spec.angle_unit.in_radians();
    let built = match &spec.kind {
        JointKind::Weld(_) => stiff(dynamics::JointSpec::weld()),
        JointKind::Free(free) => {
            let mut joint = dynamics::JointSpec::free();
            for (axis, properties) in joint.properties_mut().into_iter().enumerate() {
                properties.damping = if axis < 3 { free.angular_damping } else { free.linear_damping };
            }
            return stiff(joint);
        }
        JointKind::Revolute(axis) => stack(&[(AxisKind::Hinge, axis)], unit),
        JointKind::Prismatic(axis) => stack(&[(AxisKind::Slide, axis)], unit),
        JointKind::Universal(pair) => stack(&[(AxisKind::Hinge, &pair.first), (AxisKind::Hinge, &pair.second)], unit),
        JointKind::Stack(axes) => {
            let mut list = Vec::new();
            for axis in &axes.axes {
                list.push(match axis {
                    StackAxisSpec::Hinge(axis) => (AxisKind::Hinge, axis),
                    StackAxisSpec::Slide(axis) => (AxisKind::Slide, axis),
                });
            }
            stack(&list, unit)
        }
        JointKind::Spherical(ball) => spherical(ball, unit),
    };
    let joint = built.joint.in_parent(spec.in_parent.pose()).in_child(spec.in_child.pose());
    BuiltJoint { joint, ..built }
}

impl AngleUnit {
    /// The size of the unit, in rad.
    pub fn in_radians(self) -> f64 {
        match self {
            Self::Radians => 1.0,
            Self::Degrees => std::f64::consts::PI / 180.0,
        }
    }
}

impl JointSpec {
    /// Factor that converts a motor's target on an axis (from 0) to rad, rad/s, m or m/s. Does not apply to efforts.
    pub fn target_unit(&self, axis: usize) -> f64 {
        let slides = match &self.kind {
            JointKind::Prismatic(_) => true,
            JointKind::Stack(stack) => matches!(stack.axes.get(axis), Some(StackAxisSpec::Slide(_))),
            _ => false,
        };
        if slides { 1.0 } else { self.angle_unit.in_radians() }
    }
}

fn stiff(joint: dynamics::JointSpec) -> BuiltJoint {
    BuiltJoint { joint, positions: Vec::new(), velocities: Vec::new() }
}

fn stack(axes: &[(AxisKind, &AxisSpec)], angle: f64) -> BuiltJoint {
    let unit = |kind: AxisKind| if kind == AxisKind::Hinge { angle } else { 1.0 };
    let axis = |&(kind, spec): &(AxisKind, &AxisSpec)| Axis {
        kind,
        direction: spec.axis,
        anchor: spec.anchor,
        properties: properties(spec, unit(kind)),
    };
    BuiltJoint {
        joint: dynamics::JointSpec::stack(axes.iter().map(axis).collect()),
        positions: axes.iter().map(|(kind, spec)| spec.position * unit(*kind)).collect(),
        velocities: axes.iter().map(|(kind, spec)| spec.velocity * unit(*kind)).collect(),
    }
}

fn properties(spec: &AxisSpec, unit: f64) -> AxisProperties {
    let motor = match &spec.motor {
        None => Motor::None,
        Some(MotorSpec::Effort(motor)) => Motor::Effort(motor.effort),
        Some(MotorSpec::Velocity(motor)) => Motor::Velocity { target: motor.target * unit, gain: motor.gain },
        Some(MotorSpec::Position(motor)) => {
            Motor::Position { target: motor.target * unit, stiffness: motor.stiffness, damping: motor.damping }
        }
    };
    let spring = LimitSpring { stiffness: spec.limit_stiffness, damping: spec.limit_damping };
    AxisProperties {
        limit: spec.limit.map(|[low, high]| (low * unit, high * unit)),
        limit_spring: (spec.limit_stiffness > 0.0).then_some(spring),
        stiffness: spec.stiffness,
        rest: spec.rest * unit,
        damping: spec.damping,
        friction: spec.friction,
        armature: spec.armature,
        motor,
        max_effort: spec.max_effort.unwrap_or(f64::INFINITY),
    }
}

fn spherical(ball: &SphericalJoint, unit: f64) -> BuiltJoint {
    let mut joint = dynamics::JointSpec::spherical();
    for (axis, slot) in joint.properties_mut().into_iter().enumerate() {
        let part = |vector: DVec3| vector[axis];
        let motor = match &ball.motor {
            None => Motor::None,
            Some(BallMotorSpec::Effort(motor)) => Motor::Effort(part(motor.effort)),
            Some(BallMotorSpec::Velocity(motor)) => {
                Motor::Velocity { target: part(motor.target) * unit, gain: motor.gain }
            }
            Some(BallMotorSpec::Position(motor)) => {
                let (stiffness, damping) = (motor.stiffness, motor.damping);
                Motor::Position { target: part(motor.target) * unit, stiffness, damping }
            }
        };
        *slot = AxisProperties {
            limit: ball.limit.filter(|_| axis == 0).map(|angle| (0.0, angle * unit)),
            limit_spring: None,
            stiffness: ball.stiffness,
            rest: part(ball.rest) * unit,
            damping: ball.damping,
            friction: ball.friction,
            armature: ball.armature,
            motor,
            max_effort: ball.max_effort.unwrap_or(f64::INFINITY),
        };
    }
    let start = ball.orientation.rotation().unwrap_or(glam::DQuat::IDENTITY);
    let velocities = (ball.velocity * unit).to_array().to_vec();
    BuiltJoint { joint, positions: start.to_array().to_vec(), velocities }
}
