//! Drift and penetration of a scene, computed from the poses in the same way for every simulator.

use burgess_geometry::Pose;
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query;
use parry3d_f64::shape::Cuboid;
use serde::Serialize;

use super::{Block, Scene, Standing};

/// Measured values at one time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Steadiness {
    /// Maximum displacement of a body from its start, in m.
    pub drift: f64,
    /// Maximum penetration, in m.
    pub penetration: f64,
    /// Number of contact points.
    pub contacts: usize,
}

impl Steadiness {
    /// Measures a simulator with a scene.
    pub fn measure(scene: &Scene, side: &dyn Standing) -> Self {
        let penetration = deepest_penetration(scene, &side.poses());
        Self { drift: drift(scene, side), penetration, contacts: side.contacts() }
    }
}

/// Returns the maximum displacement of a body from its start, in m.
pub fn drift(scene: &Scene, side: &dyn Standing) -> f64 {
    let poses = side.poses();
    let moved = scene.blocks.iter().zip(&poses).map(|(block, pose)| (pose.translation - block.center).length());
    moved.fold(0.0, |most, moved| if moved.is_nan() { moved } else { most.max(moved) })
}

/// Returns the maximum penetration between boxes, or of a box into the ground, in m.
pub fn deepest_penetration(scene: &Scene, poses: &[Pose]) -> f64 {
    let mut deepest = 0.0_f64;
    for (index, (a, pose_a)) in scene.blocks.iter().zip(poses).enumerate() {
        deepest = deepest.max(depth_in_ground(a, pose_a));
        for (b, pose_b) in scene.blocks.iter().zip(poses).skip(index + 1) {
            let reach = a.half_extents.length() + b.half_extents.length();
            if pose_a.translation.distance_squared(pose_b.translation) < reach * reach {
                deepest = deepest.max(depth(a, pose_a, b, pose_b));
            }
        }
    }
    deepest
}

fn depth_in_ground(block: &Block, pose: &Pose) -> f64 {
    let up = pose.rotation.inverse() * glam::DVec3::Z;
    up.abs().dot(block.half_extents) - pose.translation.z
}

fn depth(a: &Block, pose_a: &Pose, b: &Block, pose_b: &Pose) -> f64 {
    let [pose_a, pose_b] = [pose_a, pose_b].map(|pose| ParryPose::from_parts(pose.translation, pose.rotation));
    let found = query::contact(&pose_a, &Cuboid::new(a.half_extents), &pose_b, &Cuboid::new(b.half_extents), 0.0);
    found.ok().flatten().map_or(0.0, |contact| -contact.dist)
}
