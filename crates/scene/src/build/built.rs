//! Results of building a scene.

use std::ops::Range;

use burgess_dynamics::{LinkId, State, Workspace};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{Place, World};

use super::drag::FluidDrag;
use crate::actuator::Actuators;
use crate::sensor::Sensors;

/// A body of a scene in the built world.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltBody {
    /// Link of the body, shared with the bodies that are welded to it; `None` if it is fixed and has no children.
    pub link: Option<LinkId>,
    /// Frame of the body in the coordinates of its link; the identity unless it is welded to another body.
    pub in_link: Pose,
    /// Initial pose of a fixed or free body; the identity otherwise.
    pub pose: Pose,
    /// Mass of the body in the coordinates of its link, without the bodies that are welded to it; `None` if forces do
    /// not move it, or if it has no mass.
    pub mass: Option<MassProperties>,
    /// Range of its shapes among the colliders of the world, in order.
    pub colliders: Range<usize>,
}

impl BuiltBody {
    /// Returns the body's frame on its link, or in the world if it has no link.
    pub fn place(&self) -> Place {
        (self.link, if self.link.is_some() { self.in_link } else { self.pose })
    }

    /// Returns the pose of the body's frame in the world, from an up-to-date workspace.
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
    /// The constant part of the simulation.
    pub world: World,
    /// Initial state.
    pub state: State,
    /// The scene's bodies, in the scene's order.
    pub bodies: Vec<BuiltBody>,
    /// Fluid drag, if the scene has a fluid.
    pub drag: Option<FluidDrag>,
    /// Actuators, which convert controls to motors. The world's motors have the initial controls.
    pub actuators: Actuators,
    /// Sensors of the scene.
    pub sensors: Sensors,
}

impl BuiltScene {
    /// Returns the index of a body's link in the model. Welded bodies share a link.
    pub fn link_index(&self, body: usize) -> Option<usize> {
        self.world.index(self.bodies.get(body)?.link?)
    }
}
