//! Specs of tendons: a damped spring on a weighted sum of joint positions.
//!
//! ```text
//!   length = sum of coefficient position
//!   force  = -stiffness (excess of the length over `rest`) - damping length'
//! ```
//!
//! Each axis feels `coefficient force`.

use serde::{Deserialize, Serialize};

use crate::spec::is_default;

/// A tendon over joints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TendonSpec {
    /// Name, for references.
    pub name: String,
    /// Joints whose positions make up the length.
    pub joints: Vec<TendonJoint>,
    /// Stiffness; the unit follows from the coefficients, such as N/m or N m/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stiffness: f64,
    /// Damping, in the unit of the stiffness times s.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: [f64; 2],
}

/// The contribution of one joint to a tendon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TendonJoint {
    /// Name of the body with the joint.
    pub joint: String,
    /// Axis of the joint, counted from 0; not of a ball joint.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// Factor of its position (rad or m).
    pub coefficient: f64,
}
