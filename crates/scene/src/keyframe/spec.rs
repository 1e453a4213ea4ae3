//! Specs of keyframes.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::Orientation;

/// A named state to start from. Bodies that are not in it keep their start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyframeSpec {
    /// Name.
    pub name: String,
    /// States by the names of bodies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bodies: BTreeMap<String, BodyStart>,
    /// Controls by the names of actuators.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, f64>,
}

/// The state of a body at the start: pose and velocities of a free body, positions and velocities of the axes of a
/// joint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyStart {
    /// Position of the origin of a free body, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation of a free body or of a ball joint.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
    /// Velocity of the centre of mass of a free body, in m/s.
    #[serde(skip_serializing_if = "is_default")]
    pub velocity: DVec3,
    /// Angular velocity, of a free body along the world's axes, of a ball joint along the axes of its frame on the
    /// body, in rad/s.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_velocity: DVec3,
    /// Positions of the axes of a joint, in rad or m, independent of the joint's unit; all zero if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<f64>,
    /// Velocities of the axes of a joint, in rad/s or m/s; all zero if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub velocities: Vec<f64>,
}
