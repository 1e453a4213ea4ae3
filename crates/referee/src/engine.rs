//! What another simulator must do.

use glam::DVec3;
use thiserror::Error;

/// A state in MuJoCo's coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moment {
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
}

/// An external force on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Push {
    /// Name of the body in the model.
    pub body: String,
    /// Force, in N, along the world's axes.
    pub force: DVec3,
    /// Moment about the point, in N m, along the world's axes.
    pub moment: DVec3,
    /// Point of the world at which the force acts, in m.
    pub point: DVec3,
}

/// What drives the bodies in a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drive {
    /// Controls in the order of the model's actuators.
    pub controls: Vec<f64>,
    /// Whether the actuators act. They are off while a creature settles.
    pub is_active: bool,
    /// External forces.
    pub pushes: Vec<Push>,
}

/// Why an engine cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EngineError(pub String);

/// Another simulator, with a model that it has loaded from MJCF.
pub trait Engine: std::fmt::Debug + Send {
    /// Advances by `step` s from the given state, which is replaced by the one at the end of the step.
    fn advance(&mut self, moment: &mut Moment, drive: &Drive, step: f64) -> Result<(), EngineError>;

    /// Number of steps into which each step of Burgess is divided.
    fn substeps(&self) -> u32 {
        1
    }

    /// Calls `visit` with the names of two bodies for every contact that transmitted a force in the last step.
    fn touches(&self, visit: &mut dyn FnMut(&str, &str));
}
