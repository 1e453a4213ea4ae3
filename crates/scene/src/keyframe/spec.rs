//! Other states to start from.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::Orientation;

/// A state by name: bodies that are not in it start as they say themselves.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyframeSpec {
    /// What it is called.
    pub name: String,
    /// By the names of bodies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bodies: BTreeMap<String, BodyStart>,
    /// Controls by the names of actuators.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, f64>,
}

/// How a body starts: a free one by its pose and velocities, one on a joint by those of its axes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyStart {
    /// Of a free body's origin, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Of a free body, or of a ball joint.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
    /// Of a free body's centre of mass, in m/s.
    #[serde(skip_serializing_if = "is_default")]
    pub velocity: DVec3,
    /// Of a free body along the world's axes, of a ball joint along the axes of its frame on the body, in rad/s.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_velocity: DVec3,
    /// Of the axes of a joint, in rad or m whatever the joint's unit is; all zero if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<f64>,
    /// Of the axes of a joint, in rad/s or m/s; all zero if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub velocities: Vec<f64>,
}
