//! Specs of bodies.

use std::path::PathBuf;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::is_default;
use super::pose::{Orientation, PoseSpec, pose_of};
use super::{JointSpec, ScriptSpec, ShapeSpec};

/// A body. It moves freely unless it is `fixed`, has a `joint` or has a `script` (at most one of these).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Name, for references.
    pub name: String,
    /// Position of its origin at the start, in m; not for bodies on joints.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation at the start; not for bodies on joints.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
    /// Velocity at the start of its own centre of mass (without welded bodies), in m/s; for free bodies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: DVec3,
    /// Angular velocity at the start, along the world's axes, in rad/s; for free bodies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angular_velocity: DVec3,
    /// Fixed to the world: it never moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fixed: bool,
    /// Mass, in kg, instead of that of the shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Centre of mass in the body's coordinates, in m; with `inertia`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center_of_mass: Option<DVec3>,
    /// Inertia about the centre of mass along the body's axes, in kg m^2: xx, yy, zz, and if they are not zero xy, xz,
    /// yz. With `mass`; without it the shapes' inertia is scaled to the mass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inertia: Vec<f64>,
    /// Red, green and blue from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<DVec3>,
    /// An OBJ or STL file to show instead of the shapes, relative to the scene file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_mesh: Option<PathBuf>,
    /// Joint to its parent body or the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointSpec>,
    /// Prescribed motion, starting at the position and orientation of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptSpec>,
    /// Its shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeSpec>,
}

impl BodySpec {
    /// A free body at rest.
    pub fn new(name: impl Into<String>, position: DVec3, shapes: impl IntoIterator<Item = ShapeSpec>) -> Self {
        Self { name: name.into(), position, shapes: shapes.into_iter().collect(), ..Self::default() }
    }

    /// A body that is fixed to the world.
    pub fn fixed(name: impl Into<String>, position: DVec3, shapes: impl IntoIterator<Item = ShapeSpec>) -> Self {
        Self { fixed: true, ..Self::new(name, position, shapes) }
    }

    /// A body on a joint.
    pub fn jointed(name: impl Into<String>, joint: JointSpec, shapes: impl IntoIterator<Item = ShapeSpec>) -> Self {
        Self { joint: Some(joint), ..Self::new(name, DVec3::ZERO, shapes) }
    }

    /// A body whose motion is prescribed.
    pub fn scripted(
        name: impl Into<String>,
        start: PoseSpec,
        script: ScriptSpec,
        shapes: impl IntoIterator<Item = ShapeSpec>,
    ) -> Self {
        let body = Self::new(name, start.position, shapes);
        Self { orientation: start.orientation, script: Some(script), ..body }
    }

    /// Pose at the start, for bodies without a joint.
    pub fn pose(&self) -> burgess_geometry::Pose {
        pose_of(self.position, &self.orientation)
    }
}
