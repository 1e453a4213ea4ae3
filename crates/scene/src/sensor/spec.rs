//! Specs of sensors and of the sites they measure at.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::{Orientation, pose_of};
use crate::spec::tagged::{read_with_kind, tagged};

/// A named frame on a body or in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSpec {
    /// Name, for references.
    pub name: String,
    /// Name of the body; the world if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Position, in the coordinates of the body or the world, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation, in the coordinates of the body or the world.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}

impl SiteSpec {
    /// The pose of the site.
    pub fn pose(&self) -> burgess_geometry::Pose {
        pose_of(self.position, &self.orientation)
    }
}

tagged! {
    /// What a sensor measures.
    pub enum Measured {
        /// Position of an axis, in rad or m; of a ball joint its quaternion x, y, z, w.
        "joint_position" => JointPosition(OfJoint),
        /// Velocity of an axis, in rad/s or m/s; of a ball joint its angular velocity.
        "joint_velocity" => JointVelocity(OfJoint),
        /// Force of an actuator, before its gear.
        "actuator_force" => ActuatorForce(OfActuator),
        /// Position of a site in the world, in m.
        "site_position" => SitePosition(OfSite),
        /// Orientation of a site in the world, a quaternion x, y, z, w.
        "site_orientation" => SiteOrientation(OfSite),
        /// Velocity of a site along the world's axes, in m/s.
        "site_velocity" => SiteVelocity(OfSite),
        /// Angular velocity of a site along the world's axes, in rad/s.
        "site_angular_velocity" => SiteAngularVelocity(OfSite),
        /// Velocity of a site along its own axes, in m/s.
        "velocimeter" => Velocimeter(OfSite),
        /// Angular velocity of a site along its own axes, in rad/s.
        "gyro" => Gyro(OfSite),
        /// Sum of the normal forces of all contacts of a body, in N.
        "touch" => Touch(OfBody),
        /// Centre of mass of a body and its descendants, in m.
        "center_of_mass" => CenterOfMass(OfBody),
        /// Number of people of all crowds per area of a region, in 1/m^2.
        "crowd_density" => CrowdDensity(OfRegion),
        /// Mean speed of the people in a region, in m/s; 0 if nobody is there.
        "crowd_speed" => CrowdSpeed(OfRegion),
        /// People who pass a region along a direction, per second: the sum of their velocities along it, divided by the
        /// length of the region (Edie 1963).
        "crowd_flow" => CrowdFlow(OfStream),
    }
}

impl Measured {
    /// The name of what the sensor measures; nothing for sensors of all crowds.
    pub(crate) fn target_mut(&mut self) -> Option<&mut String> {
        Some(match self {
            Self::JointPosition(of) | Self::JointVelocity(of) => &mut of.joint,
            Self::ActuatorForce(of) => &mut of.actuator,
            Self::SitePosition(of)
            | Self::SiteOrientation(of)
            | Self::SiteVelocity(of)
            | Self::SiteAngularVelocity(of)
            | Self::Velocimeter(of)
            | Self::Gyro(of) => &mut of.site,
            Self::Touch(of) | Self::CenterOfMass(of) => &mut of.body,
            Self::CrowdDensity(_) | Self::CrowdSpeed(_) | Self::CrowdFlow(_) => return None,
        })
    }
}

/// A sensor of a joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfJoint {
    /// Name of the body with the joint.
    pub joint: String,
    /// Axis of the joint, counted from 0; ignored for a ball.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: usize,
}

/// A sensor of an actuator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfActuator {
    /// Name.
    pub actuator: String,
}

/// A sensor at a site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfSite {
    /// Name.
    pub site: String,
}

/// A sensor of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfBody {
    /// Name.
    pub body: String,
}

/// A sensor of the people in a rectangle on the floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfRegion {
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
}

/// A sensor of the people who pass a rectangle on the floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfStream {
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
    /// Direction that counts, of any length.
    pub direction: DVec2,
}

/// A sensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SensorSpec {
    /// What it measures.
    #[serde(flatten)]
    pub kind: Measured,
    /// Name, for references.
    pub name: String,
}

read_with_kind!(SensorSpec: Measured { name = String::new() });
