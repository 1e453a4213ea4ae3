//! Cameras: those of the scene, and one that sees all that moves.
//!
//! A camera of glTF looks along its -z with y up.

use burgess_geometry::{Aabb, Pose};
use glam::{DMat3, DQuat, DVec3, dvec3};

use super::document::{Camera, Perspective};
use crate::spec::CameraSpec;

/// Where the camera that sees everything stands, from the middle of the action.
const FROM: DVec3 = dvec3(0.45, -1.0, 0.4);
/// From top to bottom, in degrees.
const FIELD_OF_VIEW: f64 = 40.0;
/// Nearer things are not seen, as a share of the distance of what is looked at.
const NEAR: f64 = 0.01;
/// Farther things are not seen, in the same measure.
const FAR: f64 = 1000.0;
/// The action is taken to be at least so large, in m, and at most so far away that single precision has room for it.
const SMALLEST: f64 = 1e-3;
const FARTHEST: f64 = 1e30;

/// The ball in which everything happens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Action {
    /// In m.
    pub center: DVec3,
    /// In m.
    pub radius: f64,
}

impl Action {
    /// Around a box; something small around the origin if it is empty.
    pub fn around(reach: &Aabb) -> Self {
        if !(reach.min.is_finite() && reach.max.is_finite()) {
            return Self { center: DVec3::ZERO, radius: 1.0 };
        }
        let center = reach.center().clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST));
        Self { center, radius: reach.half_extents().length().clamp(SMALLEST, FARTHEST) }
    }

    /// A camera that sees all of it.
    pub fn camera(&self) -> CameraSpec {
        let distance = 1.05 * self.radius / libm::sin(0.5 * FIELD_OF_VIEW.to_radians());
        CameraSpec {
            name: "everything that moves".to_string(),
            position: self.center + distance * FROM.normalize(),
            target: self.center,
            field_of_view_degrees: FIELD_OF_VIEW,
            follow: None,
        }
    }
}

/// A camera's lens, and its place in the world's coordinates (or those of the body that it follows).
pub(super) fn place(camera: &CameraSpec) -> (Camera, Pose) {
    let sight = camera.target - camera.position;
    let forward = sight.try_normalize().unwrap_or(DVec3::Y);
    // Looking straight down, the top of the picture is along y.
    let right = forward.cross(DVec3::Z).try_normalize().unwrap_or(DVec3::X);
    let rotation = DQuat::from_mat3(&DMat3::from_cols(right, right.cross(forward), -forward)).normalize();
    let distance = sight.length().clamp(SMALLEST, FARTHEST);
    let perspective = Perspective {
        yfov: camera.field_of_view_degrees.to_radians() as f32,
        znear: (NEAR * distance) as f32,
        zfar: (FAR * distance) as f32,
    };
    let name = if camera.name.is_empty() { "camera".to_string() } else { camera.name.clone() };
    (Camera { name, kind: "perspective", perspective }, Pose::new(rotation, camera.position))
}
