//! Colours, lights and cameras that the scenes share.

use glam::DVec3;

use crate::spec::{AmbientLight, CameraSpec, DirectionalLight, DisplaySpec, LightSpec};

pub const GROUND: DVec3 = DVec3::new(0.42, 0.46, 0.44);
pub const STONE: DVec3 = DVec3::new(0.62, 0.6, 0.57);
pub const BRICK: DVec3 = DVec3::new(0.66, 0.27, 0.19);
pub const WOOD: DVec3 = DVec3::new(0.72, 0.53, 0.33);
pub const STEEL: DVec3 = DVec3::new(0.5, 0.53, 0.57);
pub const GOLD: DVec3 = DVec3::new(0.85, 0.66, 0.22);
pub const RED: DVec3 = DVec3::new(0.8, 0.16, 0.14);
pub const BLUE: DVec3 = DVec3::new(0.16, 0.38, 0.72);
pub const GREEN: DVec3 = DVec3::new(0.12, 0.45, 0.25);
pub const IVORY: DVec3 = DVec3::new(0.94, 0.91, 0.83);
pub const BLACK: DVec3 = DVec3::new(0.08, 0.08, 0.09);

/// Returns a colour from blue through white to red, for a value from 0 to 1.
pub fn scale(share: f64) -> DVec3 {
    if share < 0.5 { BLUE.lerp(IVORY, 2.0 * share) } else { IVORY.lerp(RED, 2.0 * share - 1.0) }
}

/// Daylight from the upper left, and a camera.
pub fn studio(camera: DVec3, target: DVec3) -> DisplaySpec {
    let sun = DirectionalLight { direction: DVec3::new(0.4, 0.6, -1.0), color: DVec3::ONE, intensity: 1.0 };
    DisplaySpec {
        background: Some(DVec3::new(0.8, 0.87, 0.93)),
        lights: vec![
            LightSpec::Ambient(AmbientLight { color: DVec3::ONE, intensity: 0.5 }),
            LightSpec::Directional(sun),
        ],
        cameras: vec![camera_at("overview", camera, target)],
    }
}

/// A fixed camera.
pub fn camera_at(name: &str, position: DVec3, target: DVec3) -> CameraSpec {
    CameraSpec { name: name.to_string(), position, target, field_of_view_degrees: 45.0, follow: None }
}

/// A camera that follows a body.
pub fn camera_with(name: &str, body: &str, position: DVec3, target: DVec3) -> CameraSpec {
    CameraSpec { follow: Some(body.to_string()), ..camera_at(name, position, target) }
}
