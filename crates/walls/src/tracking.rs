//! Tracking of heads, hands and wands: reports of trackers as JSON, the datagrams of OpenTrack, and calibration.
//!
//! OpenTrack's output "UDP over network" sends six little-endian doubles: x to the right, y up and z backward in cm, and
//! yaw, pitch and roll in degrees. Yaw is positive to the left, pitch upward, roll to the left.

use glam::{DMat3, DMat4, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::cave::Cave;
use crate::objects::{Hand, MAX_HANDS, Pose, User};

/// Maximum coordinate of a tracker, in m.
const MAX_COORDINATE: f64 = 1000.0;
/// Number of bytes of a datagram of OpenTrack.
pub const OPENTRACK_BYTES: usize = 48;
/// Maximum difference between the distances of two points for the tracker and in the room, in m. Larger ones are
/// mistakes: a tracker in other units, or swapped points.
const MAX_DISTANCE_ERROR: f64 = 0.1;
/// Minimum distance of the third point of a calibration from the line through the others, in m.
const MIN_TRIANGLE: f64 = 0.1;

/// A report of a tracker, in the tracker's axes. Fields that are missing stay as they are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tracking {
    /// The head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<TrackedPose>,
    /// The hands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Vec<TrackedHand>>,
}

/// A tracked pose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrackedPose {
    /// Place, in m.
    pub position: [f64; 3],
    /// Orientation as a quaternion x, y, z, w. At 0, 0, 0, 1 the head looks along the y axis, and z is up.
    #[serde(default = "upright")]
    pub orientation: [f64; 4],
}

/// A tracked hand or wand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrackedHand {
    /// Place, in m.
    pub position: [f64; 3],
    /// Orientation as a quaternion x, y, z, w. At 0, 0, 0, 1 the hand points along the y axis, and z is up.
    #[serde(default = "upright")]
    pub orientation: [f64; 4],
    /// Whether the hand holds on.
    #[serde(default)]
    pub grab: bool,
    /// Whether the hand shoots a ball; counts once until it is false again.
    #[serde(default)]
    pub shoot: bool,
    /// Whether the hand opens or closes the menu; counts once until it is false again.
    #[serde(default)]
    pub menu: bool,
}

fn upright() -> [f64; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

impl Tracking {
    /// Checks all numbers; returns a sentence that says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        if let Some(head) = &self.head {
            check_pose("head", head.position, head.orientation)?;
        }
        let hands = self.hands.as_deref().unwrap_or_default();
        if hands.len() > MAX_HANDS {
            return Err(format!("found {} hands, expected at most {MAX_HANDS}", hands.len()));
        }
        hands.iter().try_for_each(|hand| check_pose("hand", hand.position, hand.orientation))
    }

    /// Reads a datagram of OpenTrack.
    pub fn from_opentrack(bytes: &[u8]) -> Result<Self, String> {
        let found = bytes.len();
        if found != OPENTRACK_BYTES {
            return Err(format!("the datagram has {found} bytes, expected {OPENTRACK_BYTES}: six doubles"));
        }
        let number = |index: usize| {
            let bytes = bytes[8 * index..8 * index + 8].try_into();
            bytes.map(f64::from_le_bytes).unwrap_or(f64::NAN)
        };
        let [x, y, z, yaw, pitch, roll] = [0, 1, 2, 3, 4, 5].map(number);
        let turn = DQuat::from_rotation_z(yaw.to_radians())
            * DQuat::from_rotation_x(pitch.to_radians())
            * DQuat::from_rotation_y(-roll.to_radians());
        let position = [0.01 * x, -0.01 * z, 0.01 * y];
        let tracking = Self { head: Some(TrackedPose { position, orientation: turn.to_array() }), hands: None };
        tracking.check()?;
        Ok(tracking)
    }

    /// Sets the user from the report, in the axes of the cave.
    pub fn apply(&self, cave: &Cave, user: &mut User) {
        let (matrix, rotation) = (cave.tracker_matrix(), cave.tracker_rotation());
        let pose = |position: [f64; 3], orientation: [f64; 4]| Pose {
            position: matrix.transform_point3(DVec3::from_array(position)),
            orientation: (rotation * DQuat::from_array(orientation)).normalize(),
        };
        if let Some(head) = &self.head {
            user.head = pose(head.position, head.orientation);
        }
        if let Some(hands) = &self.hands {
            let hand = |hand: &TrackedHand| Hand { pose: pose(hand.position, hand.orientation), grabs: hand.grab };
            user.hands = hands.iter().map(hand).collect();
        }
    }
}

fn check_pose(what: &str, position: [f64; 3], orientation: [f64; 4]) -> Result<(), String> {
    if let Some(number) = position.iter().find(|number| number.is_nan() || number.abs() > MAX_COORDINATE) {
        return Err(format!("the position of the {what} must be within {MAX_COORDINATE} m, found {number}"));
    }
    let length = DQuat::from_array(orientation).length();
    if !(0.5..=2.0).contains(&length) {
        return Err(format!("the orientation of the {what} must be a quaternion of length 1, found length {length}"));
    }
    Ok(())
}

/// A place that a tracker reported, and where it was in the room.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CalibrationPoint {
    /// Place in the tracker's axes, in m.
    pub tracker: [f64; 3],
    /// Place in the room, in m.
    pub room: [f64; 3],
}

/// The rows of the map from the tracker to the room that takes the first point to its place, the direction to the second
/// one to its direction, and the third one into its half plane.
pub fn calibrate(points: &[CalibrationPoint; 3]) -> Result<[[f64; 4]; 3], String> {
    let tracker = points.map(|point| DVec3::from_array(point.tracker));
    let room = points.map(|point| DVec3::from_array(point.room));
    if !tracker.iter().chain(&room).all(|point| point.is_finite() && point.abs().max_element() <= MAX_COORDINATE) {
        return Err(format!("points must be within {MAX_COORDINATE} m of the origin"));
    }
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
        let [found, expected] = [tracker, room].map(|points| points[first].distance(points[second]));
        if (found - expected).abs() > MAX_DISTANCE_ERROR {
            let which = format!("points {} and {}", first + 1, second + 1);
            return Err(format!("{which} are {found:.3} m apart for the tracker and {expected:.3} m in the room"));
        }
    }
    let (from, to) = (axes(&tracker)?, axes(&room)?);
    let rotation = to * from.transpose();
    let translation = room[0] - rotation * tracker[0];
    let matrix = DMat4::from_translation(translation) * DMat4::from_mat3(rotation);
    Ok([0, 1, 2].map(|row| matrix.row(row).to_array()))
}

/// The axes that three points define: to the second point, in the plane of all three, and across.
fn axes([a, b, c]: &[DVec3; 3]) -> Result<DMat3, String> {
    let first = (*b - *a).try_normalize().ok_or("the first two points are the same")?;
    let aside = (*c - *a) - (*c - *a).dot(first) * first;
    if aside.length() < MIN_TRIANGLE {
        return Err(format!("the three points are nearly in line: the third must be {MIN_TRIANGLE} m aside"));
    }
    let second = aside.normalize();
    Ok(DMat3::from_cols(first, second, first.cross(second)))
}
