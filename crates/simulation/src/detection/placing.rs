//! Poses and speeds of links and colliders at the present state.

use burgess_collision::broad_phase::Pair;
use burgess_dynamics::Workspace;
use glam::DVec3;

use super::CollisionDetection;
use crate::world::World;

/// Speed of a collider: the velocity of its link's anchor, and the speed of its farthest point due to rotation, in m/s.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ColliderMotion {
    pub linear: DVec3,
    pub turning: f64,
}

impl CollisionDetection {
    /// Moves all links and colliders to the poses of the workspace.
    pub(super) fn place(&mut self, world: &World, workspace: &Workspace) {
        self.place_links(world, workspace);
        for index in 0..world.colliders.len() {
            self.place_collider(world, workspace, index);
        }
    }

    /// Moves the colliders of some pairs to the poses of the workspace, and links where constraints need them.
    pub(super) fn place_members(&mut self, world: &World, workspace: &Workspace, pairs: &[Pair]) {
        for (link, anchor) in self.anchors.iter_mut().enumerate() {
            *anchor = workspace.anchor(link);
        }
        if !world.constraints.is_empty() {
            self.place_links(world, workspace);
        }
        self.is_placed.clear();
        self.is_placed.resize(world.colliders.len(), false);
        for index in pairs.iter().flat_map(|pair| [pair.a.index(), pair.b.index()]) {
            if !std::mem::replace(&mut self.is_placed[index], true) {
                if let Some(link) = world.colliders[index].link {
                    self.link_poses[link] = workspace.pose(&world.model, link);
                }
                self.place_collider(world, workspace, index);
            }
        }
    }

    fn place_links(&mut self, world: &World, workspace: &Workspace) {
        for (link, pose) in self.link_poses.iter_mut().enumerate() {
            *pose = workspace.pose(&world.model, link);
            self.anchors[link] = workspace.anchor(link);
        }
    }

    fn place_collider(&mut self, world: &World, workspace: &Workspace, index: usize) {
        let collider = &world.colliders[index];
        match collider.link {
            Some(link) => {
                self.poses[index] = self.link_poses[link].compose(&collider.pose);
                let velocity = workspace.velocity_at(link, workspace.anchor(link));
                let turning = velocity.angular.length() * collider.reach;
                self.motions[index] = ColliderMotion { linear: velocity.linear, turning };
            }
            None => self.poses[index] = collider.pose,
        }
    }
}
