//! A high-level controller that gives one impulse.

use burgess_simulation::{ControllerContext, HighLevelController};
use glam::DVec3;

use super::TIME_TOLERANCE;
use super::forces::in_world;
use crate::spec::FrameSpec;

/// An impulse at a given time.
#[derive(Debug)]
pub(super) struct Blow {
    pub link: usize,
    /// Point of application in the link's coordinates, in m.
    pub point: DVec3,
    /// Impulse, in N s.
    pub impulse: DVec3,
    pub frame: FrameSpec,
    /// Time, in s.
    pub time: f64,
    /// Step of the simulation, in s; the impulse acts in the step that contains its time.
    pub step: f64,
}

impl HighLevelController for Blow {
    /// Called on every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// Returns whether the impulse has been given.
    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        if memory[0] != 0.0 || context.state.time + self.step <= self.time + TIME_TOLERANCE {
            return;
        }
        memory[0] = 1.0;
        let impulse = in_world(self.frame, self.impulse, context.world, context.workspace, self.link);
        let point = context.workspace.pose(context.world.model(), self.link).transform_point(self.point);
        context.push(self.link, impulse, point);
    }
}
