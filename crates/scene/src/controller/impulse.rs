//! A high-level controller that gives one impulse.

use burgess_simulation::{Hands, HighLevelController};
use glam::DVec3;

use super::TIME_TOLERANCE;
use super::forces::in_world;
use crate::spec::FrameSpec;

/// A blow at a time.
#[derive(Debug)]
pub(super) struct Blow {
    pub link: usize,
    /// In the link's own coordinates, in m.
    pub point: DVec3,
    /// Impulse, in N s.
    pub impulse: DVec3,
    pub frame: FrameSpec,
    /// Time, in s.
    pub time: f64,
    /// Of the simulation, in s: the step that contains the time is the one.
    pub step: f64,
}

impl HighLevelController for Blow {
    /// Every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// Has it been given?
    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], hands: &mut Hands) {
        if memory[0] != 0.0 || hands.state.time + self.step <= self.time + TIME_TOLERANCE {
            return;
        }
        memory[0] = 1.0;
        let impulse = in_world(self.frame, self.impulse, hands.world, hands.workspace, self.link);
        let point = hands.workspace.pose(hands.world.model(), self.link).transform_point(self.point);
        hands.push(self.link, impulse, point);
    }
}
