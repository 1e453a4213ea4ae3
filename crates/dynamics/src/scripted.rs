//! Links whose motion is prescribed: moving platforms, kinematic hands. A scripted root accelerates whatever hangs on
//! it and feels nothing itself; the passes treat it as a moving base.

use burgess_geometry::Pose;

use crate::joint::Joint;
use crate::spatial::Motion;
use crate::{Model, Workspace};

/// The motion of a scripted link at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScriptedMotion {
    /// Where the link's own frame is.
    pub pose: Pose,
    /// Angular velocity, and linear velocity of the frame's origin; along the world's axes.
    pub velocity: Motion,
    /// Angular acceleration, and linear acceleration of the frame's origin; along the world's axes.
    pub acceleration: Motion,
}

impl Default for ScriptedMotion {
    fn default() -> Self {
        Self { pose: Pose::IDENTITY, velocity: Motion::ZERO, acceleration: Motion::ZERO }
    }
}

impl Workspace {
    /// Prescribes the motion of a scripted link for the passes that follow; until then it rests at the origin. False if
    /// the link is not scripted.
    pub fn set_script(&mut self, model: &Model, link: usize, motion: ScriptedMotion) -> bool {
        match model.links().get(link).map(|link| link.joint) {
            Some(Joint::Scripted { slot }) => {
                self.scripts[slot as usize] = motion;
                true
            }
            _ => false,
        }
    }
}
