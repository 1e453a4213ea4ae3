//! Pairs that pass each other: their gaps shrink now, but they will not meet.
//!
//! A contact with a gap is a plane that the other body may not cross within the step. That is right for what comes head
//! on. A ball that rolls over the seam between two boxes approaches the edge of the next one just as fast, and yet will
//! roll on to its top: the plane of the edge would brake it. So a pair that has only gaps, and would cross one of them,
//! is followed along its motion (conservative advancement: it can go on for its distance divided by its speed): if it
//! does not get into each other within the step, its contacts are left out of it.

use burgess_collision::narrow_phase::{PairCache, closest};
use burgess_dynamics::Workspace;
use burgess_geometry::{Pose, Shape};
use glam::DQuat;

use super::CollisionDetection;
use crate::contact::WorldContact;
use crate::world::World;

/// Maximum number of distance queries along the motion of a pair. A pair that has not passed by then may collide.
const LOOKS: usize = 48;
/// Depths up to this share of the margin are not a collision.
const TOUCH: f64 = 0.05;
/// Gaps below this share of the margin are contact.
const CONTACT: f64 = 1e-3;
/// A pair in touch is looked at again when it has moved by this share of the thinner body's extent, so that nothing is
/// missed.
const STRIDE: f64 = 0.25;

impl CollisionDetection {
    /// Leaves out the contacts of pairs that pass each other.
    pub(super) fn drop_passing(&mut self, world: &World, workspace: &Workspace) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let mut kept = 0;
        let mut start = 0;
        while start < contacts.len() {
            let pair = contacts[start].pair;
            let end = start + contacts[start..].iter().take_while(|contact| contact.pair == pair).count();
            if !self.passes(world, workspace, &contacts[start..end]) {
                contacts.copy_within(start..end, kept);
                kept += end - start;
            }
            start = end;
        }
        contacts.truncate(kept);
        self.contacts = contacts;
    }

    fn passes(&mut self, world: &World, workspace: &Workspace, contacts: &[WorldContact]) -> bool {
        let (interval, touch) = (self.lookahead.interval, TOUCH * self.lookahead.margin);
        let apart = contacts.iter().all(|contact| contact.distance > CONTACT * self.lookahead.margin);
        if !apart || !contacts.iter().any(|contact| crosses(workspace, contact, interval)) {
            return false;
        }
        let (a, b) = (contacts[0].collider_a as usize, contacts[0].collider_b as usize);
        let (shape_a, shape_b) = (&*world.colliders()[a].shape, &*world.colliders()[b].shape);
        // A half-space is its plane: what crosses that, meets it.
        if matches!(shape_a, Shape::HalfSpace(_)) || matches!(shape_b, Shape::HalfSpace(_)) {
            return false;
        }
        let (motion_a, motion_b) = (self.motions[a], self.motions[b]);
        let speed = (motion_b.linear - motion_a.linear).length() + motion_a.turning + motion_b.turning;
        let extent = |shape: &Shape| shape.aabb(&Pose::IDENTITY).extents().min_element();
        let thinnest = extent(shape_a).min(extent(shape_b));
        let mut cache = PairCache::default();
        let mut time = 0.0;
        for _ in 0..LOOKS {
            let pose_a = moved(workspace, contacts[0].link_a, &self.poses[a], time);
            let pose_b = moved(workspace, contacts[0].link_b, &self.poses[b], time);
            let found = closest(shape_a, &pose_a, shape_b, &pose_b, &mut cache, &mut self.scratch);
            let Some(found) = found else { return false };
            let distance = found.proximity.distance - self.held_apart(a, b);
            if distance < -touch {
                return false;
            }
            if time >= interval {
                return true;
            }
            time = (time + distance.max(STRIDE * thinnest) / speed).min(interval);
        }
        false
    }
}

/// Returns whether the gap of a contact would close within a time.
fn crosses(workspace: &Workspace, contact: &WorldContact, interval: f64) -> bool {
    let rate = contact.opening_speed(workspace);
    contact.distance + rate * interval < 0.0
}

/// The pose of a collider after its link has moved on at constant velocity.
fn moved(workspace: &Workspace, link: Option<usize>, pose: &Pose, time: f64) -> Pose {
    let Some(link) = link else { return *pose };
    let anchor = workspace.anchor(link);
    let velocity = workspace.velocity_at(link, anchor);
    let turn = DQuat::from_scaled_axis(velocity.angular * time);
    Pose::new(turn * pose.rotation, anchor + velocity.linear * time + turn * (pose.translation - anchor))
}
