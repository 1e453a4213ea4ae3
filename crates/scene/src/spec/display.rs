//! How a scene is shown. None of this changes the motion.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::is_default;
use super::tagged::tagged;

/// Background, lights and cameras.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisplaySpec {
    /// Background colour: red, green and blue from 0 to 1; the viewer's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<DVec3>,
    /// Lights; the viewer's own if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lights: Vec<LightSpec>,
    /// Cameras; the first is active at the start. If left out, a camera that sees everything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<CameraSpec>,
}

tagged! {
    /// A light.
    pub enum LightSpec {
        /// Ambient light.
        "ambient" => Ambient(AmbientLight),
        /// Directional light, like the sun.
        "directional" => Directional(DirectionalLight),
        /// Point light, like a lamp.
        "point" => Point(PointLight),
    }
}

/// Ambient light.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmbientLight {
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// Intensity; 1 is usual.
    pub intensity: f64,
}

/// Directional light.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectionalLight {
    /// Direction of the light; any length but zero.
    pub direction: DVec3,
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// Intensity; 1 is usual.
    pub intensity: f64,
}

/// Point light.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointLight {
    /// Position, in m.
    pub position: DVec3,
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// Intensity; 1 is usual.
    pub intensity: f64,
}

fn white() -> DVec3 {
    DVec3::ONE
}

/// A camera.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraSpec {
    /// Name, for menus.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Position, in m. That of a camera that follows a body is the one at the start.
    pub position: DVec3,
    /// Point at the centre of the view, in m. That of a camera that follows a body is the one at the start.
    pub target: DVec3,
    /// Vertical field of view, in degrees; 50 if left out.
    #[serde(default = "fifty")]
    pub field_of_view_degrees: f64,
    /// Name of the body that it follows: its distance to the origin of the body stays as it is at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
}

fn fifty() -> f64 {
    50.0
}
