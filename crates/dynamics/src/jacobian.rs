//! Columns of the Jacobian of a point: its motion by unit joint velocities.

use glam::DVec3;

use crate::model::WORLD;
use crate::spatial::{Motion, RigidInertia};
use crate::{Model, Workspace};

impl Workspace {
    /// Calls `with(dof, motion)` for every degree of freedom between a link and its root, outermost link first.
    /// `motion` is the angular velocity of the link and the velocity of its point at `point` of the world for a unit
    /// velocity along that degree of freedom.
    #[inline]
    pub fn for_each_column(&self, model: &Model, link: usize, point: DVec3, mut with: impl FnMut(usize, Motion)) {
        let mut index = link as u32;
        while index != WORLD {
            let link = &model.links[index as usize];
            let arm = point - self.links[index as usize].origin;
            for dof in link.v..link.v + link.dofs as usize {
                with(dof, self.axes[dof].shifted(arm));
            }
            index = link.parent;
        }
    }

    /// Returns the inertia of a link about its anchor, along the axes of the world.
    pub fn rigid_inertia(&self, model: &Model, link: usize) -> RigidInertia {
        model.links[link].inertia.rotated(&self.links[link].rotation)
    }
}
