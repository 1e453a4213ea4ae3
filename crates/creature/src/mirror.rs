//! Mirror images in the plane y = 0.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// Returns the mirror image of a pose (y to -y).
pub(crate) fn mirrored(pose: &Pose) -> Pose {
    let (DQuat { x, y, z, w }, at) = (pose.rotation, pose.translation);
    Pose::new(DQuat::from_xyzw(-x, y, -z, w), DVec3::new(at.x, -at.y, at.z))
}
