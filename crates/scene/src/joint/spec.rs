//! Specs of joints between a body and its parent.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::{Orientation, PoseSpec};
use crate::spec::tagged::{read_with_kind, tagged};

/// The unit of the angles of a joint: limits, rest, position, velocity and targets of motors. Stiffness, damping and
/// gains are always per radian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AngleUnit {
    /// rad and rad/s.
    #[default]
    Radians,
    /// Degrees and degrees per second.
    Degrees,
}

tagged! {
    /// How a body moves on its parent.
    pub enum JointKind {
        /// No motion.
        "weld" => Weld(WeldJoint),
        /// Rotation about an axis.
        "revolute" => Revolute(AxisSpec),
        /// Translation along an axis.
        "prismatic" => Prismatic(AxisSpec),
        /// Rotation about two axes, the second carried by the first.
        "universal" => Universal(UniversalJoint),
        /// Rotation about a point.
        "spherical" => Spherical(Box<SphericalJoint>),
        /// Free motion with damping; only for bodies without a parent. Without damping, leave the joint out.
        "free" => Free(FreeJoint),
        /// Rotation about and translation along one to six axes, each carried by the ones before it.
        "stack" => Stack(StackJoint),
    }
}

/// A weld; it has no parameters.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeldJoint {}

/// Two hinges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UniversalJoint {
    /// The hinge on the parent.
    pub first: AxisSpec,
    /// The hinge on the first.
    pub second: AxisSpec,
}

/// Hinges and slides in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackJoint {
    /// The axes, one to six.
    pub axes: Vec<StackAxisSpec>,
}

tagged! {
    /// An axis of a stack.
    pub enum StackAxisSpec {
        /// A hinge.
        "hinge" => Hinge(AxisSpec),
        /// A slide.
        "slide" => Slide(AxisSpec),
    }
}

/// One axis of a joint, its mechanics and where it starts. Units are those of a hinge; for a slide read m for rad, N
/// for N m, kg for kg m^2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisSpec {
    /// Direction in the joint's frame; any length but zero.
    pub axis: DVec3,
    /// A point of a hinge's axis in the joint's frame, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub anchor: DVec3,
    /// Lowest and highest position, in rad or the joint's angle unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<[f64; 2]>,
    /// Makes the limit a spring that pushes back beyond it, in N m/rad; hard if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limit_stiffness: f64,
    /// Damping beyond a limit that is a spring, in N m s/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limit_damping: f64,
    /// Spring towards `rest`, in N m/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stiffness: f64,
    /// Rest position of the spring, in rad or the joint's angle unit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: f64,
    /// Damping, in N m s/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Dry friction, in N m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: f64,
    /// Inertia of the drive, in kg m^2.
    #[serde(default, skip_serializing_if = "is_default")]
    pub armature: f64,
    /// Motor; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<MotorSpec>,
    /// Largest effort of the motor, in N m; without limit if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_effort: Option<f64>,
    /// Position at the start, in rad or the joint's angle unit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: f64,
    /// Velocity at the start, in rad/s or the joint's angle unit per second.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: f64,
}

impl AxisSpec {
    /// An axis without any mechanics, at zero and at rest.
    pub fn new(axis: DVec3) -> Self {
        Self {
            axis,
            anchor: DVec3::ZERO,
            limit: None,
            limit_stiffness: 0.0,
            limit_damping: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            motor: None,
            max_effort: None,
            position: 0.0,
            velocity: 0.0,
        }
    }
}

tagged! {
    /// A motor of an axis.
    pub enum MotorSpec {
        /// A given torque or force.
        "effort" => Effort(EffortMotor<f64>),
        /// A servo for velocity.
        "velocity" => Velocity(VelocityMotor<f64>),
        /// A servo for position.
        "position" => Position(PositionMotor<f64>),
    }
}

tagged! {
    /// A motor of a spherical joint; vectors are along the axes of the joint's frame on the body.
    pub enum BallMotorSpec {
        /// A given torque.
        "effort" => Effort(EffortMotor<DVec3>),
        /// A servo for velocity.
        "velocity" => Velocity(VelocityMotor<DVec3>),
        /// A servo for orientation; the target is a rotation vector.
        "position" => Position(PositionMotor<DVec3>),
    }
}

/// A given effort.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffortMotor<T> {
    /// Effort, in N m or N.
    pub effort: T,
}

/// `gain (target - velocity)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VelocityMotor<T> {
    /// Target, in rad/s, m/s or the joint's angle unit per second.
    pub target: T,
    /// Gain, in N m s/rad or N s/m.
    pub gain: f64,
}

/// `stiffness (target - position) - damping velocity`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionMotor<T> {
    /// Target, in rad, m or the joint's angle unit.
    pub target: T,
    /// Stiffness, in N m/rad or N/m.
    pub stiffness: f64,
    /// Damping, in N m s/rad or N s/m.
    pub damping: f64,
}

/// A ball joint: the same mechanics about every axis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SphericalJoint {
    /// Largest angle from the reference orientation, in rad or the joint's angle unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Spring towards `rest`, in N m/rad.
    #[serde(skip_serializing_if = "is_default")]
    pub stiffness: f64,
    /// Rotation vector at which the spring is at rest, in rad or the joint's angle unit.
    #[serde(skip_serializing_if = "is_default")]
    pub rest: DVec3,
    /// Damping, in N m s/rad.
    #[serde(skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Dry friction, in N m.
    #[serde(skip_serializing_if = "is_default")]
    pub friction: f64,
    /// Inertia of the drive about every axis, in kg m^2.
    #[serde(skip_serializing_if = "is_default")]
    pub armature: f64,
    /// Motor; none if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<BallMotorSpec>,
    /// Largest effort of the motor about each axis, in N m; without limit if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_effort: Option<f64>,
    /// Orientation at the start.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
    /// Angular velocity at the start, along the axes of the joint's frame on the body, in rad/s or the joint's angle
    /// unit per second.
    #[serde(skip_serializing_if = "is_default")]
    pub velocity: DVec3,
}

/// Damping of a body that moves freely.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FreeJoint {
    /// Damping of translation, in N s/m.
    #[serde(skip_serializing_if = "is_default")]
    pub linear_damping: f64,
    /// Damping of rotation, in N m s/rad.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_damping: f64,
}

/// A joint between a body and its parent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointSpec {
    /// The kind of joint.
    #[serde(flatten)]
    pub kind: JointKind,
    /// Name of the parent body; the world if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The joint's frame in the coordinates of the parent.
    #[serde(skip_serializing_if = "is_default")]
    pub in_parent: PoseSpec,
    /// The joint's frame in the coordinates of the body itself, when all positions are zero.
    #[serde(skip_serializing_if = "is_default")]
    pub in_child: PoseSpec,
    /// Unit of the angles.
    #[serde(skip_serializing_if = "is_default")]
    pub angle_unit: AngleUnit,
}

read_with_kind!(JointSpec: JointKind {
    parent = None,
    in_parent = PoseSpec::default(),
    in_child = PoseSpec::default(),
    angle_unit = AngleUnit::Radians,
});

impl JointSpec {
    /// A joint at the origin of the world and of the body, angles in rad.
    pub fn new(kind: JointKind) -> Self {
        let (in_parent, in_child) = (PoseSpec::default(), PoseSpec::default());
        Self { kind, parent: None, in_parent, in_child, angle_unit: AngleUnit::Radians }
    }

    /// A hinge.
    pub fn revolute(axis: AxisSpec) -> Self {
        Self::new(JointKind::Revolute(axis))
    }

    /// A slide.
    pub fn prismatic(axis: AxisSpec) -> Self {
        Self::new(JointKind::Prismatic(axis))
    }

    /// Attaches it to a parent body, at a frame in that body's coordinates.
    pub fn on(mut self, parent: &str, in_parent: PoseSpec) -> Self {
        self.parent = Some(parent.to_string());
        self.in_parent = in_parent;
        self
    }

    /// Sets its frame in the body's own coordinates.
    pub fn in_child(mut self, frame: PoseSpec) -> Self {
        self.in_child = frame;
        self
    }

    /// Number of degrees of freedom.
    pub fn axes(&self) -> usize {
        match &self.kind {
            JointKind::Weld(_) => 0,
            JointKind::Revolute(_) | JointKind::Prismatic(_) => 1,
            JointKind::Universal(_) => 2,
            JointKind::Spherical(_) => 3,
            JointKind::Free(_) => 6,
            JointKind::Stack(stack) => stack.axes.len(),
        }
    }
}

impl JointSpec {
    /// Returns whether the axis has a motor.
    pub(crate) fn has_motor(&self, axis: usize) -> bool {
        let driven = |axis: &AxisSpec| axis.motor.is_some();
        match &self.kind {
            JointKind::Weld(_) | JointKind::Free(_) => false,
            JointKind::Revolute(own) | JointKind::Prismatic(own) => driven(own),
            JointKind::Universal(pair) => driven(if axis == 0 { &pair.first } else { &pair.second }),
            JointKind::Spherical(ball) => ball.motor.is_some(),
            JointKind::Stack(stack) => stack.axes.get(axis).is_some_and(|own| {
                let (StackAxisSpec::Hinge(own) | StackAxisSpec::Slide(own)) = own;
                driven(own)
            }),
        }
    }
}
