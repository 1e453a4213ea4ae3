//! Specs of crowds.

use burgess_formula::Formula;
use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::behaviour::{BehaviourLinkSpec, BehaviourNodeSpec, NetworkSpec};
use crate::spec::is_default;

/// A rectangle on the floor.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RectangleSpec {
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
}

/// A region that pedestrians walk to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalSpec {
    /// Name, for references.
    pub name: String,
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
    /// Whether the networks of a pedestrian pause while it walks there, as long as there is a way.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pauses: bool,
}

/// A place where walking can be forbidden for a time: a door, a crosswalk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSpec {
    /// Name, for messages.
    pub name: String,
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
    /// Whether pedestrians look for another way while it is closed; otherwise they wait.
    #[serde(default, skip_serializing_if = "is_default")]
    pub detour: bool,
    /// A formula over the signals and `time` (s): the gate is open while it is not zero. Always open if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Formula>,
}

/// A place of a lane where vehicles stop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSpec {
    /// Length of the lane up to it, in m.
    pub at: f64,
    /// A formula over the signals and `time` (s): vehicles stop while it is not zero.
    pub closed: Formula,
}

/// A closed lane of vehicles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneSpec {
    /// Name, for references.
    pub name: String,
    /// Corners, in m, at least three. The last is joined to the first.
    pub points: Vec<DVec2>,
    /// Places where vehicles stop.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stops: Vec<StopSpec>,
}

/// A vehicle on a lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleSpec {
    /// Name of its body, which has three axes as those of pedestrians.
    pub body: String,
    /// Name of its lane.
    pub lane: String,
    /// Length of the lane up to where it starts, in m.
    pub start: f64,
    /// Speed on a free road, in m/s.
    pub speed: f64,
    /// Length, in m.
    pub length: f64,
    /// Width, in m.
    pub width: f64,
}

/// High level: people who walk by steps to their goals, round obstacles and each other, and vehicles that stop for
/// them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrowdSpec {
    /// Names of the pedestrians' bodies. Each is on a stack of three axes: slides along x and y and a hinge about z.
    pub bodies: Vec<String>,
    /// Names of the goals at the start: one for all, or one for each body.
    pub walk_to: Vec<String>,
    /// Speeds on a free way, in m/s: one for all, or one for each body; 1.34 if left out.
    #[serde(skip_serializing_if = "is_default")]
    pub speeds: Vec<f64>,
    /// Extent of the floor.
    pub floor: RectangleSpec,
    /// Goals.
    pub goals: Vec<GoalSpec>,
    /// Names of fixed bodies that nobody walks through: boxes, cylinders, capsules and spheres.
    #[serde(skip_serializing_if = "is_default")]
    pub obstacles: Vec<String>,
    /// Parts of the floor that nobody walks on, without a body: roads, lawns.
    #[serde(skip_serializing_if = "is_default")]
    pub blocked: Vec<RectangleSpec>,
    /// Gates.
    #[serde(skip_serializing_if = "is_default")]
    pub gates: Vec<GateSpec>,
    /// Names of the signals that networks set. All are 0 at the start.
    #[serde(skip_serializing_if = "is_default")]
    pub signals: Vec<String>,
    /// Transition networks.
    #[serde(skip_serializing_if = "is_default")]
    pub networks: Vec<NetworkSpec>,
    /// Nodes of the behaviour net of every pedestrian.
    #[serde(skip_serializing_if = "is_default")]
    pub nodes: Vec<BehaviourNodeSpec>,
    /// Links of the behaviour net.
    #[serde(skip_serializing_if = "is_default")]
    pub links: Vec<BehaviourLinkSpec>,
    /// Lanes of vehicles.
    #[serde(skip_serializing_if = "is_default")]
    pub lanes: Vec<LaneSpec>,
    /// Vehicles.
    #[serde(skip_serializing_if = "is_default")]
    pub vehicles: Vec<VehicleSpec>,
}

impl CrowdSpec {
    /// Names of all bodies.
    pub(in crate::controller) fn names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let vehicles = self.vehicles.iter_mut().map(|vehicle| &mut vehicle.body);
        let objects = self.nodes.iter_mut().filter_map(BehaviourNodeSpec::body_mut);
        self.bodies.iter_mut().chain(&mut self.obstacles).chain(vehicles).chain(objects)
    }
}
