//! Motions that are prescribed.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::Orientation;
use crate::spec::tagged::tagged;

tagged! {
    /// A motion from the body's position and orientation on.
    pub enum ScriptSpec {
        /// On a line at constant speed, turning at a constant rate.
        "steady" => Steady(SteadyScript),
        /// To and fro.
        "oscillation" => Oscillation(OscillationScript),
        /// Smoothly from place to place.
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
    /// About the body's origin, in rad/s.
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
    /// As a rotation vector along the world's axes, in degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle_degrees: DVec3,
    /// In 1/s.
    pub frequency: f64,
    /// In degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase_degrees: f64,
}

/// Places and the times at which the body is there; between them it moves smoothly. Before the first and after the last
/// it rests, unless it repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyframesScript {
    /// At least two, in the order of their times.
    pub keys: Vec<KeySpec>,
    /// Begin anew after the last key, which must be at the place of the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: bool,
}

/// A place at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySpec {
    /// Time, in s.
    pub time: f64,
    /// Relative to the body's position and orientation, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Relative to the body's orientation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}
