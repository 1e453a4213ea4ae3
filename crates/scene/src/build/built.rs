//! What becomes of a scene.

use std::ops::Range;

use burgess_dynamics::{LinkId, State, Workspace};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{Place, World};

use super::drag::FluidDrag;
use crate::actuator::Actuators;
use crate::sensor::Sensors;

/// What became of a body of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltBody {
    /// Its link, which it shares with the bodies that are welded to it; none if it stands in the world and nothing hangs on
    /// it.
    pub link: Option<LinkId>,
    /// Its frame in the coordinates of its link; the identity unless it is welded to another body.
    pub in_link: Pose,
    /// Where its frame is at the start if it stands in the world or moves freely; the identity otherwise.
    pub pose: Pose,
    /// Its own mass in the coordinates of its link, without that of the bodies that are welded to it; none if forces do not
    /// move it, or if it has none.
    pub mass: Option<MassProperties>,
    /// Its shapes among the colliders of the world, in order.
    pub colliders: Range<usize>,
}

impl BuiltBody {
    /// Its frame on its link, or in the world if it has none.
    pub fn place(&self) -> Place {
        (self.link, if self.link.is_some() { self.in_link } else { self.pose })
    }

    /// Where its frame is, from a workspace that is current.
    pub fn frame(&self, world: &World, workspace: &Workspace) -> Pose {
        match self.link.and_then(|link| world.index(link)) {
            Some(link) => workspace.pose(world.model(), link).compose(&self.in_link),
            None => self.pose,
        }
    }
}

/// A scene that can be stepped.
#[derive(Debug, Clone)]
pub struct BuiltScene {
    /// What does not change.
    pub world: World,
    /// How it starts.
    pub state: State,
    /// What became of the scene's bodies, in their order.
    pub bodies: Vec<BuiltBody>,
    /// The fluid, and what it drags on.
    pub drag: Option<FluidDrag>,
    /// What turns controls into motors; the world's are at the controls of the start.
    pub actuators: Actuators,
    /// What is measured.
    pub sensors: Sensors,
}

impl BuiltScene {
    /// Index of a body's link in the model. Bodies that are welded to each other share one.
    pub fn link_index(&self, body: usize) -> Option<usize> {
        self.world.index(self.bodies.get(body)?.link?)
    }
}
