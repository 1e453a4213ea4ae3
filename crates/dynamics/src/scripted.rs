//! Links with prescribed motion, such as moving platforms. A scripted root accelerates its subtree and is not affected
//! by it; the passes treat it as a moving base.

use burgess_geometry::Pose;

use crate::joint::Joint;
use crate::spatial::Motion;
use crate::{Model, Workspace};

/// The motion of a scripted link at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScriptedMotion {
    /// Pose of the link's own frame.
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
    /// Prescribes the motion of a scripted link for the following passes; before the first call it rests at the origin.
    /// Returns false if the link is not scripted.
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
