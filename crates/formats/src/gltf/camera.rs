//! Cameras: those of the scene, and one that shows everything that can move.
//!
//! A glTF camera looks along -z with y up.

use burgess_geometry::{Aabb, Pose};
use burgess_scene::spec::CameraSpec;
use glam::{DMat3, DQuat, DVec3, dvec3};

use super::document::{Camera, Perspective};

/// Direction from the centre of the view to the overview camera.
const OVERVIEW_DIRECTION: DVec3 = dvec3(0.45, -1.0, 0.4);
/// Vertical field of view of the overview camera, in degrees.
const FIELD_OF_VIEW: f64 = 40.0;
/// Factor by which the overview camera is farther away than necessary.
const DISTANCE_MARGIN: f64 = 1.1;
/// Distance of the near plane, relative to the distance of the target.
const NEAR: f64 = 0.01;
/// Distance of the far plane, relative to the distance of the target.
const FAR: f64 = 1000.0;
/// Minimum extent of the view, in m.
const MIN_EXTENT: f64 = 1e-3;
/// Maximum distance, in m; single precision can represent it.
const MAX_DISTANCE: f64 = 1e30;

/// The region in which the bodies move.
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewBounds {
    /// Centre of the region, in m.
    pub center: DVec3,
    /// Half extents of the region, in m.
    half_extents: DVec3,
}

impl ViewBounds {
    /// Creates the region from a box; it is around the origin if the box is empty.
    pub fn new(bounds: &Aabb) -> Self {
        if !(bounds.min.is_finite() && bounds.max.is_finite()) {
            return Self { center: DVec3::ZERO, half_extents: DVec3::ONE };
        }
        let center = bounds.center().clamp(DVec3::splat(-MAX_DISTANCE), DVec3::splat(MAX_DISTANCE));
        Self { center, half_extents: bounds.half_extents().clamp(DVec3::splat(MIN_EXTENT), DVec3::splat(MAX_DISTANCE)) }
    }

    /// Returns the radius of the bounding sphere, in m.
    pub fn radius(&self) -> f64 {
        self.half_extents.length()
    }

    /// Returns a camera that shows the whole region in images that are at least as wide as high.
    pub fn camera(&self) -> CameraSpec {
        let back = OVERVIEW_DIRECTION.normalize();
        let right = DVec3::Z.cross(back).normalize();
        let slope = libm::tan(0.5 * FIELD_OF_VIEW.to_radians());
        // A corner is visible if its distance from the line of sight is at most the distance along it times the slope.
        let distance = |corner: DVec3| {
            let lateral = corner.dot(right).abs().max(corner.dot(back.cross(right)).abs());
            corner.dot(back) + lateral / slope
        };
        let corners = Aabb::from_center(DVec3::ZERO, self.half_extents).corners();
        let farthest = corners.into_iter().map(distance).fold(0.0, f64::max);
        CameraSpec {
            name: "everything that moves".to_string(),
            position: self.center + DISTANCE_MARGIN * farthest * back,
            target: self.center,
            field_of_view_degrees: FIELD_OF_VIEW,
            follow: None,
        }
    }
}

/// Converts a camera; returns its projection, and its pose in world coordinates (or relative to the body that it
/// follows).
pub(super) fn convert(camera: &CameraSpec) -> (Camera, Pose) {
    let sight = camera.target - camera.position;
    let forward = sight.try_normalize().unwrap_or(DVec3::Y);
    // If the camera looks straight down, y is up in the image.
    let right = forward.cross(DVec3::Z).try_normalize().unwrap_or(DVec3::X);
    let rotation = DQuat::from_mat3(&DMat3::from_cols(right, right.cross(forward), -forward)).normalize();
    let distance = sight.length().clamp(MIN_EXTENT, MAX_DISTANCE);
    let perspective = Perspective {
        yfov: camera.field_of_view_degrees.to_radians() as f32,
        znear: (NEAR * distance) as f32,
        zfar: (FAR * distance) as f32,
    };
    let name = if camera.name.is_empty() { "camera".to_string() } else { camera.name.clone() };
    (Camera { name, kind: "perspective", perspective }, Pose::new(rotation, camera.position))
}
