//! A push that does not change.

use burgess_dynamics::Workspace;
use burgess_simulation::{LowLevelController, World};
use glam::DVec3;

/// A force on a link at its joint's anchor, which is the centre of mass of a free link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyForce {
    /// Index of the link.
    pub link: usize,
    /// In N.
    pub force: DVec3,
    /// It ends at this time, in s.
    pub until: f64,
}

impl LowLevelController for SteadyForce {
    fn load(&self, _memory: &[f64], _world: &World, time: f64, workspace: &mut Workspace) {
        // A nanosecond for the rounding of sums of steps.
        if time < self.until - 1e-9 {
            workspace.apply_force(self.link, self.force, DVec3::ZERO, workspace.anchor(self.link));
        }
    }
}
