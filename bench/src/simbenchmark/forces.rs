//! A constant force.

use burgess_dynamics::Workspace;
use burgess_simulation::{LowLevelController, World};
use glam::DVec3;

/// A force on a link at its joint's anchor, which is the centre of mass of a free link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyForce {
    /// Index of the link.
    pub link: usize,
    /// Force, in N.
    pub force: DVec3,
    /// End time, in s.
    pub until: f64,
}

impl LowLevelController for SteadyForce {
    fn load(&self, _memory: &[f64], _world: &World, time: f64, workspace: &mut Workspace) {
        // A tolerance of 1 ns for the rounding of sums of steps.
        if time < self.until - 1e-9 {
            workspace.apply_force(self.link, self.force, DVec3::ZERO, workspace.anchor(self.link));
        }
    }
}
