//! Specs of constraints between bodies besides joints: they close loops and connect trees.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::{Orientation, displace_pose, pose_of};
use crate::spec::tagged::{read_with_kind, tagged};

/// A frame on a body or in the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnchorSpec {
    /// Name of the body; the world if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Position, in the coordinates of the body or the world, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation, in the coordinates of the body or the world.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}

impl AnchorSpec {
    /// A point of a body, in its coordinates, in m.
    pub fn on(body: &str, position: DVec3) -> Self {
        Self { body: Some(body.to_string()), position, orientation: Orientation::Straight }
    }

    /// A point of the world, in m.
    pub fn in_world(position: DVec3) -> Self {
        Self { body: None, position, orientation: Orientation::Straight }
    }

    /// The pose of the anchor.
    pub fn pose(&self) -> burgess_geometry::Pose {
        pose_of(self.position, &self.orientation)
    }
}

tagged! {
    /// The kind of constraint.
    pub enum TieKind {
        /// The points coincide.
        "pin" => Pin(NoNumbers),
        /// The points coincide and the z axes of both anchors stay parallel.
        "hinge" => Hinge(NoNumbers),
        /// The second point stays on the z axis of the first anchor, and the bodies do not rotate relative to each
        /// other.
        "slide" => Slide(NoNumbers),
        /// The anchors coincide, including their orientations.
        "weld" => Weld(NoNumbers),
        /// The points keep their distance.
        "distance" => Distance(LengthTie),
        /// The points stay within a distance.
        "rope" => Rope(LengthTie),
        /// A damped spring, implicit in time: it may be stiff.
        "spring" => Spring(SpringTie),
    }
}

/// A constraint without parameters.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoNumbers {}

/// A length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthTie {
    /// Length, in m.
    pub length: f64,
}

/// A damped spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringTie {
    /// Rest length, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub length: f64,
    /// Stiffness, in N/m.
    pub stiffness: f64,
    /// Damping, in N s/m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
}

/// A constraint between two anchors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConstraintSpec {
    /// The kind of constraint.
    #[serde(flatten)]
    pub kind: TieKind,
    /// The first anchor.
    pub a: AnchorSpec,
    /// The second anchor.
    pub b: AnchorSpec,
}

read_with_kind!(ConstraintSpec: TieKind { a = AnchorSpec::default(), b = AnchorSpec::default() });

impl AnchorSpec {
    /// Puts a prefix before the name of its body.
    pub(crate) fn add_prefix(&mut self, prefix: &str) {
        if let Some(name) = &mut self.body {
            name.insert_str(0, prefix);
        }
    }

    /// Moves and turns an anchor on the world.
    pub(crate) fn displace(&mut self, offset: &burgess_geometry::Pose) {
        if self.body.is_none() {
            displace_pose(offset, &mut self.position, &mut self.orientation);
        }
    }
}
