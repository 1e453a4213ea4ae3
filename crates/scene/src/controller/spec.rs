//! Specs of controllers (Fontijne (2000) section 3.11.2): what acts on bodies and joints besides gravity, contacts and
//! constant motors. Low-level controllers apply forces, high-level ones set motors and give impulses.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::crowd::spec::CrowdSpec;
use super::flock::FlockSpec;
use crate::constraint::spec::AnchorSpec;
use crate::spec::is_default;
use crate::spec::tagged::tagged;

tagged! {
    /// A controller.
    pub enum ControllerSpec {
        /// Low level: the same acceleration or force on many bodies.
        "force_field" => ForceField(ForceFieldSpec),
        /// Low level: a damped spring between two points, explicit in time.
        "spring" => Spring(SpringSpec),
        /// Low level: a force at a point of a body.
        "constant_force" => ConstantForce(ConstantForceSpec),
        /// High level: targets of a motor over time.
        "motor_schedule" => MotorSchedule(MotorScheduleSpec),
        /// High level: torque on wheels that decreases as they reach a speed.
        "speed_limiter" => SpeedLimiter(SpeedLimiterSpec),
        /// High level: an impulse at a given time.
        "impulse" => Impulse(ImpulseSpec),
        /// Both levels: bodies that fly together.
        "flock" => Flock(FlockSpec),
        /// High level: people who walk, and vehicles.
        "crowd" => Crowd(Box<CrowdSpec>),
    }
}

/// The interval in which a controller acts; always if left out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Interval {
    /// Start, in s.
    #[serde(skip_serializing_if = "is_default")]
    pub from: f64,
    /// End, in s; unbounded if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Interval {
    /// Returns whether the interval contains a time (s). The start is included, the end is not.
    pub fn contains(&self, time: f64) -> bool {
        time >= self.from && self.until.is_none_or(|until| time < until)
    }
}

/// A box along the world's axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionSpec {
    /// Lowest corner, in m.
    pub min: DVec3,
    /// Highest corner, in m.
    pub max: DVec3,
}

/// The same acceleration or the same force on bodies, at their centres of mass. Exactly one of the two is given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ForceFieldSpec {
    /// Names of the bodies; all that can move if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<String>,
    /// Acceleration, added to gravity, in m/s^2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<DVec3>,
    /// Force on each body, in N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<DVec3>,
    /// Acts only on bodies whose centre of mass is in this box; everywhere if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionSpec>,
    /// Interval in which it acts.
    #[serde(skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// A damped spring between two points: `-(stiffness (d - length) + damping d')` along the line, with d the distance.
/// Explicit in time; use a constraint for stiff springs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The first point; its orientation is ignored.
    pub a: AnchorSpec,
    /// The second point; its orientation is ignored.
    pub b: AnchorSpec,
    /// Rest length, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub length: f64,
    /// Stiffness, in N/m.
    pub stiffness: f64,
    /// Damping, in N s/m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Interval in which it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// The axes that a vector is given along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameSpec {
    /// The axes of the world.
    #[default]
    World,
    /// The axes of the body, which turn with it.
    Body,
}

/// A force and a torque on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantForceSpec {
    /// Name of the body.
    pub body: String,
    /// Force, in N.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: DVec3,
    /// Torque, in N m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub torque: DVec3,
    /// Point of application in the body's coordinates, in m; the centre of mass if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<DVec3>,
    /// The axes that force and torque are along.
    #[serde(default, skip_serializing_if = "is_default")]
    pub frame: FrameSpec,
    /// Interval in which it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// Interpolation between two keys of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetweenKeys {
    /// Keeps the value of the earlier key.
    #[default]
    Hold,
    /// Interpolates linearly.
    Linear,
}

/// Sets the target (or the effort) of a joint's motor over time. Before the first key the motor is that of the joint;
/// after the last it keeps the last value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorScheduleSpec {
    /// Name of the body whose joint has the motor.
    pub joint: String,
    /// Axis of the joint, counted from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// Keys in the order of their times, at least one.
    pub keys: Vec<TargetKey>,
    /// Interpolation between keys.
    #[serde(default, skip_serializing_if = "is_default")]
    pub between: BetweenKeys,
    /// Period after which the schedule repeats, in s, at least the time of the last key; never if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
}

/// A target at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetKey {
    /// Time, in s.
    pub time: f64,
    /// Target, in the unit of the motor: rad, rad/s, m, m/s or the joint's angle unit; N m or N for an effort.
    pub target: f64,
}

/// Drives wheels with a torque that limits their speed: `torque (1 - speed / max_speed)`, never negative, where the
/// speed is that of the joint in the direction of the torque (Fontijne (2000) section 3.11.2, the car). While it acts
/// it replaces the joints' own motors, so their `max_effort` applies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimiterSpec {
    /// Names of the bodies whose joints are driven.
    pub joints: Vec<String>,
    /// Axis of each joint, counted from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// Torque at rest, in N m (or N); its sign is the direction.
    pub torque: f64,
    /// Speed at which the torque is zero, in rad/s (or m/s).
    pub max_speed: f64,
    /// Interval in which it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// An impulse on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpulseSpec {
    /// Name of the body.
    pub body: String,
    /// Impulse, in N s.
    pub impulse: DVec3,
    /// Point of application in the body's coordinates, in m; the centre of mass if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<DVec3>,
    /// The axes that the impulse is along.
    #[serde(default, skip_serializing_if = "is_default")]
    pub frame: FrameSpec,
    /// Time, in s: the step that begins at this time or contains it.
    pub time: f64,
}
