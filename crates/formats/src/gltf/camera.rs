//! Cameras: those of the scene, and one that sees all that can move.
//!
//! A camera of glTF looks along its -z with y up.

use burgess_geometry::{Aabb, Pose};
use burgess_scene::spec::CameraSpec;
use glam::{DMat3, DQuat, DVec3, dvec3};

use super::document::{Camera, Perspective};

/// Where the camera that sees everything stands, from the middle of the action.
const FROM: DVec3 = dvec3(0.45, -1.0, 0.4);
/// From top to bottom, in degrees.
const FIELD_OF_VIEW: f64 = 40.0;
/// So much farther away than need be.
const SPARE: f64 = 1.1;
/// Nearer things are not seen, as a share of the distance of what is looked at.
const NEAR: f64 = 0.01;
/// Farther things are not seen, in the same measure.
const FAR: f64 = 1000.0;
/// The action is taken to be at least so large, in m, and at most so far away that single precision has room for it.
const SMALLEST: f64 = 1e-3;
const FARTHEST: f64 = 1e30;

/// Where everything happens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Action {
    /// In m.
    pub center: DVec3,
    /// Half the sides of the box around it, in m.
    half_extents: DVec3,
}

impl Action {
    /// In a box; around the origin if it is empty.
    pub fn within(reach: &Aabb) -> Self {
        if !(reach.min.is_finite() && reach.max.is_finite()) {
            return Self { center: DVec3::ZERO, half_extents: DVec3::ONE };
        }
        let center = reach.center().clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST));
        Self { center, half_extents: reach.half_extents().clamp(DVec3::splat(SMALLEST), DVec3::splat(FARTHEST)) }
    }

    /// Of the ball around it, in m.
    pub fn radius(&self) -> f64 {
        self.half_extents.length()
    }

    /// A camera that sees all of it, in pictures that are at least as wide as high.
    pub fn camera(&self) -> CameraSpec {
        let back = FROM.normalize();
        let right = DVec3::Z.cross(back).normalize();
        let slope = libm::tan(0.5 * FIELD_OF_VIEW.to_radians());
        // A corner is in the picture if it is no farther from the line of sight than the distance times the slope.
        let distance = |corner: DVec3| {
            let aside = corner.dot(right).abs().max(corner.dot(back.cross(right)).abs());
            corner.dot(back) + aside / slope
        };
        let corners = Aabb::from_center(DVec3::ZERO, self.half_extents).corners();
        let farthest = corners.into_iter().map(distance).fold(0.0, f64::max);
        CameraSpec {
            name: "everything that moves".to_string(),
            position: self.center + SPARE * farthest * back,
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
