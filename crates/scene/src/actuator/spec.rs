//! Specs of actuators: drives of joint axes with a control input.
//!
//! ```text
//!   force  = gain control + bias[0] + bias[1] gear position + bias[2] gear velocity
//!   effort = gear force
//! ```
//!
//! with the control kept within `control_range` and the force within `force_range`. A motor is `gain` alone; a servo
//! for position has `gain = k` and `bias = [0, -k, -d]`, one for velocity `gain = d` and `bias = [0, 0, -d]`.
//!
//! The axis must have no `motor` of its own; its `max_effort` limits the sum of its actuators. If the force depends on
//! position or velocity, `force_range` must be symmetric and the actuator must be the only one on its axis. An actuator
//! of a ball joint that depends on position must also be the only one on its axis.

use serde::{Deserialize, Serialize};

use crate::spec::is_default;

/// A drive on one axis of a joint. Several on one axis add up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActuatorSpec {
    /// Name, for references.
    pub name: String,
    /// Name of the body whose joint it drives.
    pub joint: String,
    /// Axis of the joint, counted from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// Ratio of effort to force, and of the position and velocity in the bias to those of the axis; 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gear: f64,
    /// Force per control; 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gain: f64,
    /// Force at rest, per position (rad or m) and per velocity; the last two are not positive.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bias: [f64; 3],
    /// Lowest and highest control; any if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_range: Option<[f64; 2]>,
    /// Lowest and highest force, before the gear; any if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force_range: Option<[f64; 2]>,
    /// The control at the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub control: f64,
}

fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

impl ActuatorSpec {
    /// Returns whether the force depends on the position or the velocity of the axis.
    pub fn feels_motion(&self) -> bool {
        self.bias[1] != 0.0 || self.bias[2] != 0.0
    }

    /// A motor: the control is its force.
    pub fn motor(name: &str, joint: &str, axis: usize) -> Self {
        Self {
            name: name.to_string(),
            joint: joint.to_string(),
            axis,
            gear: 1.0,
            gain: 1.0,
            bias: [0.0; 3],
            control_range: None,
            force_range: None,
            control: 0.0,
        }
    }

    /// A servo for position: `stiffness (control - position) - damping velocity`.
    pub fn position(name: &str, joint: &str, axis: usize, stiffness: f64, damping: f64) -> Self {
        Self { gain: stiffness, bias: [0.0, -stiffness, -damping], ..Self::motor(name, joint, axis) }
    }

    /// A servo for velocity: `damping (control - velocity)`.
    pub fn velocity(name: &str, joint: &str, axis: usize, damping: f64) -> Self {
        Self { gain: damping, bias: [0.0, 0.0, -damping], ..Self::motor(name, joint, axis) }
    }
}
