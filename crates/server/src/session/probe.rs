//! The probe: the state of one body at one step.

use serde::Serialize;

/// The state of a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Probe {
    /// Index of the body in a frame.
    pub body: usize,
    /// Name of the body.
    pub name: String,
    /// Position of the frame of the body, in m.
    pub position: [f64; 3],
    /// Orientation as quaternion x, y, z, w.
    pub orientation: [f64; 4],
    /// Velocity of the origin of the frame of the body, in m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, in rad/s.
    pub angular_velocity: [f64; 3],
    /// Mass, in kg.
    pub mass: f64,
    /// State of the joint to the parent.
    pub joint: Option<JointProbe>,
    /// Contact forces, one for each body in contact.
    pub contacts: Vec<ContactProbe>,
    /// Sum of the contact forces on the body, in N.
    pub force: [f64; 3],
}

/// State of a joint.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JointProbe {
    /// Type of the joint, as in the appearance.
    pub kind: &'static str,
    /// Positions, in rad or m. A spherical joint has a quaternion.
    pub positions: Vec<f64>,
    /// Velocities, in rad/s or m/s.
    pub velocities: Vec<f64>,
    /// Efforts of springs and motors, in N m or N.
    pub efforts: Vec<f64>,
}

/// The force of another body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ContactProbe"))]
pub struct ContactProbe {
    /// Name of the other body.
    pub with: String,
    /// Force on the probed body, in N.
    pub force: [f64; 3],
}
