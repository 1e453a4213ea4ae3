//! The probe: all that can be said of a body at a moment.

use serde::Serialize;

/// What a body does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    /// Its place in a frame.
    pub body: usize,
    /// What others call it.
    pub name: String,
    /// Of its frame, in m.
    pub position: [f64; 3],
    /// As x, y, z, w.
    pub orientation: [f64; 4],
    /// Of its frame's origin, in m/s.
    pub velocity: [f64; 3],
    /// In rad/s.
    pub angular_velocity: [f64; 3],
    /// In kg.
    pub mass: f64,
    /// What it hangs by.
    pub joint: Option<JointProbe>,
    /// One for each body that it touches.
    pub contacts: Vec<Touching>,
    /// The sum of contact forces on it, in N.
    pub force: [f64; 3],
}

/// A joint, by degree of freedom.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointProbe {
    /// As the appearance names it.
    pub kind: &'static str,
    /// In rad or m; a ball joint's are a quaternion.
    pub positions: Vec<f64>,
    /// In rad/s or m/s.
    pub velocities: Vec<f64>,
    /// Of springs and motors, in N m or N.
    pub efforts: Vec<f64>,
}

/// Another body that pushes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Touching {
    /// Its name.
    pub with: String,
    /// On the probed body, in N.
    pub force: [f64; 3],
}
