//! Poses and orientations as they are written in scene files.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::is_default;

/// An orientation, in one of three notations. In a file: `{ euler_degrees = [0, 0, 90] }`,
/// `{ axis = [0, 0, 1], angle_degrees = 90 }` or `{ quaternion = [0, 0, 0.6, 0.8] }`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "OrientationFields", into = "OrientationFields")]
pub enum Orientation {
    /// No rotation. In a file: left out.
    #[default]
    Straight,
    /// Turned about the fixed axes x, then y, then z (roll, pitch, yaw), in degrees.
    EulerDegrees(DVec3),
    /// Turned about an axis of any length but zero.
    AxisAngle {
        /// The axis.
        axis: DVec3,
        /// In degrees, counter-clockwise seen against the axis.
        angle_degrees: f64,
    },
    /// A quaternion x, y, z, w of any length but zero.
    Quaternion([f64; 4]),
}

impl Orientation {
    /// The same orientation as a quaternion, exactly.
    pub fn from_quaternion(rotation: DQuat) -> Self {
        if rotation == DQuat::IDENTITY { Self::Straight } else { Self::Quaternion(rotation.to_array()) }
    }

    /// The rotation, of unit length. None for an axis or a quaternion of length zero, and for values that are not
    /// finite.
    pub fn rotation(&self) -> Option<DQuat> {
        let turn = |axis, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
        let rotation = match *self {
            Self::Straight => DQuat::IDENTITY,
            Self::EulerDegrees(angles) => {
                turn(DVec3::Z, angles.z) * turn(DVec3::Y, angles.y) * turn(DVec3::X, angles.x)
            }
            Self::AxisAngle { axis, angle_degrees } => turn(axis.try_normalize()?, angle_degrees),
            Self::Quaternion(xyzw) => {
                let raw = DQuat::from_array(xyzw);
                let length = raw.length();
                // A unit quaternion is kept bit by bit.
                if (length - 1.0).abs() < 1e-15 {
                    raw
                } else if length > 1e-9 {
                    raw / length
                } else {
                    return None;
                }
            }
        };
        rotation.is_finite().then_some(rotation)
    }
}

/// What a file holds.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OrientationFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    euler_degrees: Option<DVec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<DVec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle_degrees: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quaternion: Option<[f64; 4]>,
}

impl TryFrom<OrientationFields> for Orientation {
    type Error = &'static str;

    fn try_from(fields: OrientationFields) -> Result<Self, Self::Error> {
        let OrientationFields { euler_degrees, axis, angle_degrees, quaternion } = fields;
        match (euler_degrees, axis, angle_degrees, quaternion) {
            (None, None, None, None) => Ok(Self::Straight),
            (Some(angles), None, None, None) => Ok(Self::EulerDegrees(angles)),
            (None, Some(axis), Some(angle_degrees), None) => Ok(Self::AxisAngle { axis, angle_degrees }),
            (None, None, None, Some(xyzw)) => Ok(Self::Quaternion(xyzw)),
            _ => Err("give exactly one of euler_degrees, axis with angle_degrees, and quaternion"),
        }
    }
}

impl From<Orientation> for OrientationFields {
    fn from(orientation: Orientation) -> Self {
        let mut fields = Self { euler_degrees: None, axis: None, angle_degrees: None, quaternion: None };
        match orientation {
            Orientation::Straight => {}
            Orientation::EulerDegrees(angles) => fields.euler_degrees = Some(angles),
            Orientation::AxisAngle { axis, angle_degrees } => {
                (fields.axis, fields.angle_degrees) = (Some(axis), Some(angle_degrees));
            }
            Orientation::Quaternion(xyzw) => fields.quaternion = Some(xyzw),
        }
        fields
    }
}

/// A position and an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoseSpec {
    /// Position, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}

impl PoseSpec {
    /// A translation without rotation.
    pub fn at(position: DVec3) -> Self {
        Self { position, orientation: Orientation::Straight }
    }

    /// The pose; without rotation if the orientation is not valid (a checked scene has no such orientation).
    pub fn pose(&self) -> Pose {
        pose_of(self.position, &self.orientation)
    }
}

impl From<Pose> for PoseSpec {
    fn from(pose: Pose) -> Self {
        Self { position: pose.translation, orientation: Orientation::from_quaternion(pose.rotation) }
    }
}

pub(crate) fn pose_of(position: DVec3, orientation: &Orientation) -> Pose {
    Pose::new(orientation.rotation().unwrap_or(DQuat::IDENTITY), position)
}

/// Moves and turns a pose that is given in the world's coordinates.
pub(crate) fn displace_pose(offset: &Pose, position: &mut DVec3, orientation: &mut Orientation) {
    let pose = offset.compose(&PoseSpec { position: *position, orientation: *orientation }.pose());
    let placed = PoseSpec::from(pose);
    (*position, *orientation) = (placed.position, placed.orientation);
}
