//! Specs of prescribed motions.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::Orientation;
use crate::spec::tagged::tagged;

tagged! {
    /// A prescribed motion that starts from the body's position and orientation.
    pub enum ScriptSpec {
        /// Constant velocity and angular velocity.
        "steady" => Steady(SteadyScript),
        /// Sinusoidal oscillation.
        "oscillation" => Oscillation(OscillationScript),
        /// Smooth motion through keys.
        "keyframes" => Keyframes(KeyframesScript),
    }
}

/// Constant velocities.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SteadyScript {
    /// Velocity, in m/s.
    #[serde(skip_serializing_if = "is_default")]
    pub velocity: DVec3,
    /// Angular velocity about the body's origin, in rad/s.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_velocity: DVec3,
}

/// Displacement by `sin(2 pi frequency t + phase)` times the amplitudes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OscillationScript {
    /// Amplitude, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub amplitude: DVec3,
    /// Angular amplitude as a rotation vector along the world's axes, in degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle_degrees: DVec3,
    /// Frequency, in 1/s.
    pub frequency: f64,
    /// Phase, in degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase_degrees: f64,
}

/// Smooth motion through poses at given times. The body rests before the first and after the last key, unless the
/// motion repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyframesScript {
    /// At least two keys in the order of their times.
    pub keys: Vec<KeySpec>,
    /// Whether the motion repeats after the last key, which must then have the pose of the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: bool,
}

/// A pose at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySpec {
    /// Time, in s.
    pub time: f64,
    /// Position relative to the body's initial pose, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation relative to the body's initial orientation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}
