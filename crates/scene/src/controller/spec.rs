//! What acts on bodies and joints besides gravity, contacts and motors that never change (000 section 3.11.2). Plain
//! data: low-level ones say forces, high-level ones say when and how much.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::constraint::spec::AnchorSpec;
use crate::spec::is_default;
use crate::spec::tagged::tagged;

tagged! {
    /// One controller.
    pub enum ControllerSpec {
        /// Low level: the same acceleration or force on many bodies.
        "force_field" => ForceField(ForceFieldSpec),
        /// Low level: a damped spring between two points, explicit in time.
        "spring" => Spring(SpringSpec),
        /// Low level: a force at a point of a body.
        "constant_force" => ConstantForce(ConstantForceSpec),
        /// High level: targets of a motor over time.
        "motor_schedule" => MotorSchedule(MotorScheduleSpec),
        /// High level: torque on wheels that fades as they reach a speed.
        "speed_limiter" => SpeedLimiter(SpeedLimiterSpec),
        /// High level: a blow at a time.
        "impulse" => Impulse(ImpulseSpec),
    }
}

/// From when until when something acts; always if left out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Interval {
    /// From, in s.
    #[serde(skip_serializing_if = "is_default")]
    pub from: f64,
    /// Until, in s; for ever if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Interval {
    /// Does it act at this time (s)? The start belongs to it, the end does not.
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
    /// Added to gravity, in m/s^2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<DVec3>,
    /// On each body, in N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<DVec3>,
    /// Acts only on bodies with their centre of mass in here; everywhere if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionSpec>,
    /// When it acts.
    #[serde(skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// A damped spring between two points: `-(stiffness (d - length) + damping d')` along the line, with d the distance.
/// Explicit in time: stiff springs belong among the constraints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The first point; its orientation does not matter.
    pub a: AnchorSpec,
    /// The second point; its orientation does not matter.
    pub b: AnchorSpec,
    /// At rest, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub length: f64,
    /// Stiffness, in N/m.
    pub stiffness: f64,
    /// Damping, in N s/m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// When it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// The axes that a vector is given along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameSpec {
    /// The world's.
    #[default]
    World,
    /// The body's own, turning with it.
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
    /// Where the force acts, in the body's coordinates, in m; at the centre of mass if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<DVec3>,
    /// The axes that force and torque are along.
    #[serde(default, skip_serializing_if = "is_default")]
    pub frame: FrameSpec,
    /// When it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// What a schedule does between two of its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetweenKeys {
    /// Keeps the value of the earlier key.
    #[default]
    Hold,
    /// Goes on a straight line to the next.
    Linear,
}

/// Sets the target (or the effort) of a joint's motor over time. Before the first key the motor is as its joint says;
/// after the last it keeps the last value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorScheduleSpec {
    /// Name of the body whose joint has the motor.
    pub joint: String,
    /// Which axis of the joint, from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// At least one, in the order of their times.
    pub keys: Vec<TargetKey>,
    /// What happens between two keys.
    #[serde(default, skip_serializing_if = "is_default")]
    pub between: BetweenKeys,
    /// Begin anew after so many seconds, at least the time of the last key; never if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
}

/// A target at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetKey {
    /// Time, in s.
    pub time: f64,
    /// In the unit of the motor's target: rad, rad/s, m, m/s or the joint's angle unit; N m or N for an effort.
    pub target: f64,
}

/// Drives wheels with a torque that keeps them from spinning: `torque (1 - speed / max_speed)`, never less than
/// nothing, where the speed is that of the joint in the direction of the torque (000 section 3.11.2, the car). While it
/// acts it is in the place of the joints' own motors, so their `max_effort` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimiterSpec {
    /// Names of the bodies whose joints are driven.
    pub joints: Vec<String>,
    /// Which axis of each joint, from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// At rest, in N m (or N); its sign is the direction.
    pub torque: f64,
    /// Where no torque is left, in rad/s (or m/s).
    pub max_speed: f64,
    /// When it acts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Interval,
}

/// A blow on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpulseSpec {
    /// Name of the body.
    pub body: String,
    /// Impulse, in N s.
    pub impulse: DVec3,
    /// Where it acts, in the body's coordinates, in m; at the centre of mass if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<DVec3>,
    /// The axes that the impulse is along.
    #[serde(default, skip_serializing_if = "is_default")]
    pub frame: FrameSpec,
    /// Time, in s: the step that begins at this time or contains it.
    pub time: f64,
}
