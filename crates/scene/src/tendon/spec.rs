//! Tendons: one length made of the positions of several joints, with a damped spring.
//!
//! ```text
//!   length = sum of coefficient position
//!   force  = -stiffness (what the length is beyond `rest`) - damping length'
//! ```
//!
//! Each axis feels `coefficient force`.

use serde::{Deserialize, Serialize};

use crate::spec::is_default;

/// A tendon over joints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TendonSpec {
    /// What others call it.
    pub name: String,
    /// What its length is made of.
    pub joints: Vec<TendonJoint>,
    /// In N/m, N m/rad or a mixture, as the coefficients make it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stiffness: f64,
    /// The like, times s.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: [f64; 2],
}

/// One joint's part in a tendon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TendonJoint {
    /// Name of the body whose joint it is.
    pub joint: String,
    /// Which axis of the joint, from 0; not of a ball.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
    /// What its position (rad or m) is multiplied by.
    pub coefficient: f64,
}
