//! How a scene is shown. None of this changes the motion.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::is_default;
use super::tagged::tagged;

/// Background, lights and cameras.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisplaySpec {
    /// Red, green and blue from 0 to 1; the viewer's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<DVec3>,
    /// The viewer's own if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lights: Vec<LightSpec>,
    /// The first is shown at the beginning; one that sees everything if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<CameraSpec>,
}

tagged! {
    /// A light.
    pub enum LightSpec {
        /// From everywhere.
        "ambient" => Ambient(AmbientLight),
        /// From far away, like the sun.
        "directional" => Directional(DirectionalLight),
        /// From a point, like a lamp.
        "point" => Point(PointLight),
    }
}

/// Light from everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmbientLight {
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// 1 is usual.
    pub intensity: f64,
}

/// Light from far away.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectionalLight {
    /// Where it shines to; any length but zero.
    pub direction: DVec3,
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// 1 is usual.
    pub intensity: f64,
}

/// Light from a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointLight {
    /// In m.
    pub position: DVec3,
    /// Red, green and blue from 0 to 1; white if left out.
    #[serde(default = "white")]
    pub color: DVec3,
    /// 1 is usual.
    pub intensity: f64,
}

fn white() -> DVec3 {
    DVec3::ONE
}

/// A camera.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraSpec {
    /// For a menu.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// In m.
    pub position: DVec3,
    /// The point that it looks at, in m.
    pub target: DVec3,
    /// From top to bottom, in degrees; 50 if left out.
    #[serde(default = "fifty")]
    pub field_of_view_degrees: f64,
    /// Name of a body that it moves along with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
}

fn fifty() -> f64 {
    50.0
}
